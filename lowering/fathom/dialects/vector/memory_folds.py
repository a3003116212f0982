"""What accesses to memory and tensors fold to: what was written where they read; the buffer behind a cast; fewer
checks.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects.arith.elements import integer_value
from fathom.dialects.memref.common import fold_casts
from fathom.dialects.tensor.casts import fold_tensor_casts
from fathom.dialects.vector.common import numbers_of, rank, shaped, vector
from fathom.dialects.vector.extract_folds import IN_PLACE, elements_of
from fathom.dialects.vector.transfer_maps import is_minor_identity, map_of
from fathom.ir.affine import AffineConstant, AffineDim
from fathom.ir.attributes import FALSE, TRUE, ArrayAttr, Attribute, DenseArrayAttr, DenseElementsAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, I32, TensorType, VectorType
from fathom.irdl.folding import Folded
from fathom.rewriting.folding import constant_value

Constants = Sequence[Attribute | None]

READ: Final = "vector.transfer_read"
WRITE: Final = "vector.transfer_write"


# ---- what is known of a mask


def is_all(mask: Value) -> bool | None:
    """Whether every element of a mask is set (True), or none (False); None where that is not known."""
    op = mask.defining_op
    match op.name if op is not None else "":
        case "arith.constant":
            value = constant_value(mask)
            return value.values[0] != 0 if isinstance(value, DenseElementsAttr) and value.is_splat else None
        case "vector.constant_mask" if op is not None:
            sizes, type = numbers_of(op, "mask_dim_sizes"), vector(mask.type)
            shape = type.ranked_shape if type is not None else ()
            if all(size >= extent for size, extent in zip(sizes, shape, strict=False)):
                return True
            return None if any(size > 0 for size in sizes) else False
        case "vector.create_mask" if op is not None:
            sizes = [integer_value(constant_value(operand)) for operand in op.operands]
            return False if any(size is not None and size <= 0 for size in sizes) else None
        case _:
            return None


# ---- transfers


def in_bounds(op: Operation) -> list[bool]:
    """Which dimensions of a transfer stay in the bounds."""
    attribute = op.properties.get("in_bounds")
    return [each == TRUE for each in attribute.elements] if isinstance(attribute, ArrayAttr) else []


def transferred(op: Operation) -> VectorType | None:
    """The vector that is read or written."""
    return vector(op.result.type if op.name == READ else op.one_of("valueToStore").type)


def set_mask(op: Operation, mask: Value | None) -> None:
    """Gives a transfer a mask, or none."""
    without = len(op.operands) - len(op.all_of("mask"))
    op.set_operands([*op.operands[:without], *((mask,) if mask is not None else ())])
    sizes = op.properties["operandSegmentSizes"]
    assert isinstance(sizes, DenseArrayAttr), "a transfer has several groups of operands"
    op.properties["operandSegmentSizes"] = DenseArrayAttr(I32, (*sizes.values[:-1], int(mask is not None)))


def set_in_bounds(op: Operation, known: Sequence[bool]) -> None:
    op.properties["in_bounds"] = ArrayAttr(tuple(TRUE if each else FALSE for each in known))


def fold_read(op: Operation, constants: Constants) -> Folded:
    """What was written to a tensor where it is read; otherwise see `_simplify`."""
    written = _written(op)
    if written is not None:
        return [written]
    return IN_PLACE if _simplify(op) or fold_casts(op) is not None or fold_tensor_casts(op) else None


def fold_write(op: Operation, constants: Constants) -> Folded:
    """What was read from where it is written leaves a tensor as it was; otherwise see `_simplify`."""
    for rule in (_writes_all_that_was_read, _writes_back):
        tensor = rule(op)
        if tensor is not None:
            return [tensor]
    return IN_PLACE if _simplify(op) or fold_casts(op) is not None else None


def _simplify(op: Operation) -> bool:
    """Finds out which dimensions stay in the bounds, and leaves out a mask that lets everything through."""
    if _find_bounds(op):
        return True
    if op.all_of("mask") and is_all(op.one_of("mask")):
        set_mask(op, None)
        return True
    return False


def _find_bounds(op: Operation) -> bool:
    map, type, base = map_of(op), transferred(op), shaped(op.one_of("base").type)
    known = in_bounds(op)
    if map is None or type is None or base is None or not known or len(map.results) != len(known):
        return False
    found = list(known)
    kept: list[bool] = []
    for place, result in enumerate(map.results):
        if known[place]:
            continue
        if isinstance(result, AffineDim):
            size, index = base.ranked_shape[result.position], op.all_of("indices")[result.position]
            start = integer_value(constant_value(index))
            found[place] = size != DYNAMIC and start is not None and start + type.ranked_shape[place] <= size
            kept.append(found[place])
    if all(kept):
        found = [each or result == AffineConstant(0) for each, result in zip(found, map.results, strict=True)]
    if found == known:
        return False
    set_in_bounds(op, found)
    return True


def _written(op: Operation) -> Value | None:
    """What the last write before it, of those that may have written there, wrote where a tensor is read."""
    if not isinstance(op.one_of("base").type, TensorType):
        return None
    write = op.one_of("base").defining_op
    while write is not None and write.name == WRITE:
        if _is_same_place(write, op):
            return write.one_of("valueToStore")
        if not are_apart(write, op):
            return None
        write = write.one_of("base").defining_op
    return None


def _is_same_place(write: Operation, read: Operation) -> bool:
    if not all(in_bounds(write)) or write.all_of("indices") != read.all_of("indices"):
        return False
    same = transferred(write) == transferred(read) and map_of(write) == map_of(read)
    if not same:
        return False
    if not write.all_of("mask") and not read.all_of("mask"):
        return True
    return _is_padding_written(write, read)


def _is_padding_written(write: Operation, read: Operation) -> bool:
    """Whether what is read is the padding where it is masked out, and was written everywhere else."""
    if not read.all_of("mask") or (write.all_of("mask") and write.all_of("mask") != read.all_of("mask")):
        return False
    value, padding = constant_value(write.one_of("valueToStore")), constant_value(read.one_of("padding"))
    if not isinstance(value, DenseElementsAttr) or not value.is_splat or padding is None:
        return False
    return padding == elements_of(value.values, read.one_of("padding").type)


def are_apart(one: Operation, other: Operation) -> bool:
    """Whether two transfers of vectors of one type never touch the same element."""
    type, source = transferred(one), shaped(one.one_of("base").type)
    if type is None or source is None or type != transferred(other):
        return False
    lead = len(source.ranked_shape) - rank(type)
    for dim, (first, second) in enumerate(zip(one.all_of("indices"), other.all_of("indices"), strict=True)):
        a, b = integer_value(constant_value(first)), integer_value(constant_value(second))
        if a is None or b is None:
            continue
        if abs(a - b) >= (1 if dim < lead else type.ranked_shape[dim - lead]):
            return True
    return False


def _writes_all_that_was_read(op: Operation) -> Value | None:
    """The tensor of which all was read and is written, to whatever tensor of its type."""
    read, map = op.one_of("valueToStore").defining_op, map_of(op)
    base, type = op.one_of("base").type, transferred(op)
    if read is None or read.name != READ or not isinstance(base, TensorType) or type is None or not type.shape:
        return None
    source = map_of(read)
    if map is None or source is None or not is_minor_identity(map) or not is_minor_identity(source):
        return None
    if not all(in_bounds(read)) or not all(in_bounds(op)):
        return None
    if read.one_of("base").type != base or transferred(read) != type or type.shape != base.shape:
        return None
    indices = [*read.all_of("indices"), *op.all_of("indices")]
    return read.one_of("base") if all(integer_value(constant_value(each)) == 0 for each in indices) else None


def _writes_back(op: Operation) -> Value | None:
    """The tensor to which is written what was read there."""
    read = op.one_of("valueToStore").defining_op
    if read is None or read.name != READ or not isinstance(op.one_of("base").type, TensorType):
        return None
    is_same = (
        read.one_of("base") is op.one_of("base")
        and read.all_of("indices") == op.all_of("indices")
        and map_of(read) == map_of(op)
        and not read.all_of("mask")
        and not op.all_of("mask")
    )
    return read.one_of("base") if is_same else None


# ---- under a mask


def fold_mask(op: Operation, constants: Constants) -> Folded:
    """A mask around nothing, or one that lets everything through, is left out."""
    block = op.regions[0].first if op.regions else None
    if block is None or block.last is None or block.last.name != "vector.yield":
        return None
    last, masked = block.last, block.first
    if masked is last:
        return list(last.operands) if len(op.operands) == 1 and op.results else None
    if masked is None or not is_all(op.operands[0]) or op.parent is None:
        return None
    values = list(masked.results)
    last.drop_all_references()
    masked.unlink()
    op.parent.insert_before(masked, op)
    return values
