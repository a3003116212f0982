"""From a request to results, for a small function: the warm worker, a cold one, and mlir-runner 22 in the same run.

`python benchmarks/run_latency.py`. Fathom's time holds encoding, compiling at -O2, the call and decoding; that
of mlir-runner is its process on the same program, already in the LLVM dialect. Bar: a warm run in less than 30 ms.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lowering"))

from fathom.execution import RunRequest, Worker
from fathom.ir.types import I64

RUNS = 50
BAR = 0.030

PROGRAM = """
define i64 @sum(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %square = mul i64 %i, %i
  %more = add i64 %sum, %square
  %next = add i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret i64 %more
}
"""
PEER = """
llvm.func @main() -> i64 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %n = llvm.mlir.constant(100 : i64) : i64
  llvm.br ^loop(%zero, %zero : i64, i64)
^loop(%i: i64, %sum: i64):
  %square = llvm.mul %i, %i : i64
  %more = llvm.add %sum, %square : i64
  %next = llvm.add %i, %one : i64
  %again = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %again, ^loop(%next, %more : i64, i64), ^done
^done:
  llvm.return %more : i64
}
"""
EXPECTED = 328350


def measure(name: str, run: Callable[[], object], count: int = RUNS) -> float:
    """Print median and worst of some runs; the median in seconds."""
    times = list[float]()
    for _ in range(count):
        before = time.perf_counter()
        run()
        times.append(time.perf_counter() - before)
    median = statistics.median(times)
    print(f"{name:<24} median {median * 1000:7.1f} ms   worst {max(times) * 1000:7.1f} ms   ({count} runs)")
    return median


def warm(worker: Worker) -> None:
    outcome = worker.run(RunRequest(PROGRAM, "sum", (I64,), (I64,), (100,)))
    assert outcome.results == (EXPECTED,), outcome


def cold() -> None:
    with Worker() as worker:
        warm(worker)


def peer(runner: str) -> None:
    options = ["-e", "main", "-entry-point-result=i64", "-O2"]
    done = subprocess.run([runner, *options], input=PEER, capture_output=True, text=True, check=True)
    assert int(done.stdout) == EXPECTED, done.stdout


def main() -> int:
    with Worker() as worker:
        worker.start()
        median = measure("Fathom, warm worker", lambda: warm(worker))
    measure("Fathom, cold worker", cold, 5)
    runner = shutil.which("mlir-runner-22") or "/usr/lib/llvm-22/bin/mlir-runner"
    if Path(runner).exists():
        measure("mlir-runner 22", lambda: peer(runner), 10)
    else:
        print("mlir-runner 22 is not installed: nothing to compare with")
    print(f"bar: {BAR * 1000:.0f} ms warm: {'met' if median <= BAR else 'MISSED'}")
    return int(median > BAR)


if __name__ == "__main__":
    sys.exit(main())
