"""Affine expressions that have a symbol as a factor, divided by it.

Source of the rules: *Affine Dialect*, "Semi-affine Maps"; what is divided is what MLIR 22 divides.
"""

from __future__ import annotations

from fathom.ir.affine import AffineBinary, AffineConstant, AffineExpr, AffineSymbol, combine, multiply


def quotient_by_symbol(
    kind: str, written: AffineExpr, dividend: AffineExpr, divisor: AffineSymbol
) -> AffineExpr | None:
    """`floordiv`, `ceildiv` or `mod` of an expression by a symbol that is a factor of it; None where it is not, or not
    as far as can be told.

    `dividend` is what is divided, and `written` the same before it was simplified, which is what the factor is looked
    for in.
    """
    if not _is_divisible(written, divisor, kind):
        return None
    return AffineConstant(0) if kind == "mod" else _divided(dividend, divisor, kind)


def _is_divisible(expr: AffineExpr, by: AffineSymbol, kind: str, *, in_product: bool = False) -> bool:
    match expr:
        case AffineConstant(value):
            return value == 0
        case AffineSymbol():
            return expr == by
        case AffineBinary("+", lhs, rhs):
            return _is_divisible(lhs, by, kind) and _is_divisible(rhs, by, kind)
        case AffineBinary("mod", lhs, rhs):
            return _is_divisible(lhs, by, "mod") and _is_divisible(rhs, by, "mod")
        case AffineBinary("*", lhs, rhs):
            return _is_divisible(lhs, by, kind, in_product=True) or _is_divisible(rhs, by, kind, in_product=True)
        case AffineBinary(operator, lhs, _):
            # Two divisions that round the same way may change places; a factor between them is in the way.
            return operator == kind and not in_product and _is_divisible(lhs, by, kind)
        case _:
            return False


def _divided(expr: AffineExpr, by: AffineSymbol, kind: str) -> AffineExpr | None:
    """The quotient; None where there turns out to be none."""
    match expr:
        case AffineConstant(value):
            return None if value else expr
        case AffineSymbol():
            return AffineConstant(1)
        case AffineBinary("*", lhs, rhs):
            if _is_divisible(lhs, by, kind):
                quotient = _divided(lhs, by, kind)
                return multiply(quotient, rhs) if quotient is not None else None
            quotient = _divided(rhs, by, kind)
            return multiply(lhs, quotient) if quotient is not None else None
        case AffineBinary("+" | "mod" as operator, lhs, rhs):
            inner = "mod" if operator == "mod" else kind
            left, right = _divided(lhs, by, inner), _divided(rhs, by, inner)
            return combine(operator, left, right) if left is not None and right is not None else None
        case AffineBinary(operator, lhs, rhs):
            quotient = _divided(lhs, by, operator)
            return combine(operator, quotient, rhs) if quotient is not None else None
        case _:
            return None
