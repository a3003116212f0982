"""The patterns of `buffer-deallocation-simplification`: each has the name that MLIR gives it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fathom.bufferization.origins import Origins
from fathom.bufferization.ownership import constant, truth
from fathom.dialects.bufferization.canonicalization import CANONICALIZATION, DEALLOC, update_deallocation
from fathom.ir.types import I1
from fathom.irdl.build import segment_sizes
from fathom.ops.bufferization import DeallocOp
from fathom.ops.memref import ExtractStridedMetadataOp
from fathom.rewriting.greedy_driver import GreedyConfig, apply_on, apply_patterns
from fathom.rewriting.pattern import Replacement, defined_by, replacing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.pattern import Pattern
    from fathom.rewriting.rewriter import Rewriter


def simplify(root: Operation, context: Definitions) -> None:
    """Simplifies the deallocations in an operation, and folds what comes of it."""
    apply_patterns(root, _patterns(root, context), context, GreedyConfig(region_simplification="normal"))


def simplify_made(root: Operation, made: Sequence[Operation], context: Definitions) -> None:
    """The same of these operations alone, and of what changes with them: the others are left as they are."""
    patterns = sorted(_patterns(root, context), key=lambda pattern: -pattern.benefit)
    apply_on(made, lambda name: patterns if name == DEALLOC else (), context)


def _patterns(root: Operation, context: Definitions) -> list[Pattern]:
    known = _Known(Origins(root, context))
    return [
        replacing(DEALLOC, known.retained_as_well, name="RemoveDeallocMemrefsContainedInRetained"),
        replacing(DEALLOC, known.retained_for_nothing, name="RemoveRetainedMemrefsGuaranteedToNotAlias"),
        replacing(DEALLOC, known.each_by_itself, name="SplitDeallocWhenNotAliasingAnyOther"),
        replacing(DEALLOC, known.always_owned, name="RetainedMemrefAliasingAlwaysDeallocatedMemref"),
        *(pattern for pattern in CANONICALIZATION if pattern.root == DEALLOC),
    ]


class _Known:
    """What the patterns go by."""

    def __init__(self, origins: Origins) -> None:
        self._origins = origins

    # ---- what is freed and retained

    def retained_as_well(self, op: DeallocOp, rewriter: Rewriter) -> Replacement:
        """What is retained under another name is not freed: under its condition that is owned."""
        if not op.retained or len(set(op.retained)) != len(op.retained):
            return None
        kept: list[tuple[Value, Value]] = []
        for memref, condition in zip(op.memrefs, op.conditions, strict=True):
            if not any(self._hand_over(op, name, condition, rewriter) for name in _names_of(memref)):
                kept.append((memref, condition))
        return update_deallocation(op, kept, rewriter)

    def _hand_over(self, op: DeallocOp, memref: Value, condition: Value, rewriter: Rewriter) -> bool:
        """A memref that is surely one of those that are retained, and surely none of the others, is owned by these."""
        are_same = [self._origins.are_same(value, memref) for value in op.retained]
        if None in are_same or True not in are_same:
            return False
        rewriter.set_insertion_behind(op)
        for result, is_same in zip(op.results, are_same, strict=True):
            if is_same:
                either = rewriter.create("arith.ori", [result, condition], [I1])
                _replace_uses_elsewhere(result, either, rewriter)
        return True

    def always_owned(self, op: DeallocOp, rewriter: Rewriter) -> Replacement:
        """What is retained and freed under a condition that always holds is owned. Where that is so of all that is
        retained, such need not be named among what is freed."""
        owned: set[int] = set()
        kept: list[tuple[Value, Value]] = []
        for memref, condition in zip(op.memrefs, op.conditions, strict=True):
            indices = [
                index
                for index, retained in enumerate(op.retained if truth(condition) else ())
                if any(self._origins.are_same(retained, name) for name in _names_of(memref))
            ]
            for index in indices:
                rewriter.replace_all_uses(op.results[index], condition)
            owned.update(indices)
            if not indices:
                kept.append((memref, condition))
        if len(owned) < len(op.retained):
            return None
        return update_deallocation(op, kept, rewriter)

    # ---- what has nothing to do with each other

    def retained_for_nothing(self, op: DeallocOp, rewriter: Rewriter) -> Replacement:
        """What none of those that are freed can be is not owned, and need not be retained."""
        freed = self._origins.group(op.memrefs) if op.retained else None
        if freed is None:
            return None
        kept = [retained for retained in op.retained if freed.may_share(retained, with_itself=True)]
        if len(kept) == len(op.retained):
            return None
        remaining = set(kept)
        unowned = {retained: constant(rewriter, False) for retained in op.retained if retained not in remaining}
        conditions = iter(_deallocate(op.memrefs, op.conditions, kept, rewriter))
        return [unowned[retained] if retained in unowned else next(conditions) for retained in op.retained]

    def each_by_itself(self, op: DeallocOp, rewriter: Rewriter) -> Replacement:
        """What none of the others can be is freed by itself."""
        memrefs, retained = op.memrefs, op.retained
        if len(memrefs) <= 1:
            return None
        group, counts = self._origins.group(memrefs), Counter(memrefs)
        kept: list[tuple[Value, Value]] = []
        made: list[list[Value]] = []
        for memref, condition in zip(memrefs, op.conditions, strict=True):
            if counts[memref] > 1 or group.may_share(memref, with_itself=False):
                kept.append((memref, condition))
            else:
                made.append(_deallocate([memref], [condition], retained, rewriter))
        if not made:
            return None
        memory, conditions = [memref for memref, _ in kept], [condition for _, condition in kept]
        owned = _deallocate(memory, conditions, retained, rewriter)
        for more in made:
            pairs = zip(owned, more, strict=True)
            owned = [rewriter.create("arith.ori", [one, other], [I1]).result for one, other in pairs]
        return owned


def _names_of(memref: Value) -> list[Value]:
    """A memref, and the one whose memory it was asked for."""
    metadata = defined_by(memref, ExtractStridedMetadataOp)
    return [memref] if metadata is None else [memref, metadata.source]


def _deallocate(
    memrefs: Sequence[Value], conditions: Sequence[Value], retained: Sequence[Value], rewriter: Rewriter
) -> list[Value]:
    sizes = segment_sizes(len(memrefs), len(conditions), len(retained))
    operands = [*memrefs, *conditions, *retained]
    return list(rewriter.create(DEALLOC, operands, [I1] * len(retained), {"operandSegmentSizes": sizes}).results)


def _replace_uses_elsewhere(old: Value, by: Operation, rewriter: Rewriter) -> None:
    """Users of a value, but for the operation itself, get that operation's result."""
    for user in reversed(list(old.uses)):
        if user is not by:
            rewriter.use_instead(user, old, by.result)
