"""`fathom opt` with fourteen passes on a file of some 9,000 lines, beside mlir-opt 22; they take turns.

    python -m benchmarks.passes [FILE] [--rounds N]

*Processor* is the time of all threads, *wall* what passes on the clock; each is the median of the rounds, and so is the
ratio of each round. The texts that the two print are compared. Bar: at most 12 times mlir-opt's time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.programs import FUNCTION

PASSES = (
    "--convert-linalg-to-loops",
    "--convert-vector-to-scf",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--convert-vector-to-llvm",
    "--convert-math-to-llvm",
    "--convert-math-to-libm",
    "--convert-ub-to-llvm",
    "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
)
SIX = PASSES[3:5] + PASSES[9:10] + PASSES[11:]
"""Those that functions without vectors and memory need."""

KERNELS = """\
func.func @gemm_{n}(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %a, %c0 : memref<?x?xf32>
  %inner = memref.dim %a, %c1 : memref<?x?xf32>
  %columns = memref.dim %b, %c1 : memref<?x?xf32>
  affine.for %ti = 0 to affine_map<(d0) -> (d0 ceildiv 8)>(%rows) {{
    affine.for %i = affine_map<(d0) -> (d0 * 8)>(%ti) to min affine_map<(d0)[s0] -> (d0 * 8 + 8, s0)>(%ti)[%rows] {{
      affine.for %j = 0 to %columns {{
        %first = affine.load %c[%i, %j] : memref<?x?xf32>
        %sum = affine.for %k = 0 to %inner iter_args(%acc = %first) -> f32 {{
          %x = affine.load %a[%i, %k] : memref<?x?xf32>
          %y = affine.load %b[%k, %j] : memref<?x?xf32>
          %product = arith.mulf %x, %y : f32
          %next = arith.addf %acc, %product : f32
          affine.yield %next : f32
        }}
        affine.store %sum, %c[%i, %j] : memref<?x?xf32>
      }}
    }}
  }}
  return
}}
func.func @norm_{n}(%x: memref<64xf32>, %y: memref<64xf32>) -> f32 {{
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %total = scf.for %i = %c0 to %c64 step %c8 iter_args(%acc = %zero) -> f32 {{
    %v = vector.transfer_read %x[%i], %zero : memref<64xf32>, vector<8xf32>
    %w = vector.load %y[%i] : memref<64xf32>, vector<8xf32>
    %root = math.sqrt %v : vector<8xf32>
    %power = math.exp %w : vector<8xf32>
    %mixed = arith.maximumf %root, %power : vector<8xf32>
    %sum = vector.reduction <add>, %mixed, %acc : vector<8xf32> into f32
    vector.transfer_write %mixed, %y[%i] : vector<8xf32>, memref<64xf32>
    scf.yield %sum : f32
  }}
  %rest = scf.while (%s = %total) : (f32) -> f32 {{
    %more = arith.cmpf ogt, %s, %zero : f32
    scf.condition(%more) %s : f32
  }} do {{
  ^bb0(%s: f32):
    %less = math.floor %s : f32
    %tan = math.tan %less : f32
    scf.yield %tan : f32
  }}
  return %rest : f32
}}
func.func @window_{n}(%m: memref<16x16xf64>, %i: index) -> f64 {{
  %part = memref.subview %m[%i, 2] [4, 4] [1, 2] : memref<16x16xf64> to memref<4x4xf64, strided<[16, 2], offset: ?>>
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%part : memref<4x4xf64, strided<[16, 2], offset: ?>>)
  %c1 = arith.constant 1 : index
  %element = memref.load %part[%c1, %c1] : memref<4x4xf64, strided<[16, 2], offset: ?>>
  return %element : f64
}}"""

COPIES = 95


def source() -> str:
    """Loops, vectors, mathematics, views and control flow: about 9,000 lines."""
    return "\n".join(f"{FUNCTION}\n{KERNELS}".format(n=n) for n in range(COPIES)) + "\n"


def run(command: Sequence[str], out: Path) -> tuple[float, float]:
    """Processor and wall time of a command, in seconds."""
    before, started = os.times(), time.perf_counter()
    subprocess.run([*command, "-o", str(out)], check=True, stderr=subprocess.DEVNULL)
    wall, after = time.perf_counter() - started, os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system, wall


def main() -> None:
    parser = argparse.ArgumentParser(description="fourteen passes beside mlir-opt")
    parser.add_argument("file", nargs="?", type=Path, help="another file than the one that is made up")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.file
        if path is None:
            path = Path(folder) / "kernels.mlir"
            path.write_text(source())
        lines = path.read_text().count("\n")
        print(f"{len(PASSES)} passes on {lines} lines, {options.rounds} rounds, seconds: processor and wall")
        ours = (sys.executable, "-c", "from fathom.cli import entry; entry()", "opt", *PASSES, str(path))
        peer = shutil.which("mlir-opt-22")
        if peer is None:
            print("  mlir-opt-22 is not here and is LEFT OUT")
        times: dict[str, list[tuple[float, float]]] = {"fathom opt": [], "mlir-opt": []}
        outputs = {"fathom opt": Path(folder) / "ours.mlir", "mlir-opt": Path(folder) / "peer.mlir"}
        for _ in range(options.rounds):
            times["fathom opt"].append(run(ours, outputs["fathom opt"]))
            if peer is not None:
                times["mlir-opt"].append(run((peer, *PASSES, str(path)), outputs["mlir-opt"]))
        for name, measured in times.items():
            if measured:
                processor, wall = (
                    statistics.median(times_of_run[index] for times_of_run in measured) for index in (0, 1)
                )
                print(f"  {name:<12} {processor:7.2f} {wall:7.2f}")
        if peer is not None:
            pairs = list(zip(times["fathom opt"], times["mlir-opt"], strict=True))
            processor, wall = (statistics.median(a[index] / b[index] for a, b in pairs) for index in (0, 1))
            print(f"  {'ratio':<12} {processor:7.1f} {wall:7.1f}")
            same = outputs["fathom opt"].read_bytes() == outputs["mlir-opt"].read_bytes()
            print(f"  what they print {'is the same' if same else 'DIFFERS'}")


if __name__ == "__main__":
    main()
