"""The sizes of an element-wise result, and operands brought to them where a size is known at run time only.

An operand of which a dimension is 1 counts as if it were repeated along it. Where types tell, a map of the loop does
that. Where they do not, the program looks whether the dimension is 1, unless no other operand can be longer.
Source of the rules: *TOSA specification*, "Broadcasting", and the order of the operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from fathom.ir.affine import AffineConstant, AffineDim, AffineMap, identity_map
from fathom.ir.types import DYNAMIC, INDEX
from fathom.passes.arithmetic import binary, compare, constant
from fathom.passes.buffers import choose
from fathom.passes.structured import generic
from fathom.passes.tensors import cast, empty_of, shape_of, tensor_type

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.result_shapes import Size
    from fathom.rewriting.rewriter import Rewriter

Target: TypeAlias = "tuple[Size, Value | None]"
"""The size of a dimension, and the operand that alone says it."""


class Indices:
    """Constants of one place in the program, each of which is made once."""

    def __init__(self, rewriter: Rewriter) -> None:
        self._rewriter = rewriter
        self._known: dict[int, Value] = {}

    def constant(self, number: int) -> Value:
        if number not in self._known:
            self._known[number] = constant(self._rewriter, number)
        return self._known[number]

    def dim(self, tensor: Value, dimension: int) -> Value:
        """`tensor.dim`."""
        return self._rewriter.create("tensor.dim", [tensor, self.constant(dimension)], [INDEX]).result

    def size(self, tensor: Value, dimension: int) -> Size:
        """The same, or the number that the type says."""
        known = shape_of(tensor)[dimension]
        return self.dim(tensor, dimension) if known == DYNAMIC else known


def target_shape(rewriter: Rewriter, indices: Indices, operands: Sequence[Value]) -> list[Target]:
    """What each dimension of the result is."""
    return [_target(rewriter, indices, operands, dimension) for dimension in range(len(shape_of(operands[0])))]


def _target(rewriter: Rewriter, indices: Indices, operands: Sequence[Value], dimension: int) -> Target:
    extents = [_extent(operand, dimension) for operand in operands]
    for operand, extent in zip(operands, extents, strict=True):
        if extent != DYNAMIC and extent > 1:
            return extent, operand
    open_ones = [operand for operand, extent in zip(operands, extents, strict=True) if extent == DYNAMIC]
    if not open_ones:
        return 1, operands[0]
    size = indices.dim(open_ones[0], dimension)
    for operand in open_ones[1:]:
        size = binary(rewriter, "maxui", size, indices.dim(operand, dimension))
    return size, open_ones[0] if len(open_ones) == 1 else None


def _extent(operand: Value, dimension: int) -> int:
    """The size of an operand along a dimension; a shift, or a zero point, has one only."""
    shape = shape_of(operand)
    return shape[dimension] if dimension < len(shape) else 1


def broadcast(
    rewriter: Rewriter, indices: Indices, operands: Sequence[Value], targets: Sequence[Target]
) -> list[Value]:
    """The operands, with what is 1 at run time repeated."""
    if len(operands) == 1 or all(DYNAMIC not in shape_of(operand) for operand in operands):
        return list(operands)
    broadcasted: list[Value] = []
    for operand in operands:
        for dimension, (size, master) in enumerate(targets):
            if _extent(operand, dimension) == DYNAMIC and operand is not master:
                operand = _broadcast_along(rewriter, indices, operand, dimension, size)
        broadcasted.append(operand)
    return broadcasted


def _broadcast_along(rewriter: Rewriter, indices: Indices, operand: Value, dimension: int, size: Size) -> Value:
    """The operand, repeated along a dimension if that is 1."""
    rank = len(shape_of(operand))
    one, actual = indices.constant(1), indices.dim(operand, dimension)
    is_one = compare(rewriter, "eq", actual, one)

    def repeat() -> Sequence[Value]:
        inner = Indices(rewriter)
        sizes = [size if index == dimension else inner.size(operand, index) for index in range(rank)]
        output = empty_of(rewriter, sizes, tensor_type(operand).element)
        places = (AffineConstant(0) if index == dimension else AffineDim(index) for index in range(rank))
        maps = [AffineMap(rank, 0, tuple(places)), identity_map(rank)]
        made = generic(rewriter, [operand], [output], maps, "p" * rank, lambda arguments: arguments[:1])
        return [cast(rewriter, made.result, operand.type)]

    return choose(rewriter, is_one, (repeat, lambda: [operand])).result
