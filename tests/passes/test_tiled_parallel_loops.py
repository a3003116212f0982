"""Parallel loops in tiles do what they did, whatever their bounds and steps are."""

from __future__ import annotations

import io
import json

import pytest

from fathom.cli import main

LOOP = """
func.func @f() -> (index, index) {
  %lower = arith.constant LOWER : index
  %upper = arith.constant UPPER : index
  %step = arith.constant STEP : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xindex>
  memref.store %c0, %m[%c0] : memref<2xindex>
  memref.store %c0, %m[%c1] : memref<2xindex>
  scf.parallel (%i) = (%lower) to (%upper) step (%step) {
    %sum = memref.load %m[%c0] : memref<2xindex>
    %more = arith.addi %sum, %i : index
    memref.store %more, %m[%c0] : memref<2xindex>
    %count = memref.load %m[%c1] : memref<2xindex>
    %next = arith.addi %count, %c1 : index
    memref.store %next, %m[%c1] : memref<2xindex>
    scf.reduce
  }
  %sum = memref.load %m[%c0] : memref<2xindex>
  %count = memref.load %m[%c1] : memref<2xindex>
  return %sum, %count : index, index
}
"""


@pytest.mark.parametrize("options", ["", " no-min-max-bounds=true"])
@pytest.mark.parametrize("bounds", [(0, 10, 1), (0, 10, 2), (-3, 4, 1), (-7, 8, 3), (-9, -2, 2), (5, 0, 2), (0, 12, 1)])
def test_a_loop_in_tiles(bounds: tuple[int, int, int], options: str) -> None:
    lower, upper, step = bounds
    text = LOOP.replace("LOWER", str(lower)).replace("UPPER", str(upper)).replace("STEP", str(step))
    stdout = io.StringIO()
    tiles = f"--scf-parallel-loop-tiling=parallel-loop-tile-sizes=4{options}"
    assert main(["run", "-", "--json", "-e", "f", tiles, "--lower-to-llvm"], io.StringIO(text), stdout, stdout) == 0
    each = range(lower, upper, step)
    assert json.loads(stdout.getvalue())["results"] == [sum(each), len(each)]
