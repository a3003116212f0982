"""The memref dialect: what its verifier says, and what its operations fold to."""

from __future__ import annotations

import pytest

from fathom.dialects.memref.views import dropped_dimensions
from fathom.elaborate import load
from fathom.ir.attributes import StridedLayoutAttr, index_attr
from fathom.ir.operation import Value
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, INDEX
from fathom.ops.memref import SubviewOp
from fathom.verify import verify

HEAD = (
    "func.func @f(%i: index, %m: memref<?x4xf32>, %s: memref<2x4xf32>, %u: memref<*xf32>, %z: memref<f32>, "
    "%st: memref<4x4xf32, strided<[8, 1], offset: ?>>, %v: f32, %b: memref<64xi8>) {\n"
)
TAIL = "\nreturn\n}\n"


def fold(text: str, name: str) -> list[object] | None:
    """What the fold of the first operation of this name gives; constants are those of `arith.constant` operands."""
    op = next(inner for inner in load(text).module.walk() if inner.name == name)
    constants = [
        operand.defining_op.properties["value"]
        if operand.defining_op is not None and operand.defining_op.name == "arith.constant"
        else None
        for operand in op.operands
    ]
    assert op.definition is not None
    assert op.definition.fold is not None
    folded = op.definition.fold(op, constants)
    return None if folded is None else list(folded)


def test_a_static_size_folds_to_a_number() -> None:
    text = f"{HEAD}%c = arith.constant 1 : index\n%0 = memref.dim %m, %c : memref<?x4xf32>{TAIL}"
    assert fold(text, "memref.dim") == [index_attr(4)]


def test_a_dynamic_size_folds_to_the_operand_of_the_allocation() -> None:
    text = (
        f"{HEAD}%c = arith.constant 1 : index\n%a = memref.alloc(%i) : memref<4x?xf32>\n"
        f"%0 = memref.dim %a, %c : memref<4x?xf32>{TAIL}"
    )
    (size,) = fold(text, "memref.dim") or [None]
    assert isinstance(size, Value)
    assert size.name_hint == "i" or size.type == INDEX


def test_a_size_out_of_bounds_does_not_fold() -> None:
    text = f"{HEAD}%c = arith.constant 5 : index\n%0 = memref.dim %m, %c : memref<?x4xf32>{TAIL}"
    assert fold(text, "memref.dim") is None


def test_a_rank_folds_to_a_number() -> None:
    assert fold(f"{HEAD}%0 = memref.rank %s : memref<2x4xf32>{TAIL}", "memref.rank") == [index_attr(2)]


def test_a_load_looks_through_a_cast() -> None:
    text = (
        f"{HEAD}%0 = memref.cast %s : memref<2x4xf32> to memref<?x?xf32>\n"
        f"%1 = memref.load %0[%i, %i] : memref<?x?xf32>{TAIL}"
    )
    assert fold(text, "memref.load") == []


def test_a_cast_of_an_unranked_memref_stays() -> None:
    text = (
        f"{HEAD}%0 = memref.cast %u : memref<*xf32> to memref<?x?xf32>\n"
        f"%1 = memref.load %0[%i, %i] : memref<?x?xf32>{TAIL}"
    )
    assert fold(text, "memref.load") is None


@pytest.mark.parametrize(
    ("layout", "strides", "offset"),
    [
        (None, (12, 4, 1), 0),
        (StridedLayoutAttr((1, 2, DYNAMIC), 3), (1, 2, DYNAMIC), 3),
        ("(d0, d1, d2) -> (d0 * 8 + d1 + 5)", (8, 1, 0), 5),
        ("(d0, d1, d2)[s0] -> (d2 * s0 + d1 + s0)", (0, 1, DYNAMIC), DYNAMIC),
    ],
)
def test_strides(layout: object, strides: tuple[int, ...], offset: int) -> None:
    spelt = "" if layout is None else f", affine_map<{layout}>" if isinstance(layout, str) else f", {layout}"
    module = load(f"func.func private @f(memref<2x3x4xf32{spelt}>)").module
    function = next(op for op in module.walk() if op.name == "func.func")
    type = function.properties["function_type"].type.inputs[0]  # type: ignore[attr-defined]
    assert strides_and_offset(type) == (strides, offset)


def test_a_product_of_dimensions_has_no_strides() -> None:
    module = load("func.func private @f(memref<2x3xf32, affine_map<(d0, d1) -> (d0 floordiv 2 + d1)>>)").module
    function = next(op for op in module.walk() if op.name == "func.func")
    type = function.properties["function_type"].type.inputs[0]  # type: ignore[attr-defined]
    assert strides_and_offset(type) is None


@pytest.mark.parametrize(("stride", "problems"), [(1, 0), (2, 1)])
def test_which_of_many_dimensions_of_size_one_a_subview_drops_is_found_soon(stride: int, problems: int) -> None:
    """There are more ways to choose twenty of forty than anybody could go through."""
    full, part = "1x" * 40, "1x" * 20
    numbers = [", ".join([digit] * 40) for digit in "011"]
    strides = ", ".join([str(stride)] * 20)
    view = f"memref.subview %a[{numbers[0]}] [{numbers[1]}] [{numbers[2]}]"
    text = f"func.func @f(%a: memref<{full}f32>) {{\n%0 = {view} : memref<{full}f32> to "
    module = load(f"{text}memref<{part}f32, strided<[{strides}]>>\nreturn\n}}\n").module
    assert len(verify(module)) == problems


@pytest.mark.parametrize(
    ("source", "numbers", "target", "dropped"),
    [
        ("1x16x16x32xf32", "[0, 0, 0, 0] [1, 4, 1, 4] [2, 3, 4, 5]", "1x4x4xf32, strided<[16384, 1536, 5]>", {2}),
        ("1x16x16x32xf32", "[0, 0, 0, 0] [1, 4, 1, 4] [2, 3, 4, 5]", "4x1x4xf32, strided<[1536, 128, 5]>", {0}),
        ("8x8x8xf32", "[0, 0, 0] [1, 1, 4] [1, 1, 1]", "1x4xf32, strided<[8, 1]>", {0}),
        ("8x8x8xf32", "[0, 0, 0] [1, 1, 4] [1, 1, 1]", "1x4xf32, strided<[64, 1]>", {1}),
        ("8x8x8xf32", "[0, 0, 0] [1, 1, 4] [8, 1, 1]", "4xf32, strided<[1]>", {0, 1}),
    ],
)
def test_which_dimensions_a_part_leaves_out(source: str, numbers: str, target: str, dropped: set[int]) -> None:
    line = f"%0 = memref.subview %m{numbers} : memref<{source}> to memref<{target}>"
    module = load(f"func.func @f(%m: memref<{source}>) {{\n{line}{TAIL}").module
    assert not verify(module)
    (op,) = (inner for inner in module.walk() if isinstance(inner, SubviewOp))
    assert dropped_dimensions(op) == dropped
