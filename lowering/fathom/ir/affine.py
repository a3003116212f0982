"""Affine expressions, maps and integer sets, simplified as they are built, as MLIR does.

Source of the rules: *Affine Dialect*, "Affine Expressions" and "Affine Maps".
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AffineExpr:
    """One of `AffineDim`, `AffineSymbol`, `AffineConstant`, `AffineBinary`."""


@dataclass(frozen=True, slots=True)
class AffineDim(AffineExpr):
    position: int


@dataclass(frozen=True, slots=True)
class AffineSymbol(AffineExpr):
    position: int


@dataclass(frozen=True, slots=True)
class AffineConstant(AffineExpr):
    value: int


@dataclass(frozen=True, slots=True)
class AffineBinary(AffineExpr):
    """`kind` is `+`, `*`, `floordiv`, `ceildiv` or `mod`."""

    kind: str
    lhs: AffineExpr
    rhs: AffineExpr


@dataclass(frozen=True, slots=True)
class AffineMap:
    """`(d0, d1)[s0] -> (d0 + s0, d1)`."""

    dims: int
    symbols: int
    results: tuple[AffineExpr, ...]

    def __str__(self) -> str:
        return f"{_parameters(self.dims, self.symbols)} -> ({', '.join(map(spell_expr, self.results))})"

    @property
    def is_identity(self) -> bool:
        return (
            self.symbols == 0
            and len(self.results) == self.dims
            and all(expr == AffineDim(i) for i, expr in enumerate(self.results))
        )


@dataclass(frozen=True, slots=True)
class IntegerSet:
    """`(d0) : (d0 - 1 >= 0, d0 == 0)`; each constraint is an expression and whether it is an equality."""

    dims: int
    symbols: int
    constraints: tuple[tuple[AffineExpr, bool], ...]

    def __str__(self) -> str:
        parts = (f"{spell_expr(expr)} {'==' if equal else '>='} 0" for expr, equal in self.constraints)
        return f"{_parameters(self.dims, self.symbols)} : ({', '.join(parts)})"


def _parameters(dims: int, symbols: int) -> str:
    text = f"({', '.join(f'd{i}' for i in range(dims))})"
    return text + (f"[{', '.join(f's{i}' for i in range(symbols))}]" if symbols else "")


def spell_expr(expr: AffineExpr, *, tight: bool = False) -> str:
    """The text of an expression; `tight` puts a compound one in parentheses."""
    match expr:
        case AffineDim(position):
            return f"d{position}"
        case AffineSymbol(position):
            return f"s{position}"
        case AffineConstant(value):
            return str(value)
        case AffineBinary(kind, lhs, rhs):
            text = _spell_sum(lhs, rhs) if kind == "+" else _spell_product(kind, lhs, rhs)
            return f"({text})" if tight else text
        case _:
            raise TypeError(f"not an affine expression: {expr!r}")


def _spell_product(kind: str, lhs: AffineExpr, rhs: AffineExpr) -> str:
    if kind == "*" and rhs == AffineConstant(-1):
        return f"-{spell_expr(lhs, tight=True)}"
    return f"{spell_expr(lhs, tight=True)} {kind} {spell_expr(rhs, tight=True)}"


def _spell_sum(lhs: AffineExpr, rhs: AffineExpr) -> str:
    left = spell_expr(lhs)
    match rhs:
        case AffineBinary("*", inner, AffineConstant(-1)):
            wrap = isinstance(inner, AffineBinary) and inner.kind == "+"
            return f"{left} - {spell_expr(inner, tight=wrap)}"
        case AffineBinary("*", inner, AffineConstant(factor)) if factor < -1:
            return f"{left} - {spell_expr(inner, tight=True)} * {-factor}"
        case AffineConstant(value) if value < 0:
            return f"{left} - {-value}"
        case _:
            return f"{left} + {spell_expr(rhs)}"


def add(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    match lhs, rhs:
        case AffineConstant(a), AffineConstant(b):
            return AffineConstant(a + b)
        case AffineConstant(), _:
            return add(rhs, lhs)
        case _, AffineConstant(0):
            return lhs
        case AffineBinary("+", inner, AffineConstant(a)), AffineConstant(b):
            return add(inner, AffineConstant(a + b))
        case AffineBinary("+", inner, AffineConstant() as constant), _:
            return add(add(inner, rhs), constant)
        case _:
            return _merge_terms(lhs, rhs) or AffineBinary("+", lhs, rhs)


def _merge_terms(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr | None:
    """`x * a + x * b` is `x * (a + b)`, also where `x * a` is the last term of a longer sum."""
    first, rest = (lhs.rhs, lhs.lhs) if isinstance(lhs, AffineBinary) and lhs.kind == "+" else (lhs, None)
    a, x = _coefficient(first)
    b, y = _coefficient(rhs)
    if x != y:
        return None
    merged = multiply(x, AffineConstant(a + b))
    return merged if rest is None else add(rest, merged)


def _coefficient(expr: AffineExpr) -> tuple[int, AffineExpr]:
    match expr:
        case AffineBinary("*", inner, AffineConstant(factor)):
            return factor, inner
        case _:
            return 1, expr


def multiply(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    match lhs, rhs:
        case AffineConstant(a), AffineConstant(b):
            return AffineConstant(a * b)
        case AffineConstant(), _:
            return multiply(rhs, lhs)
        case _, AffineConstant(1):
            return lhs
        case _, AffineConstant(0):
            return AffineConstant(0)
        case AffineBinary("*", inner, AffineConstant(a)), AffineConstant(b):
            return multiply(inner, AffineConstant(a * b))
        case AffineBinary("*", inner, AffineConstant() as constant), _:
            return multiply(multiply(inner, rhs), constant)
        case _:
            return AffineBinary("*", lhs, rhs)


def negate(expr: AffineExpr) -> AffineExpr:
    return multiply(expr, AffineConstant(-1))


def divide(kind: str, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`floordiv`, `ceildiv` and `mod`; division by a constant below 1 is kept as it is, for the verifier to report."""
    match lhs, rhs:
        case _, AffineConstant(b) if b < 1:
            return AffineBinary(kind, lhs, rhs)
        case AffineConstant(a), AffineConstant(b):
            return AffineConstant({"floordiv": a // b, "ceildiv": -(-a // b), "mod": a % b}[kind])
        case _, AffineConstant(1):
            return AffineConstant(0) if kind == "mod" else lhs
        case AffineBinary("*", inner, AffineConstant(a)), AffineConstant(b) if a % b == 0:
            return AffineConstant(0) if kind == "mod" else multiply(inner, AffineConstant(a // b))
        case _:
            return AffineBinary(kind, lhs, rhs)


def evaluate(expr: AffineExpr, dims: tuple[int, ...], symbols: tuple[int, ...]) -> int:
    """The value at a point. A division by zero raises ZeroDivisionError."""
    match expr:
        case AffineDim(position):
            return dims[position]
        case AffineSymbol(position):
            return symbols[position]
        case AffineConstant(value):
            return value
        case AffineBinary(kind, lhs, rhs):
            a, b = evaluate(lhs, dims, symbols), evaluate(rhs, dims, symbols)
            if kind == "+":
                return a + b
            if kind == "*":
                return a * b
            if kind == "mod":
                return a % b
            return a // b if kind == "floordiv" else -(-a // b)
        case _:
            raise TypeError(f"not an affine expression: {expr!r}")
