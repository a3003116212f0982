"""The last vector of a loop writes what its iterations write, and nothing behind them."""

from __future__ import annotations

import io
import json

import pytest

from fathom.cli import main
from fathom.ir.printer import print_module
from tests.passes.running import lower

LOOP = """
func.func @f(%m: memref<SIZExi32>) {
  affine.for %i = LOWER to UPPER {
    %0 = affine.load %m[%i] : memref<SIZExi32>
    %1 = arith.addi %0, %0 : i32
    affine.store %1, %m[%i] : memref<SIZExi32>
  }
  return
}
"""


@pytest.mark.parametrize(
    ("size", "lower_bound", "upper_bound", "is_made"),
    [(8, 0, 8, True), (8, 0, 6, False), (6, 0, 6, True), (8, 2, 6, True), (8, 1, 6, False), (9, 0, 8, True)],
)
def test_the_end_of_a_loop(size: int, lower_bound: int, upper_bound: int, is_made: bool) -> None:
    text = LOOP.replace("SIZE", str(size)).replace("LOWER", str(lower_bound)).replace("UPPER", str(upper_bound))
    module, said = lower("affine-super-vectorize", text, virtual_vector_size="4")
    assert not said
    assert ("vector.transfer_write" in print_module(module)) is is_made
    values = list(range(1, size + 1))
    command = ["run", "-", "--json", "-e", "f", "--args", str(values), "--show-arguments=all"]
    stdout = io.StringIO()
    passes = ["--affine-super-vectorize=virtual-vector-size=4", "--lower-to-llvm"]
    assert main([*command, *passes], io.StringIO(text), stdout, stdout) == 0, stdout.getvalue()
    doubled = [value * 2 if lower_bound <= at < upper_bound else value for at, value in enumerate(values)]
    assert json.loads(stdout.getvalue())["arguments"][0]["data"] == doubled
