"""The canonicalisation of affine operations: maps composed with those that their operands come from, and minima and
maxima in one order.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.affine import index_patterns
from fathom.dialects.affine.composition import APPLY, MAX_LEAVES, canonicalize, compose
from fathom.dialects.affine.ranges import simplify_by_ranges
from fathom.dialects.scf.common import inline_only_block
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap, AffineSymbol, shift
from fathom.ir.affine_simplification import coefficients
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.operation import types_of
from fathom.ops import affine as ops
from fathom.records import replace
from fathom.rewriting.pattern import Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


Access: TypeAlias = "ops.LoadOp | ops.StoreOp | ops.PrefetchOp | ops.VectorLoadOp | ops.VectorStoreOp"
Mapped: TypeAlias = "ops.ApplyOp | ops.MinOp | ops.MaxOp | Access"


def composed(op: Mapped, rewriter: Rewriter) -> Replacement:
    """The map is composed with what its operands come from, and simplified by what is known of them."""
    before = op.map.map
    first = len(op.operands) - before.inputs
    others, applied = op.operands[:first], op.operands[first:]
    map, values = canonicalize(*compose(before, applied))
    map = simplify_by_ranges(map, values)
    if map == before and all(a is b for a, b in zip(applied, values, strict=False)):
        return None
    return rewriter.create(
        op.name, [*others, *values], types_of(op.results), {**op.properties, "map": AffineMapAttr(map)}
    )


# ---- affine.min, affine.max


def only_result(op: ops.MinOp | ops.MaxOp, rewriter: Rewriter) -> Replacement:
    """The least or greatest of one number is that."""
    if len(op.map.map.results) != 1:
        return None
    return rewriter.create(APPLY, op.operands, [op.result.type], {"map": op.map})


def _with_map(op: ops.MinOp | ops.MaxOp, map: AffineMap, operands: Sequence[Value], rewriter: Rewriter) -> Operation:
    return rewriter.create(op.name, operands, [op.result.type], {"map": AffineMapAttr(map)})


def without_repetition(op: ops.MinOp | ops.MaxOp, rewriter: Rewriter) -> Replacement:
    """Each number is looked at once."""
    map = op.map.map
    results = tuple(dict.fromkeys(map.results))
    if len(results) == len(map.results):
        return None
    return _with_map(op, replace(map, results=results), op.operands, rewriter)


def of_extremum(op: ops.MinOp | ops.MaxOp, rewriter: Rewriter) -> Replacement:
    """A minimum of minima is one minimum."""
    map, kind = op.map.map, ops.MinOp if isinstance(op, ops.MinOp) else ops.MaxOp
    dims, symbols = op.operands[: map.dims], op.operands[map.dims :]
    kept: list[AffineExpr] = []
    inner: list[ops.MinOp | ops.MaxOp] = []
    for result in map.results:
        values = dims if isinstance(result, AffineDim) else symbols
        is_value = isinstance(result, AffineDim | AffineSymbol)
        definer = defined_by(values[result.position], kind) if is_value else None
        if definer is not None:
            inner.append(definer)
        else:
            kept.append(result)
    if not inner or len(kept) + sum(len(extremum.map.map.results) for extremum in inner) > MAX_LEAVES:
        return None
    for extremum in inner:
        own = extremum.map.map
        kept += (shift(result, len(dims), len(symbols)) for result in own.results)
        dims = [*dims, *extremum.operands[: own.dims]]
        symbols = [*symbols, *extremum.operands[own.dims :]]
    return _with_map(op, AffineMap(len(dims), len(symbols), tuple(kept)), [*dims, *symbols], rewriter)


def in_order(op: ops.MinOp | ops.MaxOp, rewriter: Rewriter) -> Replacement:
    """The numbers stand in the order of their coefficients."""
    map = op.map.map
    rows: list[tuple[tuple[int, ...], AffineExpr]] = []
    for result in map.results:
        row = coefficients(result, map.dims, map.symbols)
        if row is None:
            return None
        rows.append((row, result))
    ordered = sorted(rows, key=lambda other: other[0])
    if ordered == rows:
        return None
    return _with_map(op, replace(map, results=tuple(result for _, result in ordered)), op.operands, rewriter)


# ---- affine.if


def without_empty_else(op: ops.IfOp, rewriter: Rewriter) -> Replacement:
    """A second region that does nothing goes."""
    block = op.elseRegion.first
    if block is None or op.results or block.first is not block.last:
        return None
    rewriter.modify(op, lambda: rewriter.erase_block(block))
    return op


def known_condition(op: ops.IfOp, rewriter: Rewriter) -> Replacement:
    """A condition that is `0 == 0` always holds, one that is `1 == 0` never."""
    match op.condition.set.constraints:
        case ((AffineConstant(0 | 1 as value), True),):
            region = op.elseRegion if value else op.thenRegion
        case _:
            return None
    if region.is_empty:
        return []
    return inline_only_block(rewriter, op, region)


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
    *(replacing(f"affine.{op}", composed, name=f"SimplifyAffineOp<Affine{name}Op>") for op, name in _COMPOSED.items()),
    *(
        replacing(root, rewrite, name=name)
        for root in ("affine.min", "affine.max")
        for name, rewrite in _EXTREMA.items()
    ),
    replacing("affine.if", without_empty_else, name="SimplifyDeadElse"),
    replacing("affine.if", known_condition, name="AlwaysTrueOrFalseIf"),
    *index_patterns.PATTERNS,
)
