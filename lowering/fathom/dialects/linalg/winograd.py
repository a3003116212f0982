"""`linalg.softmax` and the transforms of Winograd's convolution, whose shapes follow from each other.

Source of the rules: *'linalg' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects.linalg.relayout import compatible
from fathom.dialects.linalg.structured import EFFECTS, shape_of
from fathom.ir.operation import Operation
from fathom.ir.types import DYNAMIC, element_type
from fathom.irdl.code import OpCode
from fathom.irdl.destinations import check_destinations
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import linalg as ops

SIZES: Final = ((2, 3), (4, 3), (2, 5))
"""For each kind of transform, how many results a tile has, and how big the filter is."""


def _sizes(
    op: ops.WinogradFilterTransformOp | ops.WinogradInputTransformOp | ops.WinogradOutputTransformOp,
) -> tuple[int, int]:
    return SIZES[op.fmr.value]


def _shapes(op: Operation) -> tuple[tuple[int, ...], tuple[int, ...]]:
    first, second = op.operands[:2]
    return shape_of(first.type), shape_of(second.type)


def _expect(expected: Sequence[int], found: Sequence[int]) -> Complaint:
    return None if compatible(expected, found) else "the output shape is not expected"


@verifies("linalg.winograd_filter_transform")
def _check_filter(op: ops.WinogradFilterTransformOp) -> Complaint:
    """Filters `F x H x W x C` become `alphaH x alphaW x C x F`."""
    m, r = _sizes(op)
    (filters, height, width, channels), output = _shapes(op)
    for what, size in (("height", height), ("width", width)):
        if size not in (r, 1):
            return f"expect filter {what} either equals to r or 1"
    if height == 1 and width == 1:
        return "expect either filter height or width equals to r"
    tile = m + r - 1
    return _expect((tile if height == r else 1, tile if width == r else 1, channels, filters), output)


@verifies("linalg.winograd_input_transform")
def _check_input(op: ops.WinogradInputTransformOp) -> Complaint:
    """Inputs `N x H x W x C` become `alphaH x alphaW x tileH x tileW x N x C`."""
    m, r = _sizes(op)
    (batch, height, width, channels), output = _shapes(op)
    alphas: list[int] = []
    tiles: list[int] = []
    for size, alpha in zip((height, width), output, strict=False):
        is_transformed = alpha != 1
        if size == DYNAMIC:
            alphas.append(m + r - 1)
            tiles.append(DYNAMIC)
        else:
            alphas.append(m + r - 1 if is_transformed else 1)
            # As C++ divides.
            tiles.append(int((size - (r - 1)) / m) if is_transformed else size)
    return _expect((*alphas, *tiles, batch, channels), output)


@verifies("linalg.winograd_output_transform")
def _check_output(op: ops.WinogradOutputTransformOp) -> Complaint:
    """Values `alphaH x alphaW x tileH x tileW x N x F` become `N x H x W x F`."""
    m, r = _sizes(op)
    (*alphas, tile_height, tile_width, batch, filters), output = _shapes(op)
    sizes: list[int] = []
    for what, alpha, tile in zip(("height", "width"), alphas, (tile_height, tile_width), strict=True):
        if DYNAMIC in (alpha, tile):
            sizes.append(DYNAMIC)
            continue
        is_transformed = alpha != 1
        if is_transformed and alpha != m + r - 1:
            return f"expect input {what} equals to input tile size"
        sizes.append((m if is_transformed else 1) * tile)
    return _expect((batch, *sizes, filters), output)


@verifies("linalg.softmax")
def _check_softmax(op: ops.SoftmaxOp) -> Complaint:
    source, target = op.input.type, op.output.type
    if element_type(source) != element_type(target):
        return "failed to verify that input and output have same element type"
    if not compatible(shape_of(source), shape_of(target)):
        return "incompatible output shape"
    return None if 0 <= op.dimension.value < len(shape_of(source)) else "incorrect dimension specified"


@verifies(
    "linalg.softmax",
    "linalg.winograd_filter_transform",
    "linalg.winograd_input_transform",
    "linalg.winograd_output_transform",
    regions=True,
)
def _check_destination(op: Operation) -> Complaint:
    return check_destinations(op, range(1, 2))


OPERATIONS: Final = {
    "softmax": OpCode(interfaces=(EFFECTS,)),
}
