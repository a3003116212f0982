"""What index's operations compute, of 64 bits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting import elementwise as each
from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.values import Datum, of_attribute
from fathom.irdl.cases import word_of

if TYPE_CHECKING:
    from fathom.ops.index import CmpOp, ConstantOp

_PREDICATES: Final = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def _constant(op: ConstantOp, _: list[Any], __: Frame) -> Datum:
    return of_attribute(op.value)


def _compare(op: CmpOp, operands: list[Any], _: Frame) -> Datum:
    return each.compared(op, _PREDICATES.index(word_of(op.pred)), operands)


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    "index.constant": _constant,
    "index.bool.constant": _constant,
    "index.cmp": _compare,
    "index.add": each.integers("add"),
    "index.sub": each.integers("sub"),
    "index.mul": each.integers("mul"),
    "index.divs": each.integers("divs"),
    "index.divu": each.integers("divu"),
    "index.ceildivs": each.integers("ceildivs"),
    "index.ceildivu": each.integers("ceildivu"),
    "index.floordivs": each.integers("floordivs"),
    "index.rems": each.integers("rems"),
    "index.remu": each.integers("remu"),
    "index.maxs": each.integers("maxs"),
    "index.maxu": each.integers("maxu"),
    "index.mins": each.integers("mins"),
    "index.minu": each.integers("minu"),
    "index.and": each.integers("and"),
    "index.or": each.integers("or"),
    "index.xor": each.integers("xor"),
    "index.shl": each.integers("shl"),
    "index.shrs": each.integers("shrs"),
    "index.shru": each.integers("shru"),
    "index.casts": each.resized(has_sign=True),
    "index.castu": each.resized(has_sign=False),
}
