"""Masks, made of comparisons and constants.

Source of the rules: *'vector' Dialect*, `vector.create_mask` and `vector.constant_mask`, and what mlir-opt 22 makes of
them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import dense, splat_constant
from fathom.dialects.vector.common import flags, rank, vector_of, vector_type, without_first
from fathom.dialects.vector.memory_folds import set_in_bounds, set_mask
from fathom.dialects.vector.transfer_maps import in_bounds, transferred
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.property_values import numbers_of
from fathom.ir.types import I1, I32, I64, INDEX, IndexType, IntegerType, MemRefType, Type, VectorType
from fathom.ops import vector as ops
from fathom.ops.arith import ConstantOp, SelectOp
from fathom.passes.arithmetic import compare, constant, select
from fathom.passes.vectors.building import SCALABLE, broadcast, insert
from fathom.rewriting.allowance import too_many_elements, too_many_operations
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.pattern import Failure, Operations, Pattern, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

UNKNOWN: Final = Failure("it is not known what the mask lets through")


def _constant_mask(rewriter: Rewriter, sizes: Sequence[int], type: Type) -> Value:
    properties = {"mask_dim_sizes": DenseArrayAttr(I64, tuple(sizes))}
    return rewriter.create("vector.constant_mask", (), [type], properties).result


# ---- masks of several dimensions


def _rows_of_created(op: ops.CreateMaskOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Each row is the mask of the other dimensions where its number is less than the size, and nothing elsewhere."""
    type = vector_type(op.result)
    if rank(type) <= 1:
        return Failure("masks of one dimension are made of a comparison")
    if flags(type)[0]:
        return SCALABLE
    count = type.ranked_shape[0]
    if (refused := too_many_operations(op, 4 * count, 4 * prod(type.ranked_shape[:-1]))) is not None:
        return refused
    size, *others = op.operands
    row = without_first(type, 1)
    inside = rewriter.create("vector.create_mask", others, [row]).result
    outside = constant(rewriter, 0, row)
    made = constant(rewriter, 0, type)
    for number in range(count):
        is_inside = compare(rewriter, "slt", constant(rewriter, number), size)
        made = insert(rewriter, select(rewriter, is_inside, inside, outside), made, number)
    rewriter.replace(op, [made])
    return None


def _rows_of_constant(op: ops.ConstantMaskOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A constant in one dimension; in several, rows that are masks of the other dimensions."""
    type = vector_type(op.result)
    sizes = numbers_of(op.mask_dim_sizes)
    if rank(type) == 0:
        rewriter.replace(op, [constant(rewriter, int(sizes[0] == 1), type)])
        return None
    count, extent = sizes[0], type.ranked_shape[0]
    if rank(type) == 1:
        if count in (0, extent):
            rewriter.replace(op, [constant(rewriter, int(count != 0), type)])
        elif (refused := too_many_elements(op, extent)) is not None:
            return refused
        else:
            value = dense([1] * count + [0] * (extent - count), vector_of([extent], I1))
            rewriter.replace(op, [rewriter.constant(value, type)])
        return None
    if flags(type)[0]:
        return SCALABLE
    if (refused := too_many_operations(op, count, prod(sizes[:-1]))) is not None:
        return refused
    row = _constant_mask(rewriter, sizes[1:], without_first(type, 1))
    made = constant(rewriter, 0, type)
    for number in range(count):
        made = insert(rewriter, row, made, number)
    rewriter.replace(op, [made])
    return None


ROWS: Final = (
    Pattern("vector.create_mask", _rows_of_created, name="CreateMaskOpLowering"),
    Pattern("vector.constant_mask", _rows_of_constant, name="ConstantMaskOpLowering"),
)


# ---- masks as comparisons


def materializations(narrow: bool) -> list[Pattern]:
    """The patterns that make masks of comparisons, and those of transfers that may leave the bounds; with `narrow`,
    indices are taken to fit in 32 bits."""
    return [
        Pattern("vector.create_mask", _comparison(I32 if narrow else I64), name="VectorCreateMaskOpConversion"),
        Pattern("vector.transfer_read", mask_transfer, name="MaterializeTransferMask"),
        Pattern("vector.transfer_write", mask_transfer, name="MaterializeTransferMask"),
        Pattern("arith.select", _select_of_one, name="FoldI1Select"),
    ]


def _comparison(type: IntegerType) -> Callable[[Operation, Sequence[Value], Rewriter], Failure | None]:
    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        """
            %0 = vector.create_mask %n : vector<4xi1>
        ->
            %1 = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
            %2 = arith.index_cast %n : index to i32
            %3 = vector.broadcast %2 : i32 to vector<4xi32>
            %0 = arith.cmpi slt, %1, %3 : vector<4xi32>
        """
        mask = vector_type(op.result)
        if mask.scalable:
            return SCALABLE
        if rank(mask) > 1:
            return Failure("masks of several dimensions are taken apart")
        shape = mask.ranked_shape
        if (refused := too_many_elements(op, prod(shape))) is not None:
            return refused
        indices = vector_of(shape, type)
        steps = rewriter.constant(dense(range(shape[0] if shape else 1), indices), indices)
        bound = as_integer(rewriter, op.operands[0], type)
        rewriter.replace(op, [compare(rewriter, "slt", steps, broadcast(rewriter, bound, indices))])
        return None

    return rewrite


def as_integer(rewriter: Rewriter, value: Value, type: IntegerType) -> Value:
    """An index as an integer of another type; what is of that type already stays."""
    if value.type == type:
        return value
    if isinstance(value.type, IndexType):
        return rewriter.create("arith.index_cast", [value], [type]).result
    return value


def mask_transfer(
    op: ops.TransferReadOp | ops.TransferWriteOp, operands: Sequence[Value], rewriter: Rewriter
) -> Failure | None:
    """A transfer in one dimension that may leave the bounds gets a mask of what is inside."""
    type, indices = transferred(op), op.indices
    if all(in_bounds(op)) or rank(type) > 1 or not indices:
        return Failure("it stays in the bounds, or has several dimensions")
    base = op.base
    dialect = "memref" if isinstance(base.type, MemRefType) else "tensor"
    position = constant(rewriter, len(indices) - 1)
    size = create_or_fold(rewriter, f"{dialect}.dim", [base, position], INDEX)
    left = rewriter.create("arith.subi", [size, indices[-1]], [INDEX]).result
    mask = rewriter.create("vector.create_mask", [left], [VectorType(type.shape, I1, type.scalable)]).result
    if op.mask is not None:
        mask = rewriter.create("arith.andi", [mask, op.mask], [mask.type]).result

    def change() -> None:
        set_mask(op, mask)
        set_in_bounds(op, [True])

    rewriter.modify(op, change)
    return None


def _select_of_one(op: SelectOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The choice between a mask of one element that is set and one that is not is the condition."""
    type, (condition, true, false) = op.result.type, op.operands
    if not isinstance(type, VectorType) or type.element != I1 or type.shape != (1,) or type.scalable:
        return UNKNOWN
    if isinstance(condition.type, VectorType) or not _is_splat(true, 1) or not _is_splat(false, 0):
        return UNKNOWN
    rewriter.replace(op, [broadcast(rewriter, condition, vector_of([1], I1))])
    return None


CONSTANT: Final = Operations("arith.constant")


def _is_splat(value: Value, number: int) -> bool:
    return defined_by(value, ConstantOp) is not None and splat_constant(value) == number
