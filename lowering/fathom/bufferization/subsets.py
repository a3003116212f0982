"""Operations that write a part of a tensor, and such as take the same part out.

Source of the rules: `SubsetOpInterface` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.bufferization.value_bounds import are_same
from fathom.ir.affine import AffineBinary, AffineConstant, AffineDim, AffineSymbol
from fathom.ir.attributes import UNIT
from fathom.ir.types import MemRefType, TensorType, VectorType
from fathom.irdl.slices import mixed_list, mixed_lists
from fathom.ops.affine import ApplyOp
from fathom.ops.arith import AddiOp, SubiOp
from fathom.ops.bufferization import MaterializeInDestinationOp
from fathom.ops.tensor import ExtractSliceOp, InsertSliceOp, ParallelInsertSliceOp
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.records import record
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.slicing import sliced

if TYPE_CHECKING:
    from fathom.ir.affine import AffineExpr, AffineMap
    from fathom.ir.operation import Operation, OpResult, Value
    from fathom.rewriting.rewriter import Rewriter

    Same: TypeAlias = Callable[[Value, Value], bool]
    Number: TypeAlias = int | Value
    Slice: TypeAlias = tuple[Sequence[Number], Sequence[Number], Sequence[Number]]


@record
class Subset:
    """An insertion: the places of what is inserted and of the tensor that it goes into; whether a value is that part of
    an equivalent tensor, `is_equivalent(insertion, value, same)`; and how the part is taken out, `extract(insertion,
    rewriter)`, for which the `needed` values must be there. It is None where that cannot be."""

    source: int
    destination: int
    is_equivalent: Callable[[Operation, OpResult, Same], bool]
    extract: Callable[[Any, Rewriter], Value | None] = lambda insertion, rewriter: None
    needed: Callable[[Any], list[Value]] = lambda insertion: []


def slice_of(op: Operation) -> Slice | None:
    """The part of a tensor that an operation takes or writes, as offsets, sizes and strides."""
    if isinstance(op, (ExtractSliceOp, InsertSliceOp, ParallelInsertSliceOp)):
        return mixed_list(op, "offsets"), mixed_list(op, "sizes"), mixed_list(op, "strides")
    if isinstance(op, (TransferReadOp, TransferWriteOp)):
        return op.indices, _chunk(op, len(op.indices)), [1] * len(op.indices)
    return None


def _chunk(op: TransferReadOp | TransferWriteOp, rank: int) -> list[int]:
    """How many elements a transfer takes in each dimension of the tensor."""
    vector = op.result.type if isinstance(op, TransferReadOp) else op.valueToStore.type
    sizes = [1] * rank
    if isinstance(vector, VectorType):
        for expression, size in zip(op.permutation_map.map.results, vector.ranked_shape, strict=False):
            match expression:
                case AffineDim(position):
                    sizes[position] = size
                case _:
                    pass
    return sizes


def _container(op: Operation) -> Value | None:
    """The tensor of which an operation takes a part out."""
    return op.operands[0] if isinstance(op, (ExtractSliceOp, TransferReadOp)) else None


def _same_slice(insertion: Operation, value: OpResult, same: Same) -> bool:
    container = _container(value.op)
    if container is None or not same(insertion.operands[SUBSETS[insertion.name].destination], container):
        return False
    mine, other = slice_of(insertion), slice_of(value.op)
    return mine is not None and other is not None and are_equal(mine, other)


def are_equal(one: Slice, other: Slice) -> bool:
    """Whether two parts are known to be the same."""
    return all(
        len(left) == len(right) and all(map(are_same, left, right)) for left, right in zip(one, other, strict=True)
    )


def are_apart(one: Slice, other: Slice) -> bool:
    """Whether two parts are known to have nothing in common: in a dimension one ends before the other begins."""
    return any(
        _ends_before(*pair) or _ends_before(*reversed(pair))
        for pair in zip(zip(*one, strict=True), zip(*other, strict=True), strict=False)
    )


def _ends_before(one: tuple[Number, ...], other: tuple[Number, ...]) -> bool:
    offset, size, stride = one
    if not isinstance(stride, int):
        return False
    length = {value: count * stride for value, count in _sum_of(size).items()}
    between = _plus(_plus(_sum_of(offset), length, 1), _sum_of(other[0]), -1)
    return not {*between} - {None} and between.get(None, 0) <= 0


def _whole(insertion: Operation, value: OpResult, same: Same) -> bool:
    """All of a tensor is written."""
    return same(value, insertion.operands[SUBSETS[insertion.name].destination])


def _destination(insertion: Operation) -> list[Value]:
    return [insertion.operands[SUBSETS[insertion.name].destination]]


def _all_of_it(insertion: Operation, rewriter: Rewriter) -> Value:
    return insertion.operands[SUBSETS[insertion.name].destination]


def _materialized(insertion: MaterializeInDestinationOp, rewriter: Rewriter) -> Value | None:
    """The tensor; or a buffer as one, if nothing else is a tensor with that buffer."""
    if isinstance(insertion.dest.type, TensorType):
        return insertion.dest
    if "restrict" not in insertion.properties:
        return None
    type = insertion.dest.type
    assert isinstance(type, MemRefType), "it is a tensor or a memref"
    tensor = TensorType(type.shape, type.element)
    flags = {"restrict": UNIT, "writable": UNIT}
    del insertion.properties["restrict"]
    return rewriter.create("bufferization.to_tensor", [insertion.dest], [tensor], flags).result


def _slice_out(insertion: InsertSliceOp | ParallelInsertSliceOp, rewriter: Rewriter) -> Value:
    return sliced(rewriter, "tensor.extract_slice", insertion.dest, insertion.source.type, *mixed_lists(insertion))


def _needed_for_slice(insertion: InsertSliceOp | ParallelInsertSliceOp) -> list[Value]:
    return [*insertion.offsets, *insertion.sizes, *insertion.strides, insertion.dest]


SUBSETS: Final[Mapping[str, Subset]] = {
    "bufferization.materialize_in_destination": Subset(0, 1, _whole, _materialized, _destination),
    "linalg.copy": Subset(0, 1, _whole, _all_of_it, _destination),
    "tensor.insert_slice": Subset(0, 1, _same_slice, _slice_out, _needed_for_slice),
    "tensor.parallel_insert_slice": Subset(0, 1, _same_slice, _slice_out, _needed_for_slice),
    "vector.transfer_write": Subset(0, 1, _same_slice),
}


# ---- numbers


def _sum_of(number: Number) -> dict[Value | None, int]:
    """A number as a sum of values, each so many times; None stands for one."""
    if isinstance(number, int):
        return {None: number} if number else {}
    constant = integer_constant(number)
    if constant is not None:
        return {None: constant} if constant else {}
    op = number.defining_op
    if isinstance(op, (AddiOp, SubiOp)):
        return _plus(_sum_of(op.lhs), _sum_of(op.rhs), 1 if isinstance(op, AddiOp) else -1)
    if isinstance(op, ApplyOp):
        return _of_expression(op.map.map.results[0], op.map.map, op) or {number: 1}
    return {number: 1}


def _of_expression(expression: AffineExpr, map: AffineMap, op: Operation) -> dict[Value | None, int] | None:
    match expression:
        case AffineConstant(value):
            return {None: value} if value else {}
        case AffineDim(position):
            return _sum_of(op.operands[position])
        case AffineSymbol(position):
            return _sum_of(op.operands[map.dims + position])
        case AffineBinary("+", lhs, rhs):
            left, right = _of_expression(lhs, map, op), _of_expression(rhs, map, op)
            return _plus(left, right, 1) if left is not None and right is not None else None
        case AffineBinary("*", lhs, AffineConstant(factor)):
            left = _of_expression(lhs, map, op)
            return {base: count * factor for base, count in left.items() if factor} if left is not None else None
        case _:
            return None


def _plus(left: dict[Value | None, int], right: dict[Value | None, int], sign: int) -> dict[Value | None, int]:
    sums = {base: left.get(base, 0) + sign * right.get(base, 0) for base in {**left, **right}}
    return {base: count for base, count in sums.items() if count}


def is_number(number: Number, wanted: int) -> bool:
    """Whether a number is known to be this one."""
    return number == wanted if isinstance(number, int) else integer_constant(number) == wanted
