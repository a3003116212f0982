"""The canonicalisation of comparisons between a converted integer and a constant: the integer itself is compared.

    arith.cmpf olt, (sitofp %n), 4.4      ->      arith.cmpi sle, %n, 4

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import scalar
from fathom.ir.attributes import FALSE, TRUE, FloatAttr, i64_attr
from fathom.ir.float_arithmetic import compare, to_integer
from fathom.ir.floats import SEMANTICS, from_integer, is_infinity, is_nan, is_negative, to_fraction
from fathom.ir.types import I1, IntegerType
from fathom.ops import arith as ops
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter

_RELATIONS: Final = {
    **dict.fromkeys((1, 8), "eq"),
    **dict.fromkeys((2, 9), "gt"),
    **dict.fromkeys((3, 10), "ge"),
    **dict.fromkeys((4, 11), "lt"),
    **dict.fromkeys((5, 12), "le"),
    **dict.fromkeys((6, 13), "ne"),
    7: "ord",
    14: "uno",
}
"""What the predicates of `arith.cmpf` say of numbers."""

_SIGNED: Final = {"eq": 0, "ne": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5}
_UNSIGNED: Final = {"eq": 0, "ne": 1, "lt": 6, "le": 7, "gt": 8, "ge": 9}
"""The predicates of `arith.cmpi`."""

_BETWEEN: Final = {"le": ("le", "lt"), "lt": ("le", "lt"), "gt": ("gt", "ge"), "ge": ("gt", "ge")}
"""How an integer is compared with a fraction that was rounded towards zero: where that is positive, and negative."""


def compare_integer(op: ops.CmpfOp, rewriter: Rewriter) -> Replacement:
    """Compares the integer before its conversion, or says what holds of all integers of its type."""
    constant = constant_value(op.rhs)
    signed, unsigned = defined_by(op.lhs, ops.SitofpOp), defined_by(op.lhs, ops.UitofpOp)
    conversion = signed or unsigned
    if not isinstance(constant, FloatAttr) or conversion is None:
        return None
    integer, bits, name = conversion.in_, constant.bits, constant.type.name
    relation = _RELATIONS.get(op.predicate.value)
    if not isinstance(integer.type, IntegerType) or relation is None or is_nan(bits, name):
        return None
    if _rounding_may_matter(integer.type.width, bits, name, signed=signed is not None):
        return None
    width, sign_bit = integer.type.width, int(signed is not None)
    least, greatest = -sign_bit << (width - 1), (1 << (width - sign_bit)) - 1
    known = _known(relation, bits, name, least, greatest)
    if known is not None:
        return rewriter.create("arith.constant", (), [I1], {"value": TRUE if known else FALSE})
    number = to_integer(bits, name)
    value = scalar(number, integer.type) if number is not None and least <= number <= greatest else None
    if number is None or value is None:
        return None
    if number != to_fraction(bits, name):
        relation = _BETWEEN[relation][is_negative(bits, name)]
    other = rewriter.constant(value, integer.type)
    meaning = i64_attr((_SIGNED if signed is not None else _UNSIGNED)[relation])
    return rewriter.create("arith.cmpi", [integer, other], [I1], {"predicate": meaning})


def _rounding_may_matter(width: int, bits: int, name: str, *, signed: bool) -> bool:
    """Whether integers of a width are rounded to floats around the constant, which more than one may become."""
    semantics = SEMANTICS[name]
    if width <= semantics.precision:
        return False
    if is_infinity(bits, name):
        # What has infinities has as many exponents above zero as its bias says.
        return semantics.bias < width - signed
    value = abs(to_fraction(bits, name))
    return 2**semantics.precision <= value < 2 ** (width - signed + 1)


def _known(relation: str, bits: int, name: str, least: int, greatest: int) -> bool | None:
    """What holds whatever the integer is, if anything does."""
    if relation in ("ord", "uno"):
        return relation == "ord"
    order = compare(from_integer(greatest, name), bits, name)
    if order is not None and order < 0:
        return relation in ("ne", "lt", "le")
    order = compare(from_integer(least, name), bits, name)
    if order is not None and order > 0:
        return relation in ("ne", "gt", "ge")
    if relation in ("eq", "ne") and to_fraction(bits, name).denominator != 1:
        return relation == "ne"
    return None


PATTERNS: Final = (replacing("arith.cmpf", compare_integer, name="CmpFIntToFPConst"),)
