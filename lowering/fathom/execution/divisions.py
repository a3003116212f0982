"""What integer divisions are to pass when they run. MLIR's own checks at run time leave them out; a processor ends the
program without a word of where.

Source of the rules: *'arith' Dialect*: division by zero, and signed division that overflows, have no defined behaviour.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import width_of
from fathom.ir.attributes import IntegerAttr, i64_attr
from fathom.ir.types import I1, IndexType, IntegerType
from fathom.rewriting.folding import create_or_fold

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.runtime_checks import RuntimeCheck, RuntimeChecks

_NE: Final = i64_attr(1)


def check_unsigned(op: Operation, checks: RuntimeChecks) -> None:
    """The divisor is not zero. Divisions of vectors are not checked."""
    if isinstance(op.result.type, (IntegerType, IndexType)):
        _, divisor = op.operands
        checks.check(_differs(divisor, 0, checks), "division by zero")


def check_signed(op: Operation, checks: RuntimeChecks) -> None:
    """The divisor is not zero, nor -1 where the dividend is the lowest number there is."""
    check_unsigned(op, checks)
    type, (dividend, divisor) = op.result.type, op.operands
    if not isinstance(type, (IntegerType, IndexType)):
        return
    width = width_of(type)
    if width == 1:
        return
    not_lowest, not_minus_one = _differs(dividend, -(1 << (width - 1)), checks), _differs(divisor, -1, checks)
    fits = create_or_fold(checks.rewriter, "arith.ori", [not_lowest, not_minus_one], I1)
    checks.check(fits, "overflow: the lowest number is divided by -1")


def _differs(value: Value, number: int, checks: RuntimeChecks) -> Value:
    rewriter = checks.rewriter
    constant = rewriter.create("arith.constant", (), [value.type], {"value": IntegerAttr(number, value.type)}).result
    return create_or_fold(rewriter, "arith.cmpi", [value, constant], I1, {"predicate": _NE})


DIVISIONS: Final[Mapping[str, RuntimeCheck]] = {
    **{f"arith.{name}": check_unsigned for name in ("divui", "remui", "ceildivui")},
    **{f"arith.{name}": check_signed for name in ("divsi", "remsi", "ceildivsi", "floordivsi")},
    **{f"index.{name}": check_unsigned for name in ("divu", "remu", "ceildivu")},
    **{f"index.{name}": check_signed for name in ("divs", "rems", "ceildivs", "floordivs")},
    **{f"llvm.{name}": check_unsigned for name in ("udiv", "urem")},
    **{f"llvm.{name}": check_signed for name in ("sdiv", "srem")},
}
