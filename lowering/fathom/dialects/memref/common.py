"""What the operations on memrefs share: constraints, checks of counts, and the fold that looks through casts."""

from __future__ import annotations

from fathom.ir.operation import Operation, Value
from fathom.ir.strides import is_identity, strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType, Type
from fathom.irdl.checking import bare
from fathom.irdl.folding import Constants, Folded, use_instead
from fathom.irdl.verifying import Complaint
from fathom.ops.memref import CastOp
from fathom.rewriting.pattern import defined_by


def ranked(type: Type) -> MemRefType | None:
    """The type if it is a ranked memref."""
    return type if isinstance(type, MemRefType) and type.shape is not None else None


def type_of(value: Value) -> MemRefType:
    """The type of a value that is known to be a memref with a rank."""
    type = ranked(value.type)
    assert type is not None, "the constraints of the operation hold"
    return type


def rank_of(value: Value) -> int:
    """How many indices it takes to get at an element of a memref that has a rank."""
    return len(type_of(value).ranked_shape)


def dynamic_sizes(type: MemRefType) -> int:
    """How many sizes the type leaves open."""
    return type.ranked_shape.count(DYNAMIC)


def check_dynamic_sizes(type: MemRefType, given: int) -> Complaint:
    """Each dynamic size of the result needs an operand."""
    expected = dynamic_sizes(type)
    return f"incorrect number of dynamic sizes, has {given}, expected {expected}" if expected != given else None


def check_plain(type: MemRefType, noun: str) -> Complaint:
    """A type has no layout but the identity; `noun` is how MLIR calls it."""
    return None if is_identity(type) else bare(f"unsupported {noun} memref type '{type}'")


def check_alike(source: MemRefType, target: MemRefType, nouns: str, *, elements: bool = True) -> Complaint:
    """Two types of the same memory are of one memory space, and have the same elements. The nouns are what MLIR calls
    them: "base memref type '{}' and view memref type '{}'"."""
    if source.space != target.space:
        what = "memory spaces"
    elif elements and source.element != target.element:
        what = "element types"
    else:
        return None
    return bare(f"different {what} specified for {nouns.format(source, target)}")


def fold_casts(op: Operation, constants: Constants = ()) -> Folded:
    """Lets operands that come from a `memref.cast` of a ranked memref use what was cast."""
    return use_instead(op, uncast)


def uncast(value: Value) -> Value | None:
    """What a `memref.cast` had, if that has a rank."""
    cast = defined_by(value, CastOp)
    return cast.source if cast is not None and ranked(cast.source.type) is not None else None


def said_more(value: Value) -> Value | None:
    """What a `memref.cast` had, if its type says as much as that to which it was cast."""
    cast = defined_by(value, CastOp)
    return cast.source if cast is not None and knows_as_much(cast.source.type, value.type) else None


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
