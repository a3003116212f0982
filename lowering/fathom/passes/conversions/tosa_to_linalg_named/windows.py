"""What convolutions and pools have in common: padding, and sizes that are known at run time only.

Source of the rules: *TOSA specification*, "Tensor Operators", and the order of the operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.arith.elements import dense
from fathom.ir.types import DYNAMIC, I64, TensorType, VectorType
from fathom.passes.arithmetic import binary, constant
from fathom.passes.tensors import pad, shape_of, tensor_type
from fathom.records import record, replace

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


@record
class Window:
    """Along one dimension, how much is padded before and behind, and by how much the window moves and is spread."""

    before: int
    behind: int
    stride: int
    dilation: int


def windows(pads: Sequence[int], strides: Sequence[int], dilations: Sequence[int]) -> list[Window]:
    """One for each dimension that has one."""
    places = zip(pads[::2], pads[1::2], strides, dilations, strict=True)
    return [Window(*place) for place in places]


def as_tensor(numbers: Sequence[int]) -> Attribute:
    """Strides and dilations as convolutions have them."""
    return dense(numbers, TensorType((len(numbers),), I64))


def as_vector(numbers: Sequence[int]) -> Attribute:
    """Strides and dilations as pools have them."""
    return dense(numbers, VectorType((len(numbers),), I64))


def padded(rewriter: Rewriter, source: Value, pads: Sequence[int], value: int) -> Value:
    """An image with so much around it of a number, which is the pattern of a float; pads are those between the first
    dimension and the last."""
    if not any(pads):
        return source
    type = tensor_type(source)
    low, high = [0, *pads[::2], 0], [0, *pads[1::2], 0]
    shape = tuple(
        size if size == DYNAMIC else size + more + rest
        for size, more, rest in zip(type.ranked_shape, low, high, strict=True)
    )
    number = constant(rewriter, value, type.element)
    return pad(rewriter, source, replace(type, shape=shape), low, high, number)


def extent_of_result(rewriter: Rewriter, extent: Value, kernel: Value, window: Window) -> Value:
    """`(extent + before + behind - (dilation * (kernel - 1) + 1)) / stride + 1`."""
    one = constant(rewriter, 1)
    extent = binary(rewriter, "addi", extent, constant(rewriter, window.before))
    extent = binary(rewriter, "addi", extent, constant(rewriter, window.behind))
    less = binary(rewriter, "subi", kernel, one)
    reach = binary(rewriter, "addi", binary(rewriter, "muli", constant(rewriter, window.dilation), less), one)
    rest = binary(rewriter, "subi", extent, reach)
    return binary(rewriter, "addi", binary(rewriter, "divui", rest, constant(rewriter, window.stride)), one)


def rank_of(value: Value) -> int:
    return len(shape_of(value))
