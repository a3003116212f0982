"""What a call from Python costs: `fathom.compile(…, isolated=False)` beside a plain call by ctypes, and a product of
matrices beside mlir-runner 22 -O3.

`python -m benchmarks.library`. Bars: a call of `f(i32) -> i32` costs at most 5 µs more than by ctypes; the product of
two matrices of 1024 x 1024 f32 takes at most 3 % more of the processor than in mlir-runner, by its own clock. Both are
measured in turn, by the medians of several repetitions. For comparison, what a call in a worker costs.
"""

from __future__ import annotations

import ctypes
import shutil
import statistics
import subprocess
import sys
import time
import timeit
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lowering"))

import numpy as np

import fathom

CALLS = 100_000
REPETITIONS = 7
PRODUCTS = 3
BAR_CALL = 5.0
BAR_PRODUCT = 1.03
SIZE = 1024
SCALAR = "func.func @f(%a: i32) -> i32 { %0 = arith.addi %a, %a : i32  return %0 : i32 }"
MATRIX = f"memref<{SIZE}x{SIZE}xf32>"
PRODUCT = f"""
func.func @matmul(%a: {MATRIX}, %b: {MATRIX}, %c: {MATRIX}) {{
  linalg.matmul ins(%a, %b : {MATRIX}, {MATRIX}) outs(%c : {MATRIX})
  return
}}
"""
TIMED = f"""{PRODUCT}
func.func private @clock() -> i64
func.func private @printI64(i64)
func.func private @printNewline()
func.func @main() {{
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() {{alignment = 64}} : {MATRIX}
  %b = memref.alloc() {{alignment = 64}} : {MATRIX}
  %c = memref.alloc() {{alignment = 64}} : {MATRIX}
  linalg.fill ins(%one : f32) outs(%a : {MATRIX})
  linalg.fill ins(%one : f32) outs(%b : {MATRIX})
  linalg.fill ins(%zero : f32) outs(%c : {MATRIX})
  call @matmul(%a, %b, %c) : ({MATRIX}, {MATRIX}, {MATRIX}) -> ()
  %before = call @clock() : () -> i64
  call @matmul(%a, %b, %c) : ({MATRIX}, {MATRIX}, {MATRIX}) -> ()
  %after = call @clock() : () -> i64
  %spent = arith.subi %after, %before : i64
  call @printI64(%spent) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}}
"""
CLOCKS_PER_SECOND = 1_000_000
RUNNER = shutil.which("mlir-runner-22") or "/usr/lib/llvm-22/bin/mlir-runner"
LIBRARIES = ",".join(f"/usr/lib/llvm-22/lib/lib{name}.so" for name in ("mlir_c_runner_utils", "mlir_runner_utils"))


def main() -> int:
    """Measures; 0 if both bars hold."""
    return int(not all([measured_call(), measured_product()]))


def measured_call() -> bool:
    with fathom.compile(SCALAR, isolated=False) as module, fathom.compile(SCALAR) as worker:
        address = module.f.address
        assert address is not None
        plain = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32)(address)
        assert module.f(21) == plain(21) == worker.f(21) == 42
        rows = [(_once(lambda: module.f(21)), _once(lambda: plain(21))) for _ in range(REPETITIONS)]
        beyond = statistics.median(own - other for own, other in rows)
        print(f"f(i32) -> i32: {statistics.median(own for own, _ in rows):.2f} µs a call")
        plainly = statistics.median(other for _, other in rows)
        print(f"  by ctypes {plainly:.2f} µs; beyond it {beyond:.2f} (bar {BAR_CALL})")
        print(f"  in a worker {_once(lambda: worker.f(21), CALLS // 100):.0f} µs")
    with fathom.compile("func.func @g(%m: memref<?xf32>) { return }", isolated=False) as module:
        array = np.zeros(16, np.float32)
        module.g(array)
        print(f"g(memref<?xf32>): {_once(lambda: module.g(array), CALLS // 10):.2f} µs a call")
    return beyond <= BAR_CALL


def _once(call: Callable[[], object], count: int = CALLS) -> float:
    """Microseconds for a call."""
    return timeit.timeit(call, number=count) / count * 1e6


def measured_product() -> bool:
    lowered = fathom.lower(TIMED).text
    a, b = (np.ones((SIZE, SIZE), np.float32) for _ in range(2))
    c = np.zeros((SIZE, SIZE), np.float32)
    own, theirs = list[float](), list[float]()
    with fathom.compile(PRODUCT, optimize=3, isolated=False) as module:
        module.matmul(a, b, c)
        assert (c == SIZE).all()
        for _ in range(PRODUCTS):
            before = time.process_time()
            module.matmul(a, b, c)
            own.append(time.process_time() - before)
            theirs.append(_in_runner(lowered))
    ratio = statistics.median(mine / other for mine, other in zip(own, theirs, strict=True))
    print(f"matmul {SIZE} x {SIZE} f32: {statistics.median(own) * 1e3:.1f} ms, least {min(own) * 1e3:.1f}")
    print(f"  mlir-runner -O3 {statistics.median(theirs) * 1e3:.1f} ms, least {min(theirs) * 1e3:.1f}")
    print(f"  ratio {ratio:.3f}, of the least {min(own) / min(theirs):.3f} (bar {BAR_PRODUCT})")
    return min(ratio, min(own) / min(theirs)) <= BAR_PRODUCT


def _in_runner(lowered: str) -> float:
    """Seconds of the processor, by the program's own clock."""
    command = [RUNNER, "-O3", "-e", "main", "--entry-point-result=void", f"--shared-libs={LIBRARIES}"]
    ran = subprocess.run(command, input=lowered, capture_output=True, text=True, check=True)
    return int(ran.stdout) / CLOCKS_PER_SECOND


if __name__ == "__main__":
    sys.exit(main())
