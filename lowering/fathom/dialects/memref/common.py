"""What the operations on memrefs share: constraints, checks of counts, and the fold that looks through casts."""

from __future__ import annotations

from fathom.ir.attributes import IntegerAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, INDEX, MemRefType, Type
from fathom.irdl.folding import Constants, Folded
from fathom.irdl.verifying import Complaint


def memref(type: Type) -> MemRefType | None:
    """The type if it is a memref, ranked or not."""
    return type if isinstance(type, MemRefType) else None


def ranked(type: Type) -> MemRefType | None:
    """The type if it is a ranked memref."""
    return type if isinstance(type, MemRefType) and type.shape is not None else None


def rank_of(value: Value) -> int | None:
    type = ranked(value.type)
    return len(type.ranked_shape) if type is not None else None


def dynamic_sizes(type: MemRefType) -> int:
    """How many sizes the type leaves open."""
    return type.ranked_shape.count(DYNAMIC)


def index_attribute(value: int) -> IntegerAttr:
    return IntegerAttr(value, INDEX)


def check_dynamic_sizes(type: Type, given: int) -> Complaint:
    """Each dynamic size of the result needs an operand."""
    shaped = ranked(type)
    if shaped is None or dynamic_sizes(shaped) == given:
        return None
    return f"incorrect number of dynamic sizes, has {given}, expected {dynamic_sizes(shaped)}"


def fold_casts(op: Operation, constants: Constants = ()) -> Folded:
    """Lets operands that come from a `memref.cast` of a ranked memref use what was cast."""
    changed = False
    for index, operand in enumerate(op.operands):
        inner = uncast(operand)
        if inner is not None:
            op.set_operand(index, inner)
            changed = True
    return [] if changed else None


def uncast(value: Value) -> Value | None:
    """What a `memref.cast` had, if that has a rank."""
    cast = value.defining_op
    if cast is None or cast.name != "memref.cast" or ranked(cast.operands[0].type) is None:
        return None
    return cast.operands[0]


def knows_as_much(type: Type, other: Type) -> bool:
    """Whether the one memref states each size, stride and offset that the other states."""
    first, second = ranked(type), ranked(other)
    if first is None or second is None or first.element != second.element:
        return False
    one, two = strides_and_offset(first), strides_and_offset(second)
    if one is None or two is None or len(first.ranked_shape) != len(second.ranked_shape):
        return False
    pairs = zip((*first.ranked_shape, *one[0], one[1]), (*second.ranked_shape, *two[0], two[1]), strict=True)
    return all(mine != DYNAMIC or theirs == DYNAMIC for mine, theirs in pairs)
