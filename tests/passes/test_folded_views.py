"""`fold-memref-alias-ops` keeps a vector's rows where they are; that of mlir-opt 22 takes them from elsewhere."""

from __future__ import annotations

import pytest

from fathom.ir.printer import print_module
from tests.passes.running import lower

STRIDED = "memref<4x9xf32, strided<[18, 1]>>"
VIEWS = {
    "strided": ("8x9xf32", f"memref.subview %m[0, 0] [4, 9] [2, 1] : memref<8x9xf32> to {STRIDED}", STRIDED),
    "corner": (
        "8x9xf32",
        "memref.subview %m[2, 3] [4, 4] [1, 1] : memref<8x9xf32> to memref<4x4xf32, strided<[9, 1], offset: 21>>",
        "memref<4x4xf32, strided<[9, 1], offset: 21>>",
    ),
    "expanded": (
        "8x9xf32",
        "memref.expand_shape %m [[0], [1, 2]] output_shape [8, 3, 3] : memref<8x9xf32> into memref<8x3x3xf32>",
        "memref<8x3x3xf32>",
    ),
    "collapsed": (
        "2x3x4xf32",
        "memref.collapse_shape %m [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>",
        "memref<6x4xf32>",
    ),
}


def check_folded(view: str, access: str, vector: str, *, is_folded: bool) -> None:
    """Whether an access of a vector looks through a view."""
    source, made, type = VIEWS[view]
    indices = ", ".join(["%i"] * (type.split("f32")[0].count("x")))
    text = f"""
    func.func @f(%m: memref<{source}>, %i: index, %z: f32) -> {vector} {{
      %v = {made}
      %r = {access.replace("%v", f"%v[{indices}]")} : {type}, {vector}
      return %r : {vector}
    }}
    """
    module, said = lower("fold-memref-alias-ops", text)
    assert not said
    assert (f": memref<{source}>, {vector}" in print_module(module)) == is_folded


@pytest.mark.parametrize(
    ("view", "vector", "is_folded"),
    [
        ("strided", "vector<2x3xf32>", False),
        ("strided", "vector<3xf32>", True),
        ("strided", "vector<1x3xf32>", True),
        ("corner", "vector<2x3xf32>", True),
        ("expanded", "vector<2x3xf32>", False),
        ("expanded", "vector<3xf32>", True),
        ("collapsed", "vector<2x4xf32>", False),
        ("collapsed", "vector<4xf32>", True),
    ],
)
def test_loads(view: str, vector: str, is_folded: bool) -> None:
    check_folded(view, "vector.load %v", vector, is_folded=is_folded)


@pytest.mark.parametrize(
    ("vector", "attributes", "is_folded"),
    [
        ("vector<4xf32>", "", False),
        ("vector<4xf32>", " {in_bounds = [true]}", True),
        ("vector<2x3xf32>", " {in_bounds = [true, true]}", False),
    ],
)
def test_transfers_out_of_an_expanded_shape(vector: str, attributes: str, is_folded: bool) -> None:
    check_folded("expanded", f"vector.transfer_read %v, %z{attributes}", vector, is_folded=is_folded)
