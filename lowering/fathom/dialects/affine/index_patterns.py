"""The canonicalisation of `affine.delinearize_index` and `affine.linearize_index`: the one undoes the other, and what
is one or zero drops out.

Source of the rules: mlir-opt 22. The basis of one may lack the size of the first index; where it is *padded*, None
stands for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.affine.composition import APPLY
from fathom.ir.affine import AffineConstant, AffineExpr, AffineMap, AffineSymbol, multiply
from fathom.ir.attributes import FALSE, AffineMapAttr, index_attr
from fathom.ir.operation import Operation, OpResult, Value
from fathom.ir.types import DYNAMIC, INDEX
from fathom.irdl.build import segment_sizes
from fathom.irdl.index_lists import mixed, separated
from fathom.ops.affine import DelinearizeIndexOp, LinearizeIndexOp
from fathom.records import record
from fathom.rewriting.folding import known_number
from fathom.rewriting.pattern import Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter

Size: TypeAlias = "int | Value"

Split: TypeAlias = "DelinearizeIndexOp | LinearizeIndexOp"

DELINEARIZE: Final = "affine.delinearize_index"
LINEARIZE: Final = "affine.linearize_index"


def basis(op: Split) -> list[Size]:
    return mixed(op.static_basis, op.dynamic_basis)


def padded(op: Split) -> list[Size | None]:
    """The basis, and None for the size of the first of several indices that has none."""
    sizes = basis(op)
    return [*([None] * (len(op.multi_index) - len(sizes))), *sizes]


def is_disjoint(op: LinearizeIndexOp) -> bool:
    return op.disjoint != FALSE


def number(size: Size | None) -> int | None:
    return known_number(size) if size is not None else None


def delinearize(rewriter: Rewriter, value: Value, sizes: Sequence[Size | None], *, outer: bool = True) -> Operation:
    """Takes an index apart. None in front of the sizes, or `outer` being false, leaves the first one open."""
    known = [size for size in sizes if size is not None]
    values, numbers = separated(known)
    count = len(known) + int(len(known) < len(sizes) or not outer)
    return rewriter.create(DELINEARIZE, [value, *values], [INDEX] * count, {"static_basis": numbers})


def linearize(
    rewriter: Rewriter, indices: Sequence[Value], sizes: Sequence[Size | None], like: LinearizeIndexOp
) -> Operation:
    """Puts indices together, disjoint ones if those of `like` are."""
    values, numbers = separated([size for size in sizes if size is not None])
    sizes_of_groups = segment_sizes(len(indices), len(values))
    properties = {"static_basis": numbers, "operandSegmentSizes": sizes_of_groups, "disjoint": like.disjoint}
    return rewriter.create(LINEARIZE, [*indices, *values], [INDEX], properties)


def _same(first: Size | None, second: Size | None) -> bool:
    return first is second if isinstance(first, Value) or isinstance(second, Value) else first == second


# ---- affine.delinearize_index


def undoes_linearization(op: DelinearizeIndexOp, rewriter: Rewriter) -> Replacement:
    """Where disjoint indices were put together by the same last sizes, those come out again."""
    source = _disjoint_source(op)
    if source is None:
        return None
    into, by, indices = basis(op), basis(source), source.multi_index
    count = 0
    for one, other in zip(reversed(by), reversed(into), strict=False):
        if not _same(one, other):
            break
        count += 1
    if not count:
        return None
    if count == len(by) == len(into) and len(indices) == len(op.results):
        return indices
    has_outer = len(into) == len(op.results)
    last = len(indices) - count
    with rewriter.standing_in(source):
        whole = linearize(rewriter, indices[:last], by[: len(by) - count], source).result
    rest = delinearize(rewriter, whole, into[: len(into) - count], outer=has_outer)
    return [*rest.results, *indices[last:]]


def _disjoint_source(op: DelinearizeIndexOp) -> LinearizeIndexOp | None:
    source = defined_by(op.linear_index, LinearizeIndexOp)
    return source if source is not None and is_disjoint(source) else None


def without_ones(op: DelinearizeIndexOp, rewriter: Rewriter) -> Replacement:
    """The part of size one is zero."""
    sizes = padded(op)
    kept = [size for size in sizes if number(size) != 1]
    if len(kept) == len(sizes):
        return None
    nothing = rewriter.constant(index_attr(0), INDEX)
    rest = iter(delinearize(rewriter, op.linear_index, kept).results) if kept else iter(())
    return [nothing if number(size) == 1 else next(rest) for size in sizes]


def splits_last_index(op: DelinearizeIndexOp, rewriter: Rewriter) -> Replacement:
    """Where the last sizes multiply to the last of the linearisation, they take apart just its last index."""
    source = _disjoint_source(op)
    if source is None or not source.static_basis.values:
        return None
    sizes, by = op.static_basis.values, source.static_basis.values
    count = next((n for n in range(1, len(sizes) + 1) if prod(sizes[-n:]) >= by[-1]), 0)
    last = sizes[len(sizes) - count :]
    if DYNAMIC in (by[-1], *last) or count < 2 or prod(last) != by[-1]:
        return None
    has_outer = len(sizes) == len(op.results)
    *indices, final = source.multi_index
    with rewriter.standing_in(source):
        whole = linearize(rewriter, indices, basis(source)[:-1], source).result
    first = delinearize(rewriter, whole, basis(op)[: len(sizes) - count], outer=has_outer)
    second = delinearize(rewriter, final, last)
    return [*first.results, *second.results]


# ---- affine.linearize_index


@record
class _Run:
    """Results of a delinearisation, from the one numbered `first` on, that stand together from `start` on."""

    op: DelinearizeIndexOp
    start: int
    first: int
    length: int


def undoes_delinearization(op: LinearizeIndexOp, rewriter: Rewriter) -> Replacement:
    """Indices that were taken apart by the same sizes need not be."""
    sizes, indices = padded(op), op.multi_index
    runs = _runs(op, indices, sizes)
    if not runs:
        return None
    values: list[Value] = []
    by: list[Size | None] = []
    replaced: list[tuple[Operation, Sequence[Value]]] = []
    end = 0
    for run in runs:
        values += indices[end : run.start]
        by += sizes[end : run.start]
        end = run.start + run.length
        with rewriter.elsewhere():
            rewriter.set_insertion_before(run.op)
            merged = sizes[run.start : end]
            size = _product(rewriter, merged)
            by.append(size)
            if run.length == len(run.op.results):
                values.append(run.op.linear_index)
                continue
            into = padded(run.op)
            into[run.first : run.first + run.length] = [size]
            with rewriter.standing_in(run.op):
                new = delinearize(rewriter, run.op.linear_index, into)
                apart = delinearize(rewriter, new.results[run.first], merged)
        values.append(new.results[run.first])
        results = [*new.results[: run.first], *apart.results, *new.results[run.first + 1 :]]
        replaced.append((run.op, results))
    values += indices[end:]
    by += sizes[end:]
    rewriter.replace(op, [linearize(rewriter, values, by, op).result])
    for old, results in replaced:
        rewriter.replace(old, results)
    return op


def _runs(op: LinearizeIndexOp, indices: Sequence[Value], sizes: Sequence[Size | None]) -> list[_Run]:
    """Each delinearisation counts once: what else there is of it is seen to when the operation is visited again."""
    runs: list[_Run] = []
    index = 0
    while index < len(indices):
        run = _run_at(op, indices, sizes, index)
        if run is None or run.length <= 1 or any(run.op is known.op for known in runs):
            index += 1
            continue
        runs.append(run)
        index += run.length
    return runs


def _run_at(op: LinearizeIndexOp, indices: Sequence[Value], sizes: Sequence[Size | None], start: int) -> _Run | None:
    value = indices[start]
    if not isinstance(value, OpResult) or not isinstance(value.op, DelinearizeIndexOp):
        return None
    source, first, into = value.op, value.index, padded(value.op)
    is_known = is_disjoint(op) and first == 0 and into[0] is None
    if not _same(into[first], sizes[start]) and not (start == 0 and first == 0) and not is_known:
        return None
    length = 1
    while start + length < len(indices) and first + length < len(source.results):
        same_value = indices[start + length] is source.results[first + length]
        if not same_value or not _same(sizes[start + length], into[first + length]):
            break
        length += 1
    return _Run(source, start, first, length)


def _product(rewriter: Rewriter, sizes: Sequence[Size | None]) -> Size | None:
    """The product of sizes; None where one is open."""
    values: list[Value] = []
    product: AffineExpr = AffineConstant(1)
    for size in sizes:
        if size is None:
            return None
        known = number(size)
        if known is None and isinstance(size, Value):
            product = multiply(product, AffineSymbol(len(values)))
            values.append(size)
        elif known is not None:
            product = multiply(product, AffineConstant(known))
    if isinstance(product, AffineConstant):
        return product.value
    map = AffineMap(0, len(values), (product,))
    return rewriter.create(APPLY, values, [INDEX], {"map": AffineMapAttr(map)}).result


def without_leading_zero(op: LinearizeIndexOp, rewriter: Rewriter) -> Replacement:
    """A first index that is zero adds nothing."""
    indices = op.multi_index
    if not indices or number(indices[0]) != 0:
        return None
    if len(indices) == 1:
        return indices
    return linearize(rewriter, indices[1:], padded(op)[1:], op).result


def without_units(op: LinearizeIndexOp, rewriter: Rewriter) -> Replacement:
    """An index of size one adds nothing, if it is known to be zero."""
    indices = op.multi_index
    pairs = list(zip(indices, padded(op), strict=True))
    kept = [(i, size) for i, size in pairs if number(size) != 1 or not (is_disjoint(op) or number(i) == 0)]
    if len(kept) == len(pairs):
        return None
    if not kept:
        return rewriter.constant(index_attr(0), INDEX)
    values, sizes = [value for value, _ in kept], [size for _, size in kept]
    return linearize(rewriter, values, sizes, op).result


PATTERNS: Final = (
    replacing(DELINEARIZE, undoes_linearization, name="CancelDelinearizeOfLinearizeDisjointExactTail"),
    replacing(DELINEARIZE, without_ones, name="DropUnitExtentBasis"),
    replacing(DELINEARIZE, splits_last_index, name="SplitDelinearizeSpanningLastLinearizeArg"),
    replacing(LINEARIZE, undoes_delinearization, name="CancelLinearizeOfDelinearizePortion"),
    replacing(LINEARIZE, without_leading_zero, name="DropLinearizeLeadingZero"),
    replacing(LINEARIZE, without_units, name="DropLinearizeUnitComponentsIfDisjointOrZero"),
)
