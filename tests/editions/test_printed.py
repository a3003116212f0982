"""Texts of older editions are printed as their own mlir-opt prints them."""

from __future__ import annotations

import subprocess

import pytest

from tests.conformance.asking import ask_fathom
from tests.oracles import require_program

TEXTS = {
    "a product of a transposed matrix": (
        "19",
        """\
func.func @f(%a: tensor<4x3xf32>, %b: tensor<4x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.matmul_transpose_a ins(%a, %b : tensor<4x3xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf32>)
    -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
""",
    ),
    "indices that today are no integers": (
        "19",
        "func.func @f(%a: index) -> index {\n  %0 = arith.addi %a, %a : index\n  return %0 : index\n}\n",
    ),
    "a pack of tensor, which linalg has today": (
        "19",
        """\
func.func @f(%a: tensor<16x16xf32>, %b: tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32> {
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %b : tensor<16x16xf32> -> tensor<2x2x8x8xf32>
  return %0 : tensor<2x2x8x8xf32>
}
""",
    ),
    "an encoding by keys": (
        "16",
        """\
#CSR = #sparse_tensor.encoding<{
  dimLevelType = [ "dense", "compressed-nu" ], dimOrdering = affine_map<(i,j) -> (j,i)>, pointerBitWidth = 64 }>
func.func private @f(tensor<?x?xf32, #CSR>)
""",
    ),
    "properties among the attributes": (
        "16",
        """\
func.func @f(%a: memref<?xf32>, %i: index) -> f32 {
  %0 = "memref.load"(%a, %i) : (memref<?xf32>, index) -> f32
  return %0 : f32
}
""",
    ),
}


WITH_MAPS = "a product of a transposed matrix"
"""In the generic form mlir-opt shows the maps of this besides, which it works out and keeps."""


@pytest.mark.parametrize(
    ("name", "generic"), [(name, form) for name in TEXTS for form in (False, True) if not form or name != WITH_MAPS]
)
def test_a_text_is_printed_as_its_own_tool_prints_it(name: str, generic: bool) -> None:
    edition, text = TEXTS[name]
    tool = require_program(f"mlir-opt-{edition}")
    options = ["--mlir-print-op-generic"] if generic else []
    expected = subprocess.run([tool, *options], input=text, capture_output=True, text=True, check=True).stdout
    asked = ask_fathom(["opt", f"--mlir={edition}", *options], text)
    assert (asked.stdout, asked.stderr) == (expected, "")


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_printed_is_read_again(name: str) -> None:
    edition, text = TEXTS[name]
    printed = ask_fathom(["opt", f"--mlir={edition}"], text).stdout
    assert printed and ask_fathom(["opt", f"--mlir={edition}"], printed).stdout == printed
