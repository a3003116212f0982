"""Affine maps and what they are applied to, composed with the maps that made it, and brought into the form that MLIR
gives them.

    %0 = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %1 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%0)[%c3]    ->    affine_map<(d0) -> (d0 * 2 + 3)>(%i)

Source of the rules: *Affine Dialect*, "Restrictions on Dimensions and Symbols"; the order of operands is that of MLIR
22.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.affine.scope import is_dim, is_symbol
from fathom.ir.affine import (
    AffineBinary,
    AffineConstant,
    AffineDim,
    AffineExpr,
    AffineMap,
    AffineSymbol,
    add,
    exchange,
    leaves,
    multiply,
    shift,
    substitute,
)
from fathom.ir.affine_simplification import simplify_map
from fathom.ir.attributes import AffineMapAttr, IntegerAttr
from fathom.ir.operation import OpResult, Value
from fathom.ir.types import DYNAMIC, INDEX
from fathom.irdl.build import create
from fathom.ops.affine import ApplyOp, DelinearizeIndexOp
from fathom.rewriting.folding import fold, integer_constant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation
    from fathom.rewriting.rewriter import Rewriter

APPLY: Final = "affine.apply"

MAX_LEAVES: Final = 128
MAX_REPEATED: Final = 64
"""How many dimensions, symbols and numbers a map may have after a step of composition; and where what is put in stands
in it more than once, so that it grows by a factor with each map. What composes to more stays as it is."""

Leaf: TypeAlias = "type[AffineDim | AffineSymbol]"

Applied = tuple[AffineMap, "list[Value]"]
"""A map, and the values that it is applied to."""


def apply(rewriter: Rewriter, expr: AffineExpr, operands: Sequence[Value | int]) -> Value:
    """The value of an expression of dimensions and symbols, which stand for the operands in order: the result of an
    `affine.apply` that is made at the insertion point."""
    return rewriter.insert(_application(rewriter, (expr,), operands)).result


def apply_folded(rewriter: Rewriter, expr: AffineExpr, operands: Sequence[Value | int]) -> Value | int:
    """As `apply`, but a number or an operand where the value is no more than that."""
    return _folded(rewriter, _application(rewriter, (expr,), operands))


def minimum_folded(
    rewriter: Rewriter, expressions: Sequence[AffineExpr], operands: Sequence[Value | int]
) -> Value | int:
    """As `apply_folded`, of the least of several expressions: an `affine.min`."""
    return _folded(rewriter, _application(rewriter, expressions, operands, "affine.min"))


def _folded(rewriter: Rewriter, op: Operation) -> Value | int:
    folded = fold(op)
    if folded:
        (result,) = folded
        if isinstance(result, IntegerAttr | Value):
            op.drop_all_references()
            return result if isinstance(result, Value) else result.value
    return rewriter.insert(op).result


def _application(
    rewriter: Rewriter, results: Sequence[AffineExpr], operands: Sequence[Value | int], name: str = APPLY
) -> Operation:
    """An `affine.apply` or the like that is composed, and stands in no block."""
    expressions = [leaf for result in results for leaf in leaves(result)]
    dims = max((expression.position + 1 for expression in expressions if isinstance(expression, AffineDim)), default=0)
    symbols = max(
        (expression.position + 1 for expression in expressions if isinstance(expression, AffineSymbol)), default=0
    )
    map, values = compose(*_renumbered(AffineMap(dims, symbols, tuple(results)), operands))
    op = create(rewriter.context, name, values, [INDEX], {"map": AffineMapAttr(map)}, span=rewriter.span)
    op.location = rewriter.location
    return op


def _renumbered(map: AffineMap, operands: Sequence[Value | int]) -> Applied:
    """The map with the numbers among its operands in the place of their dimensions and symbols, and one dimension or
    symbol for each value."""
    dims: dict[Value, int] = {}
    symbols: dict[Value, int] = {}
    replaced: list[AffineExpr] = []
    for index, operand in enumerate(operands[: map.inputs]):
        of, places = (AffineDim, dims) if index < map.dims else (AffineSymbol, symbols)
        is_number = isinstance(operand, int)
        replaced.append(AffineConstant(operand) if is_number else of(places.setdefault(operand, len(places))))
    replaced_symbols = replaced[map.dims :]
    return _substituted(map, replaced[: map.dims], replaced_symbols, len(dims), len(symbols)), [*dims, *symbols]


def _substituted(
    map: AffineMap, dims: Sequence[AffineExpr], symbols: Sequence[AffineExpr], new_dims: int, new_symbols: int
) -> AffineMap:
    is_same = all(isinstance(dim, AffineDim) and dim.position == place for place, dim in enumerate(dims)) and all(
        isinstance(symbol, AffineSymbol) and symbol.position == place for place, symbol in enumerate(symbols)
    )
    results = map.results if is_same else tuple(substitute(result, dims, symbols) for result in map.results)
    return AffineMap(new_dims, new_symbols, results)


# ---- composing


def compose(map: AffineMap, operands: Sequence[Value]) -> Applied:
    """The map composed with all `affine.apply` that its operands come from, canonical and simplified."""
    if map.results:
        map, operands = _composition(map, operands)
    map, values = canonicalize(map, operands)
    return simplify_map(map), values


def _composition(map: AffineMap, operands: Sequence[Value]) -> Applied:
    """Operands are replaced until nothing can be; what they are replaced by comes behind the others."""
    composing = _Composing(map, operands)
    while any(composing.replace(index) for index in range(len(composing.dims) + len(composing.symbols))):
        pass
    dims, symbols = composing.dims, composing.symbols
    composed = AffineMap(len(dims), len(symbols), tuple(composing.results))
    return _renumbered(composed, [0 if value is None else value for value in (*dims, *symbols)])


class _Composing:
    """A map in the midst of it. The place of an operand that was replaced is empty, so that no other one moves."""

    def __init__(self, map: AffineMap, operands: Sequence[Value]) -> None:
        self.results = list(map.results)
        self._leaves: Counter[AffineExpr] | None = None
        self.dims: list[Value | None] = [*operands[: map.dims]]
        self.symbols: list[Value | None] = [*operands[map.dims :]]

    def replace(self, index: int) -> bool:
        """Replaces an operand that comes from another map; whether it does."""
        is_of_dim = index < len(self.dims)
        position = index if is_of_dim else index - len(self.dims)
        group = self.dims if is_of_dim else self.symbols
        value = group[position]
        op = value.defining_op if value is not None else None
        if value is None or op is None:
            return False
        if isinstance(op, DelinearizeIndexOp):
            return self._undo_delinearization(op, value)
        if not isinstance(op, ApplyOp):
            return False
        map, values = canonicalize(op.map.map, op.operands)
        made = shift(map.results[0], len(self.dims), len(self.symbols))
        replaced = AffineDim(position) if is_of_dim else AffineSymbol(position)
        if self._grows_too_large(replaced, made):
            return False
        group[position] = None
        self.dims += values[: map.dims]
        self.symbols += values[map.dims :]
        self._exchange({replaced: made})
        return True

    def _grows_too_large(self, replaced: AffineExpr, made: AffineExpr) -> bool:
        if self._leaves is None:
            self._leaves = Counter(leaf for result in self.results for leaf in leaves(result))
        size = sum(1 for _ in leaves(made))
        count = self._leaves[replaced]
        return self._leaves.total() + count * (size - 1) > (MAX_LEAVES if count < 2 else MAX_REPEATED)

    def _exchange(self, table: dict[AffineExpr, AffineExpr]) -> None:
        self.results = [exchange(result, table) for result in self.results]
        self._leaves = None

    def _undo_delinearization(self, op: DelinearizeIndexOp, value: Value) -> bool:
        """Sums that put together again what was taken apart are what it was."""
        basis = op.static_basis.values
        if DYNAMIC in basis or value is not op.results[-1]:
            return False
        parts: list[AffineExpr | None] = [None] * len(op.results)
        for group, of in ((self.dims, AffineDim), (self.symbols, AffineSymbol)):
            for position, operand in enumerate(group):
                if isinstance(operand, OpResult) and operand.defining_op is op:
                    parts[operand.index] = of(position)
        expressions = [part for part in parts if part is not None]
        if len(expressions) != len(parts):
            return False
        of_dims = all(isinstance(part, AffineDim) for part in expressions)
        whole: AffineExpr = AffineDim(len(self.dims)) if of_dims else AffineSymbol(len(self.symbols))
        table: dict[AffineExpr, AffineExpr] = {}
        for result in self.results:
            _find_sums(result, _terms(expressions, basis), whole, table)
        if not table:
            return False
        (self.dims if of_dims else self.symbols).append(op.linear_index)
        self._exchange(table)
        used = {leaf for result in self.results for leaf in leaves(result)}
        for part in expressions:
            if part not in used:
                (self.dims if isinstance(part, AffineDim) else self.symbols)[_position(part)] = None
        return True


def _position(expr: AffineExpr) -> int:
    assert isinstance(expr, AffineDim | AffineSymbol), "an operand is a dimension or a symbol"
    return expr.position


def _terms(parts: Sequence[AffineExpr], basis: Sequence[int]) -> frozenset[AffineExpr]:
    """The terms of the sum that a delinearisation is undone by."""
    stride = 1
    expressions: set[AffineExpr] = set()
    for part, extent in zip(reversed(parts), reversed(basis), strict=False):
        expressions.add(multiply(part, AffineConstant(stride)))
        stride *= extent
    if len(parts) != len(basis):
        expressions.add(multiply(parts[0], AffineConstant(stride)))
    return frozenset(expressions)


def _find_sums(
    expr: AffineExpr, terms: frozenset[AffineExpr], whole: AffineExpr, table: dict[AffineExpr, AffineExpr]
) -> None:
    """Puts each sum that has all of the terms into the table, with the same sum of `whole` and its other terms."""
    if not isinstance(expr, AffineBinary):
        return
    if expr.kind != "+":
        _find_sums(expr.lhs, terms, whole, table)
        _find_sums(expr.rhs, terms, whole, table)
        return
    missing = set(terms)
    kept: list[AffineExpr] = []
    rest: AffineExpr = expr
    while True:
        is_sum = isinstance(rest, AffineBinary) and rest.kind == "+"
        term = rest.rhs if isinstance(rest, AffineBinary) and is_sum else rest
        if term in missing:
            missing.discard(term)
        else:
            kept.append(term)
            _find_sums(term, terms, whole, table)
        if not isinstance(rest, AffineBinary) or not is_sum:
            break
        rest = rest.lhs
    if missing:
        return
    expression = whole
    for term in reversed(kept):
        expression = add(expression, term)
    table.setdefault(expr, expression)


# ---- the form of a map and its operands


def canonicalize(map: AffineMap, operands: Sequence[Value]) -> Applied:
    """The map without operands that it does not use, uses twice or knows as numbers; what can be a symbol is one, and
    what cannot be one is a dimension."""
    if not operands:
        return map, []
    return _without_repetition(*_demoted(*_promoted(map, operands)))


def _promoted(map: AffineMap, operands: Sequence[Value]) -> Applied:
    """Dimensions that can be symbols become the last of these."""
    dims, symbols = operands[: map.dims], operands[map.dims :]
    replaced, kept, promoted = _parted(dims, is_symbol, AffineDim, AffineSymbol, len(symbols))
    map = _substituted(map, replaced, (), len(kept), len(symbols) + len(promoted))
    return map, [*kept, *symbols, *promoted]


def _demoted(map: AffineMap, operands: Sequence[Value]) -> Applied:
    """Symbols that can only be dimensions become the last of these."""
    dims, symbols = operands[: map.dims], operands[map.dims :]
    replaced, kept, demoted = _parted(symbols, _is_only_dim, AffineSymbol, AffineDim, map.dims)
    map = _substituted(map, (), replaced, map.dims + len(demoted), len(kept))
    return map, [*dims, *demoted, *kept]


def _is_only_dim(value: Value) -> bool:
    return is_dim(value) and not is_symbol(value)


def _parted(
    values: Sequence[Value], moves: Callable[[Value], bool], own: Leaf, other: Leaf, start: int
) -> tuple[list[AffineExpr], list[Value], list[Value]]:
    """What stands for values of which some move to the other side, behind `start` that are there; those that stay, and
    those that move."""
    kept: list[Value] = []
    moved: list[Value] = []
    replaced: list[AffineExpr] = []
    for value in values:
        moves_on = moves(value)
        replaced.append(other(start + len(moved)) if moves_on else own(len(kept)))
        (moved if moves_on else kept).append(value)
    return replaced, kept, moved


def _without_repetition(map: AffineMap, operands: Sequence[Value]) -> Applied:
    """Nothing is applied to what the map does not use, or to a symbol that is known."""
    used = {leaf for result in map.results for leaf in leaves(result)}
    kept: list[Value | int] = [value if AffineDim(i) in used else 0 for i, value in enumerate(operands[: map.dims])]
    for position, value in enumerate(operands[map.dims :]):
        number = integer_constant(value) if AffineSymbol(position) in used else 0
        kept.append(value if number is None else number)
    return _renumbered(map, kept)
