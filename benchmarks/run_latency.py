"""From a request to results, for a small function: the warm worker, a cold one, and mlir-runner 22 in the same run.

`python benchmarks/run_latency.py`. Fathom's time holds encoding, compiling at -O2, the call and decoding; that
of mlir-runner is its process on the same program, already in the LLVM dialect. Bar: a warm run in less than 30 ms.

Then what checks cost: a small function on memrefs from its IR to results, with them and without, in turn. Bar: 5 ms.
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

from fathom.context import default_context
from fathom.elaborate import load
from fathom.execution import RunRequest, Worker
from fathom.execution.checks import add_checks
from fathom.ir.clone import clone
from fathom.ir.types import F32, I64, INDEX, MemRefType
from fathom.pipeline.defaults import LOWER_TO_LLVM
from fathom.pipeline.lowering import run
from fathom.translation import translate

RUNS = 50
BAR = 0.030
CHECKS_BAR = 0.005

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
DOT = """
func.func @dot(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = memref.load %b[%i] : memref<?xf32>
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    scf.yield %s : f32
  }
  return %sum : f32
}
"""


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


class Dot:
    """A function on memrefs, from its IR to results."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._module = load(DOT).module

    def run(self, *, checked: bool) -> None:
        module = clone(self._module)
        checks = add_checks(module, default_context()) if checked else ()
        run(LOWER_TO_LLVM, module, default_context())
        vector = MemRefType((-(2**63),), F32)
        types, values = (vector, vector, INDEX), ([1, 2, 3], [4, 5, 6], 3)
        outcome = self._worker.run(RunRequest(translate(module).text, "dot", types, (F32,), values, checks=checks))
        assert outcome.results == (32.0,), outcome


def checks(worker: Worker) -> float:
    """What checks add to a run, in seconds: the median of the differences of runs in turn."""
    dot, times = Dot(worker), {False: list[float](), True: list[float]()}
    for _ in range(RUNS):
        for checked, measured in times.items():
            before = time.perf_counter()
            dot.run(checked=checked)
            measured.append(time.perf_counter() - before)
    for checked, measured in times.items():
        name = "checked" if checked else "not checked"
        print(f"{name:<24} median {statistics.median(measured) * 1000:7.1f} ms   worst {max(measured) * 1000:7.1f} ms")
    return statistics.median(one - other for one, other in zip(times[True], times[False], strict=True))


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
        added = checks(worker)
    measure("Fathom, cold worker", cold, 5)
    runner = shutil.which("mlir-runner-22") or "/usr/lib/llvm-22/bin/mlir-runner"
    if Path(runner).exists():
        measure("mlir-runner 22", lambda: peer(runner), 10)
    else:
        print("mlir-runner 22 is not installed: nothing to compare with")
    print(f"bar: {BAR * 1000:.0f} ms warm: {'met' if median <= BAR else 'MISSED'}")
    print(
        f"checks: {added * 1000:.1f} ms, bar {CHECKS_BAR * 1000:.0f} ms: {'met' if added <= CHECKS_BAR else 'MISSED'}"
    )
    return int(median > BAR or added > CHECKS_BAR)


if __name__ == "__main__":
    sys.exit(main())
