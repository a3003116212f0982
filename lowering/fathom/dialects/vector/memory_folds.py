"""What accesses to memory and tensors fold to: what was written where they read; the buffer behind a cast; fewer
checks.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.dialects.arith.elements import splat_constant
from fathom.dialects.memref.common import fold_casts
from fathom.dialects.tensor.casts import fold_tensor_casts
from fathom.dialects.vector.common import rank, shaped_type, vector_type
from fathom.dialects.vector.extract_folds import IN_PLACE, elements_of
from fathom.dialects.vector.transfer_maps import Transfer, in_bounds, is_minor_identity, map_of, transferred
from fathom.ir.affine import AffineConstant, AffineDim
from fathom.ir.attributes import FALSE, TRUE, ArrayAttr, DenseArrayAttr, DenseElementsAttr
from fathom.ir.operation import Value
from fathom.ir.types import DYNAMIC, I32, TensorType
from fathom.irdl.folding import Constants, Folded
from fathom.ops.arith import ConstantOp
from fathom.ops.vector import ConstantMaskOp, CreateMaskOp, MaskOp, TransferReadOp, TransferWriteOp, YieldOp
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import defined_by

# ---- what is known of a mask


def is_all(mask: Value) -> bool | None:
    """Whether every element of a mask is set (True), or none (False); None where that is not known."""
    op = mask.defining_op
    if isinstance(op, ConstantOp):
        value = op.value
        return value.values[0] != 0 if isinstance(value, DenseElementsAttr) and value.is_splat else None
    if isinstance(op, ConstantMaskOp):
        sizes, shape = op.mask_dim_sizes.values, vector_type(mask).ranked_shape
        if all(size >= extent for size, extent in zip(sizes, shape, strict=False)):
            return True
        return None if any(size > 0 for size in sizes) else False
    known = [splat_constant(operand) for operand in op.operands] if isinstance(op, CreateMaskOp) else ()
    return False if any(size is not None and size <= 0 for size in known) else None


# ---- transfers


def set_mask(op: Transfer, mask: Value | None) -> None:
    """Gives a transfer a mask, or none."""
    without = len(op.operands) - (op.mask is not None)
    op.set_operands([*op.operands[:without], *((mask,) if mask is not None else ())])
    sizes = op.properties["operandSegmentSizes"]
    assert isinstance(sizes, DenseArrayAttr), "a transfer has several groups of operands"
    op.properties["operandSegmentSizes"] = DenseArrayAttr(I32, (*sizes.values[:-1], int(mask is not None)))


def set_in_bounds(op: Transfer, known: Sequence[bool]) -> None:
    op.properties["in_bounds"] = ArrayAttr(tuple(TRUE if is_known else FALSE for is_known in known))


def fold_read(op: TransferReadOp, constants: Constants) -> Folded:
    """What was written to a tensor where it is read; otherwise see `_simplify`."""
    if (written := _written(op)) is not None:
        return [written]
    return IN_PLACE if _simplify(op) or fold_casts(op) is not None or fold_tensor_casts(op) else None


def fold_write(op: TransferWriteOp, constants: Constants) -> Folded:
    """What was read from where it is written leaves a tensor as it was; otherwise see `_simplify`."""
    read = defined_by(op.valueToStore, TransferReadOp)
    if read is not None and isinstance(op.base.type, TensorType):
        if _reads_all_that_is_written(read, op) or _reads_same_place(read, op):
            return [read.base]
    return IN_PLACE if _simplify(op) or fold_casts(op) is not None else None


def _simplify(op: Transfer) -> bool:
    """Finds out which dimensions stay in the bounds, and leaves out a mask that lets everything through."""
    if _find_bounds(op):
        return True
    if op.mask is not None and is_all(op.mask):
        set_mask(op, None)
        return True
    return False


def _find_bounds(op: Transfer) -> bool:
    map, shape, base, known = map_of(op), transferred(op).ranked_shape, shaped_type(op.base), in_bounds(op)
    bounds = list(known)
    kept: list[bool] = []
    for place, result in enumerate(map.results):
        if not known[place] and isinstance(result, AffineDim):
            size, index = base.ranked_shape[result.position], op.indices[result.position]
            start = splat_constant(index)
            bounds[place] = size != DYNAMIC and start is not None and 0 <= start <= size - shape[place]
            kept.append(bounds[place])
    if all(kept):
        bounds = [is_in or result == AffineConstant(0) for is_in, result in zip(bounds, map.results, strict=True)]
    if bounds == known:
        return False
    set_in_bounds(op, bounds)
    return True


def _written(op: TransferReadOp) -> Value | None:
    """What the last write before it, of those that may have written there, wrote where a tensor is read."""
    write = defined_by(op.base, TransferWriteOp)
    while write is not None:
        if all(in_bounds(write)) and is_same_place(write, op) and _is_read_as_written(write, op):
            return write.valueToStore
        if not are_apart(write, op):
            return None
        write = defined_by(write.base, TransferWriteOp)
    return None


def is_same_place(one: Transfer, other: Transfer) -> bool:
    """Whether two transfers go over the same elements, but for their masks."""
    return one.indices == other.indices and transferred(one) == transferred(other) and map_of(one) == map_of(other)


def _is_read_as_written(write: TransferWriteOp, read: TransferReadOp) -> bool:
    """Whether there are no masks; or what is read is the padding where it is masked out, and was written everywhere
    else."""
    if write.mask is None and read.mask is None:
        return True
    if read.mask is None or (write.mask is not None and write.mask is not read.mask):
        return False
    value, padding = constant_value(write.valueToStore), constant_value(read.padding)
    if not isinstance(value, DenseElementsAttr) or not value.is_splat or padding is None:
        return False
    return padding == elements_of(value.values, read.padding.type)


def are_apart(one: Transfer, other: Transfer) -> bool:
    """Whether two transfers of vectors of one type never touch the same element."""
    type, source = transferred(one), shaped_type(one.base)
    if type != transferred(other):
        return False
    lead = len(source.ranked_shape) - rank(type)
    for dim, (first, second) in enumerate(zip(one.indices, other.indices, strict=True)):
        a, b = splat_constant(first), splat_constant(second)
        if a is None or b is None:
            continue
        if abs(a - b) >= (1 if dim < lead else type.ranked_shape[dim - lead]):
            return True
    return False


def _reads_all_that_is_written(read: TransferReadOp, write: TransferWriteOp) -> bool:
    """Whether all of a tensor is read and written, to whatever tensor of its type."""
    type, base = transferred(write), shaped_type(write.base)
    return (
        bool(type.shape)
        and all(is_minor_identity(map_of(op)) and all(in_bounds(op)) for op in (read, write))
        and (read.base.type, transferred(read), base.shape) == (base, type, type.shape)
        and all(splat_constant(index) == 0 for index in (*read.indices, *write.indices))
    )


def _reads_same_place(read: TransferReadOp, write: TransferWriteOp) -> bool:
    """Whether what is written was read there."""
    is_same = read.base is write.base and read.indices == write.indices and map_of(read) == map_of(write)
    return is_same and read.mask is None and write.mask is None


# ---- under a mask


def fold_mask(op: MaskOp, constants: Constants) -> Folded:
    """A mask around nothing, or one that lets everything through, is left out."""
    block = op.maskRegion.first
    if block is None or not isinstance(block.last, YieldOp):
        return None
    last, masked = block.last, block.first
    if masked is last:
        return list(last.operands) if op.passthru is None and op.results else None
    if masked is None or not is_all(op.mask) or op.parent is None:
        return None
    values = list(masked.results)
    last.drop_all_references()
    masked.unlink()
    op.parent.insert_before(masked, op)
    return values
