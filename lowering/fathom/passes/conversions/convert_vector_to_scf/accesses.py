"""What all ways to take a transfer apart have in common: its first dimension, where a part of it is in memory, and
whether that part is to be read or written at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import apply
from fathom.dialects.vector.common import rank
from fathom.dialects.vector.transfer_maps import Transfer, in_bounds, map_of, transferred
from fathom.ir.affine import AffineDim, AffineMap, add
from fathom.ir.types import INDEX, MemRefType, TensorType, VectorType
from fathom.passes.arithmetic import binary, compare, constant
from fathom.passes.buffers import choose
from fathom.passes.vectors.building import extract
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Value
    from fathom.passes.conversions.convert_vector_to_scf import ConvertVectorToSCFPass
    from fathom.rewriting.rewriter import Rewriter

NOT_ASKED_FOR: Final = Failure("transfers from and to tensors are lowered with lower-tensors")
SMALL: Final = Failure("it has no more dimensions than are asked for")
OTHER_ELEMENTS: Final = Failure("the elements of the vector are not those of the memory")

SUM: Final = add(AffineDim(0), AffineDim(1))


def is_of_tensor(op: Transfer) -> bool:
    """Whether a transfer reads or writes a tensor."""
    return isinstance(op.base.type, TensorType)


def to_take_apart(op: Transfer, use: ConvertVectorToSCFPass) -> VectorType | Failure:
    """The type of the vector of a transfer that has more dimensions than are asked for."""
    type, base, map = transferred(op), op.base.type, map_of(op)
    if not map.results or rank(type) <= use.target_rank:
        return SMALL
    if is_of_tensor(op) and not use.lower_tensors:
        return NOT_ASKED_FOR
    if not isinstance(base, MemRefType | TensorType) or base.element != type.element:
        return OTHER_ELEMENTS
    return type


def first_dimension(op: Transfer) -> int | None:
    """The dimension of the memory that is the first one of the vector; None where the same is read again and again."""
    map = map_of(op)
    first = map.results[0] if map.results else None
    return first.position if isinstance(first, AffineDim) else None


def without_first_result(op: Transfer) -> AffineMap:
    """The map of a part of a transfer."""
    map = map_of(op)
    return AffineMap(map.dims, 0, map.results[1:])


def indices_at(rewriter: Rewriter, op: Transfer, place: Value) -> list[Value]:
    """The indices of a part of a transfer, by its place in the first dimension."""
    indices, dim = list(op.indices), first_dimension(op)
    if dim is not None:
        indices[dim] = apply(rewriter, SUM, [indices[dim], place])
    return indices


def where_it_is(
    rewriter: Rewriter,
    op: Transfer,
    place: Value,
    inside: Callable[[], Sequence[Value]],
    outside: Callable[[], Sequence[Value]] = tuple,
) -> Sequence[Value]:
    """What `inside` gives for a place in the first dimension of a transfer. Where that may be outside of the bounds, or
    masked out by a mask of one dimension, it is only done if it is not; otherwise it is what `outside` gives."""
    dim, condition = first_dimension(op), None
    if dim is not None and not in_bounds(op)[0]:
        base = op.base
        dialect = "memref" if isinstance(base.type, MemRefType) else "tensor"
        size = create_or_fold(rewriter, f"{dialect}.dim", [base, constant(rewriter, dim)], INDEX)
        index = apply(rewriter, SUM, [op.indices[dim], place])
        condition = compare(rewriter, "sgt", size, index)
    if dim is not None and op.mask is not None and rank(op.mask.type) == 1:
        is_set = extract(rewriter, op.mask, place)
        condition = is_set if condition is None else binary(rewriter, "andi", condition, is_set)
    if condition is None:
        return inside()
    return choose(rewriter, condition, [inside, outside]).results
