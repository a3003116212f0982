"""Affine expressions, maps and integer sets, simplified as they are built, as MLIR does.

Source of the rules: *Affine Dialect*, "Affine Expressions" and "Affine Maps".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import gcd
from typing import TypeAlias

from fathom.cached import cached_property
from fathom.records import record


@record
class AffineExpr:
    """One of `AffineDim`, `AffineSymbol`, `AffineConstant`, `AffineBinary`."""


@record
class AffineDim(AffineExpr):
    """`d0`, a dimension by its position."""

    position: int


@record
class AffineSymbol(AffineExpr):
    """`s0`, a symbol by its position."""

    position: int


@record
class AffineConstant(AffineExpr):
    """`42`."""

    value: int


@record(slots=False)
class AffineBinary(AffineExpr):
    """`kind` is `+`, `*`, `floordiv`, `ceildiv` or `mod`. What is asked of all parts of an expression, whenever it is
    made a part of another, is found out once."""

    kind: str
    lhs: AffineExpr
    rhs: AffineExpr

    def __post_init__(self) -> None:
        self.__dict__["_hash"] = hash((self.kind, self.lhs, self.rhs))

    def __hash__(self) -> int:
        known: int = self.__dict__["_hash"]
        return known

    def __eq__(self, other: object) -> bool:
        pending: list[tuple[AffineExpr, object]] = [(self, other)]
        while pending:
            one, another = pending.pop()
            if one is another:
                continue
            if not isinstance(one, AffineBinary):
                if one != another:
                    return False
            elif not isinstance(another, AffineBinary) or one.kind != another.kind or hash(one) != hash(another):
                return False
            else:
                pending += ((one.lhs, another.lhs), (one.rhs, another.rhs))
        return True

    @cached_property
    def is_symbolic(self) -> bool:
        """Whether no dimension stands in it."""
        return is_symbolic(self.lhs) and is_symbolic(self.rhs)

    @cached_property
    def known_divisor(self) -> int:
        """The largest number that is known to divide the value; 0 where that is 0."""
        of_lhs = known_divisor(self.lhs)
        match self.kind, self.rhs:
            case "*", rhs:
                return of_lhs * known_divisor(rhs)
            case "+" | "mod", rhs:
                return gcd(of_lhs, known_divisor(rhs))
            case _, AffineConstant(divisor) if divisor:
                return of_lhs // abs(divisor) if of_lhs % divisor == 0 else 1
            case _:
                return 1


@record
class AffineMap:
    """`(d0, d1)[s0] -> (d0 + s0, d1)`."""

    dims: int
    symbols: int
    results: tuple[AffineExpr, ...]

    def __str__(self) -> str:
        return f"{_parameters(self.dims, self.symbols)} -> ({', '.join(map(spell_expr, self.results))})"

    @property
    def inputs(self) -> int:
        """How many values a map is applied to."""
        return self.dims + self.symbols

    @property
    def is_identity(self) -> bool:
        """Whether each result is the dimension in its place; symbols may be there and not be used."""
        return len(self.results) == self.dims and all(expr == AffineDim(i) for i, expr in enumerate(self.results))


def identity_map(rank: int) -> AffineMap:
    """`(d0, d1) -> (d0, d1)`."""
    return AffineMap(rank, 0, tuple(map(AffineDim, range(rank))))


@record
class IntegerSet:
    """`(d0) : (d0 - 1 >= 0, d0 == 0)`; each constraint is an expression and whether it is an equality."""

    dims: int
    symbols: int
    constraints: tuple[tuple[AffineExpr, bool], ...]

    @property
    def inputs(self) -> int:
        """How many values a set is asked about."""
        return self.dims + self.symbols

    def __str__(self) -> str:
        parts = (f"{spell_expr(expr)} {'==' if equal else '>='} 0" for expr, equal in self.constraints)
        return f"{_parameters(self.dims, self.symbols)} : ({', '.join(parts)})"


def _parameters(dims: int, symbols: int) -> str:
    text = f"({', '.join(f'd{i}' for i in range(dims))})"
    return text + (f"[{', '.join(f's{i}' for i in range(symbols))}]" if symbols else "")


Names: TypeAlias = "Callable[[AffineDim | AffineSymbol], str]"
"""How dimensions and symbols are called in a text."""


def letter_and_position(expr: AffineDim | AffineSymbol) -> str:
    """`d0`, `s0`: the names in maps and sets."""
    return f"d{expr.position}" if isinstance(expr, AffineDim) else f"s{expr.position}"


def spell_expr(expr: AffineExpr, names: Names = letter_and_position, *, tight: bool = False) -> str:
    """The text of an expression; `tight` puts a compound one in parentheses."""
    match expr:
        case AffineDim() | AffineSymbol():
            return names(expr)
        case AffineConstant(value):
            return str(value)
        case AffineBinary(kind, lhs, rhs):
            text = _spell_sum(lhs, rhs, names) if kind == "+" else _spell_product(kind, lhs, rhs, names)
            return f"({text})" if tight else text
        case _:
            raise TypeError(f"not an affine expression: {expr!r}")


def _spell_product(kind: str, lhs: AffineExpr, rhs: AffineExpr, names: Names) -> str:
    if kind == "*" and rhs == AffineConstant(-1):
        return f"-{spell_expr(lhs, names, tight=True)}"
    return f"{spell_expr(lhs, names, tight=True)} {kind} {spell_expr(rhs, names, tight=True)}"


def _spell_sum(lhs: AffineExpr, rhs: AffineExpr, names: Names) -> str:
    terms = [rhs]
    # A sum has as many terms as a type has dimensions, each a level deeper.
    while isinstance(lhs, AffineBinary) and lhs.kind == "+":
        terms.append(lhs.rhs)
        lhs = lhs.lhs
    return spell_expr(lhs, names) + "".join(_spell_term(term, names) for term in reversed(terms))


def _spell_term(term: AffineExpr, names: Names) -> str:
    match term:
        case AffineBinary("*", inner, AffineConstant(-1)):
            wrap = isinstance(inner, AffineBinary) and inner.kind == "+"
            return f" - {spell_expr(inner, names, tight=wrap)}"
        case AffineBinary("*", inner, AffineConstant(factor)) if factor < -1:
            return f" - {spell_expr(inner, names, tight=True)} * {-factor}"
        case AffineConstant(value) if value < 0:
            return f" - {-value}"
        case _:
            return f" + {spell_expr(term, names)}"


def add(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """The sum, simplified as MLIR simplifies while it makes expressions: constants last, terms merged."""
    return _simplified_sum(lhs, rhs) or AffineBinary("+", *_in_order(lhs, rhs))


def _simplified_sum(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr | None:
    """The sum, if it is more than both joined by `+`."""
    match lhs, rhs:
        case AffineConstant(a), AffineConstant(b):
            return AffineConstant(a + b)
        case AffineConstant(), _:
            return add(rhs, lhs)
        case _ if is_symbolic(lhs) and not is_symbolic(rhs):
            return add(rhs, lhs)
        case _, AffineConstant(0):
            return lhs
        case AffineBinary("+", inner, AffineConstant(a)), AffineConstant(b):
            return add(inner, AffineConstant(a + b))
        case _:
            pass
    a, x = _coefficient(lhs)
    b, y = _coefficient(rhs)
    if x == y:
        return multiply(x, AffineConstant(a + b))
    match lhs:
        case AffineBinary("+", inner, AffineConstant() as constant):
            return add(add(inner, rhs), constant)
        case _:
            return _remainder(lhs, rhs)


def _remainder(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr | None:
    """`x - (x floordiv c) * c` is `x mod c`, also where `x` is the last term of a sum."""
    match rhs:
        case AffineBinary("*", AffineBinary("*", AffineBinary("floordiv", dividend, c), factor), AffineConstant(-1)):
            return divide("mod", lhs, c) if dividend == lhs and factor == c else None
        case AffineBinary("*", AffineBinary("floordiv", dividend, divisor), factor):
            match divisor, factor:
                case AffineConstant(c), AffineConstant(negated) if c > 0 and negated == -c and dividend == lhs:
                    return divide("mod", lhs, divisor)
                case _:
                    pass
            match lhs:
                case AffineBinary("+", first, last):
                    simplified = _simplified_sum(last, rhs)
                    return add(first, simplified) if simplified is not None else None
                case _:
                    return None
        case _:
            return None


def _in_order(lhs: AffineExpr, rhs: AffineExpr) -> tuple[AffineExpr, AffineExpr]:
    """Two dimensions or symbols in their order, dimensions first; all else stays where it is."""
    match lhs, rhs:
        case (AffineDim(a), AffineDim(b)) | (AffineSymbol(a), AffineSymbol(b)):
            return (lhs, rhs) if a < b else (rhs, lhs)
        case AffineSymbol(), AffineDim():
            return rhs, lhs
        case _:
            return lhs, rhs


def _coefficient(expr: AffineExpr) -> tuple[int, AffineExpr]:
    match expr:
        case AffineBinary("*", inner, AffineConstant(factor)):
            return factor, inner
        case _:
            return 1, expr


def multiply(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """The product, simplified likewise: constants last and multiplied out."""
    match lhs, rhs:
        case AffineConstant(a), AffineConstant(b):
            return AffineConstant(a * b)
        case AffineConstant(), _:
            return multiply(rhs, lhs)
        case _ if not is_symbolic(rhs) and is_symbolic(lhs):
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
            return AffineBinary("*", *_in_order(lhs, rhs))


def is_symbolic(expr: AffineExpr) -> bool:
    """Whether no dimension stands in it."""
    match expr:
        case AffineDim():
            return False
        case AffineBinary():
            return expr.is_symbolic
        case _:
            return True


def negate(expr: AffineExpr) -> AffineExpr:
    return multiply(expr, AffineConstant(-1))


def divide(kind: str, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`floordiv`, `ceildiv` and `mod`; what has no value is kept as it is: division by 0, `mod` of what is below 1."""
    match lhs, rhs:
        case _, AffineConstant(b) if b == 0 or (kind == "mod" and b < 0):
            return AffineBinary(kind, lhs, rhs)
        case AffineConstant(a), AffineConstant(b):
            return AffineConstant({"floordiv": a // b, "ceildiv": -(-a // b), "mod": a % b}[kind])
        case _, AffineConstant(1):
            return AffineConstant(0) if kind == "mod" else lhs
        case _, AffineConstant(b):
            return (_mod(lhs, b) if kind == "mod" else _quotient(kind, lhs, b)) or AffineBinary(kind, lhs, rhs)
        case _:
            return AffineBinary(kind, lhs, rhs)


def _quotient(kind: str, lhs: AffineExpr, divisor: int) -> AffineExpr | None:
    match lhs:
        case AffineBinary("*", inner, AffineConstant(factor)) if factor % divisor == 0:
            return multiply(inner, AffineConstant(factor // divisor))
        case AffineBinary("+", x, y) if kind == "floordiv":
            if known_divisor(x) % divisor and known_divisor(y) % divisor:
                return None
            return add(divide(kind, x, AffineConstant(divisor)), divide(kind, y, AffineConstant(divisor)))
        case _:
            return None


def _mod(lhs: AffineExpr, divisor: int) -> AffineExpr | None:
    if known_divisor(lhs) % divisor == 0:
        return AffineConstant(0)
    match lhs:
        case AffineBinary("+", x, y) if known_divisor(x) % divisor == 0:
            return divide("mod", y, AffineConstant(divisor))
        case AffineBinary("+", x, y) if known_divisor(y) % divisor == 0:
            return divide("mod", x, AffineConstant(divisor))
        case AffineBinary("mod", x, AffineConstant(inner)) if inner >= 1 and inner % divisor == 0:
            return divide("mod", x, AffineConstant(divisor))
        case _:
            return None


def known_divisor(expr: AffineExpr) -> int:
    """The largest number that is known to divide the value; 0 for the constant 0."""
    match expr:
        case AffineConstant(value):
            return abs(value)
        case AffineBinary():
            return expr.known_divisor
        case _:
            return 1


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


def substitute(expr: AffineExpr, dims: Sequence[AffineExpr], symbols: Sequence[AffineExpr]) -> AffineExpr:
    """The expression with others in the place of its first dimensions and symbols, as many as there are; what changed
    is simplified anew."""
    return _substituted(expr, dims, symbols, {})


def _substituted(
    expr: AffineExpr, dims: Sequence[AffineExpr], symbols: Sequence[AffineExpr], known: dict[AffineExpr, AffineExpr]
) -> AffineExpr:
    """What is composed may hold the same part many times over: `known` is what became of parts."""
    match expr:
        case AffineDim(position):
            return dims[position] if position < len(dims) else expr
        case AffineSymbol(position):
            return symbols[position] if position < len(symbols) else expr
        case AffineBinary(kind, lhs, rhs):
            written = known.get(expr)
            if written is None:
                left, right = _substituted(lhs, dims, symbols, known), _substituted(rhs, dims, symbols, known)
                written = known[expr] = expr if left == lhs and right == rhs else combine(kind, left, right)
            return written
        case _:
            return expr


def exchange(expr: AffineExpr, table: Mapping[AffineExpr, AffineExpr]) -> AffineExpr:
    """The expression with others in the place of those in the table, wherever they stand in it."""
    new = table.get(expr)
    if new is not None or not isinstance(expr, AffineBinary):
        return new or expr
    left, right = exchange(expr.lhs, table), exchange(expr.rhs, table)
    return expr if left == expr.lhs and right == expr.rhs else combine(expr.kind, left, right)


def shift(expr: AffineExpr, dims: int, symbols: int) -> AffineExpr:
    """The expression with the positions of its dimensions and symbols that much higher."""
    match expr:
        case AffineDim(position):
            return AffineDim(position + dims)
        case AffineSymbol(position):
            return AffineSymbol(position + symbols)
        case AffineBinary(kind, lhs, rhs):
            return AffineBinary(kind, shift(lhs, dims, symbols), shift(rhs, dims, symbols))
        case _:
            return expr


def leaves(expr: AffineExpr) -> Iterator[AffineExpr]:
    """The dimensions, symbols and numbers of an expression, in order."""
    pending = [expr]
    while pending:
        inner = pending.pop()
        if isinstance(inner, AffineBinary):
            pending += (inner.rhs, inner.lhs)
        else:
            yield inner


def combine(kind: str, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """Two expressions joined by `+`, `*`, `floordiv`, `ceildiv` or `mod`."""
    if kind == "+":
        return add(lhs, rhs)
    return multiply(lhs, rhs) if kind == "*" else divide(kind, lhs, rhs)
