"""Numbers from their trees: the literals of attributes, and the elements of dense ones.

Source of the rules: *Builtin Dialect*, "Attributes", and the parser of MLIR 22 for the wording of mistakes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.elaborate.failure import ElaborationFailure
from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.ir.floats import SEMANTICS, from_float
from fathom.syntax.nodes import Node
from fathom.text.digits import MOST_DECIMAL

if TYPE_CHECKING:
    from fathom.elaborate.parts import Parts, TextOf


_MOST_DIGITS: Final = 4000


def number_attribute(meanings: Parts, node: Node, text: TextOf | None, declared: t.Type | None) -> a.Attribute:
    """An integer or float literal of a type; without one, `i64` and `f64`."""
    if declared is None:
        declared = t.F64 if any(leaf.type == "FLOAT" for leaf in node.leaves) else t.I64
    if isinstance(declared, t.FloatType):
        return a.FloatAttr(float_bits(meanings, node, text, declared), declared)
    if not isinstance(declared, (t.IntegerType, t.IndexType)):
        is_float = any(leaf.type == "FLOAT" for leaf in node.leaves)
        kind = "floating point value" if is_float else "integer literal"
        raise ElaborationFailure(f"{kind} not valid for specified type", node.start)
    if any(leaf.type == "FLOAT" for leaf in node.leaves):
        raise ElaborationFailure("floating point value not valid for specified type", node.start)
    return a.IntegerAttr(integer_value(meanings, node, text, declared, " for attribute"), declared)


def integer_value(meanings: Parts, node: Node, text: TextOf | None, type_: t.Type, what: str) -> int:
    """The value of an integer literal; `what` ends the message where it is too large, or a zero with a sign."""
    words = [meanings.leaf(leaf, text) for leaf in node.leaves]
    place = node.leaves[-1].ref
    negative = words[0] == "-"
    digits = words[-1]
    value = None if len(digits) > _MOST_DIGITS else int(digits, 16) if digits.startswith("0x") else int(digits)
    if value is None or value.bit_length() > MOST_DECIMAL:
        raise ElaborationFailure(f"integer constant out of range{what}", place)
    if negative and getattr(type_, "signedness", "") == "u":
        raise ElaborationFailure("negative integer literal not valid for unsigned integer type", place)
    value = -value if negative else value
    low, high = limits(type_)
    if not low <= value <= high or (negative and not value):
        raise ElaborationFailure(f"integer constant out of range{what}", place)
    return wrap(value, type_)


def fits(literal: str, width: int) -> bool:
    """Whether an integer literal is a number of so many bits, one of which is its sign."""
    limit = 1 << (width - 1)
    return len(literal) < 100 and -limit <= int(literal, 16 if "0x" in literal else 10) < limit


def limits(type_: t.Type) -> tuple[int, int]:
    """The least and the greatest literal of an integer type; one without a sign takes those of both kinds."""
    width = 64 if isinstance(type_, t.IndexType) else getattr(type_, "width", 64)
    signedness = getattr(type_, "signedness", "")
    low = 0 if signedness == "u" else -(1 << (width - 1)) if width else 0
    is_signed = signedness == "s" or isinstance(type_, t.IndexType)
    return low, (1 << (width - 1)) - 1 if is_signed and width else (1 << width) - 1


def wrap(value: int, type_: t.Type) -> int:
    """A value in the form in which attributes hold it: signed, but for `i1` and unsigned types."""
    width = 64 if isinstance(type_, t.IndexType) else getattr(type_, "width", 64)
    value &= (1 << width) - 1
    signedness = getattr(type_, "signedness", "")
    if signedness == "u" or not width or (width == 1 and not signedness):
        return value
    return value - (1 << width) if value >> (width - 1) else value


def float_bits(meanings: Parts, node: Node, text: TextOf | None, type_: t.FloatType) -> int:
    if node.kind == "boolean":
        raise ElaborationFailure("expected floating point literal", node.start)
    words = [meanings.leaf(leaf, text) for leaf in node.leaves]
    negative = words[0] == "-"
    literal = words[-1]
    semantics = SEMANTICS[type_.name]
    if literal.startswith("0x"):
        if negative:
            raise ElaborationFailure("hexadecimal float literal should not have a leading minus", node.leaves[-1].ref)
        value = int(literal, 16)
        if value >> semantics.width:
            raise ElaborationFailure("hexadecimal float constant out of range for type", node.leaves[-1].ref)
        return value
    if "." not in literal:
        raise ElaborationFailure(
            "unexpected decimal integer literal for a floating point value",
            node.leaves[-1].ref,
            ("add a trailing dot to make the literal a float",),
        )
    value = float(literal)
    return from_float(-value if negative else value, type_.name)
