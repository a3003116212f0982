"""Maps of which some operands are known numbers.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.dialects.arith.elements import as_signed
from fathom.ir.affine import AffineBinary, AffineConstant, AffineDim, AffineExpr, AffineMap, AffineSymbol
from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.records import replace


class Undefined(Exception):
    """A division by a number that nothing is divided by: the value is poison. Never leaves the folds."""


def fold_map(map: AffineMap, constants: Sequence[Attribute | None]) -> AffineMap:
    """The map with numbers in the place of the results that follow from the operands that are known.

    The other results stay as they are.
    """
    return replace(map, results=tuple(_folded(result, map, constants) for result in map.results))


def _folded(expr: AffineExpr, map: AffineMap, constants: Sequence[Attribute | None]) -> AffineExpr:
    try:
        value = fold_expr(expr, map, constants)
    except Undefined:
        return expr
    return AffineConstant(value) if value is not None else expr


def fold_expr(expr: AffineExpr, map: AffineMap, constants: Sequence[Attribute | None]) -> int | None:
    """The value of a result of a map, where it follows from the operands that are known.

    Raises Undefined where a division has no value.
    """
    known = [constant.value if isinstance(constant, IntegerAttr) else None for constant in constants]
    known += [None] * (map.inputs - len(known))
    return _value(expr, known[: map.dims], known[map.dims :])


def _value(expr: AffineExpr, dims: Sequence[int | None], symbols: Sequence[int | None]) -> int | None:
    match expr:
        case AffineConstant(value):
            return value
        case AffineDim(position):
            return dims[position]
        case AffineSymbol(position):
            return symbols[position]
        case AffineBinary(kind, lhs, rhs):
            a = _value(lhs, dims, symbols)
            b = _value(rhs, dims, symbols) if a is not None else None
            return as_signed(_calculate(kind, a, b), 64) if a is not None and b is not None else None
        case _:
            return None


def _calculate(kind: str, a: int, b: int) -> int:
    if kind == "+":
        return a + b
    if kind == "*":
        return a * b
    if b == 0 or (kind == "mod" and b < 1):
        raise Undefined
    if kind == "mod":
        return a % b
    return a // b if kind == "floordiv" else -(-a // b)


def constants_of(map: AffineMap) -> list[int] | None:
    """The results of a map, if all are numbers."""
    values = [result.value for result in map.results if isinstance(result, AffineConstant)]
    return values if len(values) == len(map.results) else None
