"""Affine expressions over the values of a program: `%i + symbol(%n), 3 * %j`, as accesses and loops have.

A value is a dimension, or a symbol if it stands in `symbol(…)` where it is first met. Which values are the same is a
matter of their names, so reading gives trees of tokens, and only resolving them makes expressions.
Source of the rules: *Affine Dialect*, "Restrictions on Dimensions and Symbols"; the texts of errors are those of MLIR
22's parser.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias

from fathom.ir import affine
from fathom.ir.operation import Value
from fathom.ir.types import INDEX
from fathom.records import field, record

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, Ref, Resolver

MOST_OPERANDS: Final = 300
"""A longer or deeper expression is refused, since all that is done with expressions follows their nesting."""

HIGH: Final = ("*", "floordiv", "ceildiv", "mod")
LOW: Final = ("+", "-")


@record
class Use:
    """`%i`, or `symbol(%i)`."""

    token: Ref
    is_symbol: bool


@record
class Number:
    """`3`."""

    token: Ref


@record
class Negation:
    """`-%i`."""

    operand: Tree


@record
class Binary:
    """`%i + 3`; `at` is the operator."""

    operator: str
    lhs: Tree
    rhs: Tree
    at: Ref


Tree: TypeAlias = Use | Number | Negation | Binary


# ---- reading


def parse_affine_map_of_values(parser: OpParser, brackets: str = "[]") -> list[Tree]:
    """Reads `[%i + 1, %j]`."""
    parser.expect(brackets[0], f"expected '{brackets[0]}' in affine map")
    if parser.accept(brackets[1]):
        return []
    trees = [parse_affine_expr_of_values(parser)]
    while parser.accept(","):
        trees.append(parse_affine_expr_of_values(parser))
    parser.expect(brackets[1], f"expected '{brackets[1]}' in affine map")
    return trees


def parse_affine_expr_of_values(parser: OpParser) -> Tree:
    """Reads `%i + symbol(%n) * 2`."""
    return _Expression(parser).sum()


class _Expression:
    """Reads one expression, and counts what it consists of."""

    def __init__(self, parser: OpParser) -> None:
        self.parser = parser
        self.operands = 0

    def sum(self) -> Tree:
        left = self._product(after_operator=False)
        while operator := self._operator(LOW):
            at = self.parser.here() - 1
            left = Binary(operator, left, self._product(after_operator=True), at)
        return left

    def _product(self, *, after_operator: bool) -> Tree:
        left = self._operand(after_operator)
        while operator := self._operator(HIGH):
            at = self.parser.here() - 1
            left = Binary(operator, left, self._operand(True), at)
        return left

    def _operator(self, choices: Sequence[str]) -> str | None:
        return next((choice for choice in choices if self.parser.accept(choice)), None)

    def _operand(self, after_operator: bool) -> Tree:
        parser = self.parser
        self.operands += 1
        if self.operands > MOST_OPERANDS:
            parser.fail(f"an affine expression has at most {MOST_OPERANDS} operands")
        if parser.at_kind("value"):
            return Use(parser.value_use(), is_symbol=False)
        if parser.at_kind("integer"):
            return Number(parser.integer())
        if parser.accept("symbol"):
            parser.expect("(", "expected '(' at start of SSA symbol")
            token = parser.value_use("expected ssa identifier")
            parser.expect(")", "expected ')' at end of SSA symbol")
            return Use(token, is_symbol=True)
        if parser.accept("("):
            if parser.at(")"):
                parser.fail("no expression inside parentheses")
            tree = self.sum()
            parser.expect(")")
            return tree
        if parser.accept("-"):
            return Negation(self._operand(after_operator))
        if parser.at_kind("bare"):
            parser.fail("use of undeclared identifier")
        return self._fail_without_operand(after_operator)

    def _fail_without_operand(self, after_operator: bool) -> NoReturn:
        if after_operator:
            self.parser.fail("missing right operand of binary operator")
        missing = self.parser.at_any(LOW[:1] + HIGH[:1])
        self.parser.fail("missing left operand of binary operator" if missing else "expected affine expression")


# ---- resolving


@record(frozen=False)
class AffineValues:
    """The values that the expressions of one map have met so far, by their names."""

    resolver: Resolver
    dims: list[Ref] = field(default_factory=list["Ref"])
    symbols: list[Ref] = field(default_factory=list["Ref"])
    _known: dict[str, affine.AffineExpr] = field(default_factory=dict[str, affine.AffineExpr])

    def expression(self, tree: Tree) -> affine.AffineExpr:
        match tree:
            case Use(token, is_symbol):
                return self._use(token, is_symbol)
            case Number(token):
                return affine.AffineConstant(self._number(token))
            case Negation(operand):
                return affine.negate(self.expression(operand))
            case Binary(operator, lhs, rhs, at):
                return self._binary(operator, self.expression(lhs), self.expression(rhs), at)

    def _use(self, token: Ref, is_symbol: bool) -> affine.AffineExpr:
        name = self.resolver.text(token)
        known = self._known.get(name)
        if known is not None:
            self.resolver.operand(token, INDEX)  # It is no operand again, but a place where the name stands.
            return known
        group = self.symbols if is_symbol else self.dims
        made = affine.AffineSymbol(len(group)) if is_symbol else affine.AffineDim(len(group))
        group.append(token)
        self._known[name] = made
        return made

    def _number(self, token: Ref) -> int:
        digits = self.resolver.text(token)
        value = int(digits, 0 if digits.startswith("0x") else 10) if len(digits) < 20 else 2**63
        if value >= 2**63:
            self.resolver.fail("constant too large for index", token)
        return value

    def _binary(self, operator: str, lhs: affine.AffineExpr, rhs: affine.AffineExpr, at: Ref) -> affine.AffineExpr:
        if operator == "-":
            return affine.add(lhs, affine.negate(rhs))
        if operator == "*" and not affine.is_symbolic(lhs) and not affine.is_symbolic(rhs):
            what = "at least one of the multiply operands"
            self.resolver.fail(f"non-affine expression: {what} has to be either a constant or symbolic", at)
        if operator in HIGH[1:] and not affine.is_symbolic(rhs):
            what = f"right operand of {operator}"
            self.resolver.fail(f"non-affine expression: {what} has to be either a constant or symbolic", at)
        return affine.combine(operator, lhs, rhs)


def resolve_affine_map(resolver: Resolver, trees: Sequence[Tree]) -> tuple[affine.AffineMap, list[Ref]]:
    """The map that the expressions make, and the values it is applied to: dimensions first, then symbols."""
    values = AffineValues(resolver)
    results = tuple(values.expression(tree) for tree in trees)
    return affine.AffineMap(len(values.dims), len(values.symbols), results), [*values.dims, *values.symbols]


# ---- printing


def print_affine_map_of_values(map: affine.AffineMap, values: Sequence[Value], printer: OpPrinter) -> None:
    """Writes `%i + 1, %j`, without brackets."""
    names = _names_of(values[: map.dims], values[map.dims :], printer)
    printer.write(", ".join([affine.spell_expr(result, names) for result in map.results]))


def print_affine_expr_of_values(
    expr: affine.AffineExpr, dims: Sequence[Value], symbols: Sequence[Value], printer: OpPrinter
) -> None:
    """Writes `%i + symbol(%n) * 2`."""
    printer.write(affine.spell_expr(expr, _names_of(dims, symbols, printer)))


def _names_of(
    dims: Sequence[Value], symbols: Sequence[Value], printer: OpPrinter
) -> Callable[[affine.AffineDim | affine.AffineSymbol], str]:
    def name(expr: affine.AffineDim | affine.AffineSymbol) -> str:
        is_symbol = isinstance(expr, affine.AffineSymbol)
        group = symbols if is_symbol else dims
        # A map with more inputs than there are values is reported by the verifier.
        text = printer.spell_value(group[expr.position]) if expr.position < len(group) else "<<NULL VALUE>>"
        return f"symbol({text})" if is_symbol else text

    return name
