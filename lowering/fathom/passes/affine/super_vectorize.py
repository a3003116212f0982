"""The loops of a function that are made vectors of.

Source of the rules: `SuperVectorize.cpp` of MLIR 22.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.ir.traversal import ancestors
from fathom.ops.affine import ForOp
from fathom.passes.affine.effort import explained
from fathom.passes.affine.parallelism import Reduction, is_parallel, reductions
from fathom.passes.affine.reasons import why_no_vectors
from fathom.passes.affine.vectorizable import has_vectorizable_body, moves_along
from fathom.passes.affine.vectorization import Plan, vectorize
from fathom.records import record
from fathom.rewriting.observers import explaining
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

MOST: Final = 3
"""Vectors have at most so many dimensions."""


@record(eq=False)
class Match:
    """A loop that is a dimension of vectors, and those in it that are the next."""

    loop: ForOp
    inner: list[Match]


def super_vectorize(
    function: Operation, context: Context, sizes: tuple[int, ...], fastest: Sequence[int], *, reduces: bool
) -> list[Diagnostic]:
    """Makes vectors of `sizes` of loops whose iterations may run in any order. `fastest` are the dimensions of memrefs
    that loops are to move along, counted from the last; any, if there is none."""
    if not 1 <= len(sizes) <= MOST:
        return []
    parallel: set[Operation] = set()
    reducing: dict[Operation, Sequence[Reduction]] = {}
    for op in function.walk_postorder():
        if isinstance(op, ForOp) and is_parallel(op, but_reductions=reduces):
            parallel.add(op)
            if op.inits:
                reducing[op] = reductions(op)
    watch = explaining()
    if watch is not None:
        for op in function.walk():
            if isinstance(op, ForOp):
                why = explained(watch, partial(why_no_vectors, op, but_reductions=reduces))
                watch.left(op, "vectorize", why or f"there are not {len(sizes)} such loops in one another")
    matching = _Matching(parallel, [*fastest] or [-1] * len(sizes))
    rewriter = Rewriter(context)
    for bucket in _buckets(matching.matches(function, 0)):
        for match in bucket:
            dims: dict[Operation, int] = {}
            _number(match, 0, dims)
            if not has_vectorizable_body(match.loop):
                continue
            refusal = vectorize(match.loop, Plan(sizes, dims, reducing), rewriter)
            if refusal is None:
                break
            if watch is not None:
                watch.left(match.loop, "vectorize", refusal)
    return []


def _number(match: Match, dim: int, dims: dict[Operation, int]) -> None:
    for inner in match.inner:
        _number(inner, dim + 1, dims)
    dims[match.loop] = dim


class _Matching:
    """Looks for loops in loops, as many as vectors have dimensions."""

    def __init__(self, parallel: set[Operation], fastest: Sequence[int]) -> None:
        self.parallel = parallel
        self.fastest = fastest
        self._known: dict[Operation, int | None] = {}

    def _dimension(self, loop: ForOp) -> int | None:
        """Which dimension a loop moves along, -1 for none; None where it is not to be made vectors of."""
        if loop not in self._known:
            moves = moves_along(loop) if loop in self.parallel else None
            none = -1 if moves is not None and moves.dimension is None else None
            self._known[loop] = moves.dimension if moves is not None and none is None else none
        return self._known[loop]

    def matches(self, op: Operation, depth: int) -> list[Match]:
        """The loops in an operation, and those in them for the dimensions behind."""
        all_matches: list[Match] = []
        for loop in op.walk_postorder():
            if loop is op or not isinstance(loop, ForOp):
                continue
            dimension, wanted = self._dimension(loop), self.fastest[depth]
            if dimension is None or (dimension != -1 and wanted not in (-1, dimension)):
                continue
            inner = self.matches(loop, depth + 1) if depth + 1 < len(self.fastest) else []
            if inner or depth + 1 == len(self.fastest):
                all_matches.append(Match(loop, inner))
        return all_matches


def _buckets(matches: Sequence[Match]) -> list[list[Match]]:
    """The matches of which one stands in another together: of these, one is taken."""
    roots: list[ForOp] = []
    buckets: list[list[Match]] = []
    for match in matches:
        for place, root in enumerate(roots):
            if _is_around(root, match.loop):
                buckets[place].append(match)
                break
            if _is_around(match.loop, root):
                roots[place] = match.loop
                buckets[place].append(match)
                break
        else:
            roots.append(match.loop)
            buckets.append([match])
    return buckets


def _is_around(one: Operation, other: Operation) -> bool:
    return one is other or any(around is one for around in ancestors(other))
