"""Finds operations that compute what another computes before them, and those that nobody needs.

    %0 = arith.addi %a, %b : i32
    %1 = arith.addi %a, %b : i32          ->    %0 = arith.addi %a, %b : i32
    use(%0, %1)                                 use(%0, %0)

Source of the rules: mlir-opt 22. Blocks are visited along the tree of dominators; what a block defines is known in all
that it dominates, and in the regions of its operations unless they are isolated from above.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from fathom.ir.dominators import dominated_blocks
from fathom.ir.locations import UnknownLoc
from fathom.ir.operation import Block, Operation, Region
from fathom.irdl.interfaces import EffectKind
from fathom.irdl.traits import GRAPH_REGION, ISOLATED_FROM_ABOVE, TERMINATOR
from fathom.rewriting.effects import effects_with_nested, has_only_effect, is_dead, is_memory_effect_free
from fathom.rewriting.equivalence import value_key
from fathom.rewriting.near_misses import NearMisses, effects_reason
from fathom.rewriting.observers import explaining

if TYPE_CHECKING:
    from fathom.rewriting.listening_rewriter import Tracker


def eliminate_common_subexpressions(op: Operation, tracker: Tracker | None = None) -> tuple[int, int]:
    """Works on all that is nested in `op`. Gives how many operations went since another one does the same, and how many
    since nobody needed them. A tracker hears of each."""
    eliminator = _Eliminator(tracker)
    eliminator.run(op)
    return len(eliminator.dead) - eliminator.unused, eliminator.unused


class _Eliminator:
    """`dead` are the operations that go at the end, so that what is visited stays where it is."""

    def __init__(self, tracker: Tracker | None) -> None:
        self.tracker = tracker
        self.dead: list[Operation] = []
        self.unused = 0
        self.watch = explaining()

    def run(self, op: Operation) -> None:
        known = _Known()
        for region in op.regions:
            self._region(region, known)
        for dead in self.dead:
            if self.tracker is not None:
                self.tracker.erased(dead)
            dead.erase()

    def _region(self, region: Region, known: _Known) -> None:
        if region.first is None:
            return
        ordered = region.parent is None or not region.parent.has(GRAPH_REGION)
        if region.has_one_block:
            with known:
                self._block(region.first, known, ordered)
        elif ordered:
            self._tree(region.first, dominated_blocks(region.first), known)

    def _tree(self, entry: Block, children: dict[Block, list[Block]], known: _Known) -> None:
        """Visits a block, then those that it dominates; without recursion, since there may be many."""
        known.__enter__()
        self._block(entry, known, ordered=True)
        stack = [iter(children.get(entry, ()))]
        while stack:
            block = next(stack[-1], None)
            if block is None:
                stack.pop()
                known.__exit__()
                continue
            known.__enter__()
            self._block(block, known, ordered=True)
            stack.append(iter(children.get(block, ())))

    def _block(self, block: Block, known: _Known, ordered: bool) -> None:
        written: dict[Operation, tuple[Operation, bool]] = {}
        for op in block:
            inner = _Known() if op.definition is None or op.has(ISOLATED_FROM_ABOVE) else known
            for region in op.regions:
                self._region(region, inner)
            self._operation(op, known, ordered, written)

    def _operation(
        self, op: Operation, known: _Known, ordered: bool, written: dict[Operation, tuple[Operation, bool]]
    ) -> None:
        if op.has(TERMINATOR):
            return
        if is_dead(op):
            self.dead.append(op)
            self.unused += 1
            return
        if any(region.first is not region.last for region in op.regions):
            self._left(op, "what has several blocks in a region is not compared")
            return
        key = value_key(op)
        if not is_memory_effect_free(op):
            if not has_only_effect(op, EffectKind.READ):
                self._left(op, effects_reason(op) if self.watch is not None else "")
                return
            earlier = known.get(key)
            if earlier is not None and earlier.parent is op.parent and not _is_written_between(earlier, op, written):
                self._replace(op, earlier, known, ordered)
            else:
                known.add(key, op)
                if self.watch is not None:
                    writer = written[earlier][0] if earlier in written and written[earlier][1] else None
                    self._left(op, known.near.reason(op, only_reads=True, written_by=writer))
            return
        earlier = known.get(key)
        if earlier is not None:
            self._replace(op, earlier, known, ordered)
        else:
            known.add(key, op)
            if self.watch is not None:
                self._left(op, known.near.reason(op, only_reads=False))

    def _left(self, op: Operation, reason: str) -> None:
        if self.watch is not None:
            self.watch.left(op, "merge", reason)

    def _replace(self, op: Operation, earlier: Operation, known: _Known, ordered: bool) -> None:
        """Gives users `earlier`; in a graph, where users may come first, only those that were not visited yet."""
        if self.tracker is not None:
            self.tracker.replaced(op, earlier.results)
        for result, other in zip(op.results, earlier.results, strict=True):
            for user in list(result.uses):
                if ordered or not known.holds(user):
                    for index in result.places_in(user):
                        user.set_operand(index, other)
        if not any(result.uses for result in op.results):
            self.dead.append(op)
        if isinstance(earlier.location, UnknownLoc):
            earlier.span, earlier.location = op.span, op.location


class _Known:
    """The operations whose values are known, in nested scopes; as a context manager, a scope."""

    def __init__(self) -> None:
        self._ops: dict[Hashable, Operation] = {}
        self._held: set[Operation] = set()
        self._scopes: list[list[tuple[Hashable, Operation | None]]] = []
        self.near = NearMisses()

    def __enter__(self) -> None:
        self._scopes.append([])

    def __exit__(self, *_: object) -> None:
        for key, before in reversed(self._scopes.pop()):
            self._held.discard(self._ops[key])
            if before is None:
                del self._ops[key]
            else:
                self._ops[key] = before

    def get(self, key: Hashable) -> Operation | None:
        return self._ops.get(key)

    def add(self, key: Hashable, op: Operation) -> None:
        if self._scopes:
            self._scopes[-1].append((key, self._ops.get(key)))
        self._ops[key] = op
        self._held.add(op)

    def holds(self, op: Operation) -> bool:
        """Whether the operation was visited and kept."""
        return op in self._held


def _is_written_between(first: Operation, last: Operation, known: dict[Operation, tuple[Operation, bool]]) -> bool:
    """Whether memory may be written between two reads in a block. `known` holds for each first read up to where that
    was looked at, and whether there was a write."""
    start, is_written = known.get(first, (first.next, False))
    if is_written:
        return True
    op = start
    while op is not None and op is not last:
        effects = effects_with_nested(op)
        if effects is None or any(effect.kind is EffectKind.WRITE for effect in effects):
            known[first] = (op, True)
            return True
        op = op.next
    known[first] = (last, False)
    return False
