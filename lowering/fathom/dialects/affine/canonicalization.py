"""The canonicalisation of affine operations: maps composed with those that their operands come from, and minima and
maxima in one order.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine import index_patterns
from fathom.dialects.affine.composition import APPLY, MAX_LEAVES, canonicalize, compose
from fathom.dialects.affine.ranges import simplify_by_ranges
from fathom.dialects.affine.syntax import map_of
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap, AffineSymbol, shift
from fathom.ir.affine_simplification import coefficients
from fathom.ir.attributes import AffineMapAttr, IntegerSetAttr
from fathom.records import replace
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def composed(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The map is composed with what its operands come from, and simplified by what is known of them."""
    before = map_of(op)
    first = len(op.operands) - before.inputs
    others, applied = op.operands[:first], op.operands[first:]
    map, values = canonicalize(*compose(before, applied))
    map = simplify_by_ranges(map, values)
    if map == before and all(a is b for a, b in zip(applied, values, strict=False)):
        return NO_MATCH
    types = [result.type for result in op.results]
    rewriter.replace_with(op, op.name, [*others, *values], types, {**op.properties, "map": AffineMapAttr(map)})
    return None


# ---- affine.min, affine.max


def only_result(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The least or greatest of one number is that."""
    if len(map_of(op).results) != 1:
        return NO_MATCH
    rewriter.replace_with(op, APPLY, op.operands, [op.results[0].type], {"map": op.properties["map"]})
    return None


def _with_map(op: Operation, map: AffineMap, operands: Sequence[Value], rewriter: Rewriter) -> None:
    rewriter.replace_with(op, op.name, operands, [op.results[0].type], {"map": AffineMapAttr(map)})


def without_repetition(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Each number is looked at once."""
    map = map_of(op)
    results = tuple(dict.fromkeys(map.results))
    if len(results) == len(map.results):
        return NO_MATCH
    _with_map(op, replace(map, results=results), op.operands, rewriter)
    return None


def of_extremum(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A minimum of minima is one minimum."""
    map = map_of(op)
    dims, symbols = op.operands[: map.dims], op.operands[map.dims :]
    kept: list[AffineExpr] = []
    inner: list[Operation] = []
    for result in map.results:
        value = None
        if isinstance(result, AffineDim):
            value = dims[result.position]
        elif isinstance(result, AffineSymbol):
            value = symbols[result.position]
        definer = value.defining_op if value is not None else None
        if definer is not None and definer.name == op.name:
            inner.append(definer)
        else:
            kept.append(result)
    if not inner or len(kept) + sum(len(map_of(each).results) for each in inner) > MAX_LEAVES:
        return NO_MATCH
    for each in inner:
        own = map_of(each)
        kept += (shift(result, len(dims), len(symbols)) for result in own.results)
        dims = [*dims, *each.operands[: own.dims]]
        symbols = [*symbols, *each.operands[own.dims :]]
    _with_map(op, AffineMap(len(dims), len(symbols), tuple(kept)), [*dims, *symbols], rewriter)
    return None


def in_order(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The numbers stand in the order of their coefficients."""
    map = map_of(op)
    rows: list[tuple[tuple[int, ...], AffineExpr]] = []
    for result in map.results:
        row = coefficients(result, map.dims, map.symbols)
        if row is None:
            return NO_MATCH
        rows.append((row, result))
    ordered = sorted(rows, key=lambda each: each[0])
    if ordered == rows:
        return NO_MATCH
    _with_map(op, replace(map, results=tuple(result for _, result in ordered)), op.operands, rewriter)
    return None


# ---- affine.if


def without_empty_else(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A second region that does nothing goes."""
    block = op.regions[1].first
    if block is None or op.results or block.first is not block.last:
        return NO_MATCH
    rewriter.modify(op, lambda: rewriter.erase_block(block))
    return None


def known_condition(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A condition that is `0 == 0` always holds, one that is `1 == 0` never."""
    condition = op.attribute("condition")
    if not isinstance(condition, IntegerSetAttr):
        return NO_MATCH
    match condition.set.constraints:
        case ((AffineConstant(0 | 1 as value), True),):
            block = op.regions[value].last
        case _:
            return NO_MATCH
    if block is None:
        rewriter.erase(op)
        return None
    end = block.last
    if end is None or op.parent is None:
        return NO_MATCH
    rewriter.inline_block_before(block, op.parent, op)
    rewriter.replace(op, end.operands)
    rewriter.erase(end)
    return None


_EXTREMA: Final = {
    "CanonicalizeSingleResultAffineMinMaxOp": only_result,
    "DeduplicateAffineMinMaxExpressions": without_repetition,
    "MergeAffineMinMaxOp": of_extremum,
    "SimplifyAffineOp": composed,
    "CanonicalizeAffineMinMaxOpExprAndTermOrder": in_order,
}
_COMPOSED: Final = {
    "apply": "Apply",
    "load": "Load",
    "store": "Store",
    "prefetch": "Prefetch",
    "vector_load": "VectorLoad",
    "vector_store": "VectorStore",
}
"""What MLIR calls the operations by whose names the pattern can be left out."""

CANONICALIZATION: Final = (
    *(Pattern(f"affine.{op}", composed, name=f"SimplifyAffineOp<Affine{name}Op>") for op, name in _COMPOSED.items()),
    *(Pattern(root, rewrite, name=name) for root in ("affine.min", "affine.max") for name, rewrite in _EXTREMA.items()),
    Pattern("affine.if", without_empty_else, name="SimplifyDeadElse"),
    Pattern("affine.if", known_condition, name="AlwaysTrueOrFalseIf"),
    *index_patterns.PATTERNS,
)
