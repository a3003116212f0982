"""The greedy driver: folds, applies patterns and simplifies regions until nothing changes any more.

A stack holds the operations that are to be visited. What a change touches is put on it: the operation and those around
it, the users of what was replaced, and what defined the operands of an operation that went. An iteration that follows
another one goes over the functions, or whatever else is isolated from above, in which that one changed anything: in the
others it would find what was found before. Source of the rules: *Pattern Rewriting*, "Greedy Pattern Rewrite Driver";
the order is that of mlir-opt 22, on which the text depends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fathom.ir.operation import Operation, Region
from fathom.ir.traversal import ancestors
from fathom.irdl.traits import CONSTANT_LIKE, ISOLATED_FROM_ABOVE
from fathom.records import record
from fathom.rewriting.constant_pool import ConstantPool
from fathom.rewriting.effects import is_dead
from fathom.rewriting.folding import constant_attribute, fold, materialize
from fathom.rewriting.insertions import Insertions, insertions_at_hand
from fathom.rewriting.listening_rewriter import ListeningRewriter
from fathom.rewriting.observers import watching
from fathom.rewriting.pattern import Pattern
from fathom.rewriting.region_simplification import erase_unreachable_blocks, simplify_regions
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.listening_rewriter import Tracker

NO_LIMIT: Final = -1


@record
class GreedyConfig:
    """How the driver goes about it. An iteration visits each operation, and what changes, until the stack is empty.

    The defaults are those of MLIR's `GreedyRewriteConfig`, with which passes run that say nothing of it.
    """

    top_down: bool = False
    region_simplification: Literal["disabled", "normal", "aggressive"] = "aggressive"
    max_iterations: int = 10
    max_rewrites: int = NO_LIMIT
    fold: bool = True
    unique_constants: bool = True
    tracker: Tracker | None = None


_AS_USUAL: Final = GreedyConfig()

PatternsOf: TypeAlias = "Callable[[str], Sequence[Pattern]]"
"""The patterns for operations of a name, in the order in which they are tried."""


def apply_greedily(op: Operation, patterns: PatternsOf, context: Definitions, config: GreedyConfig) -> bool:
    """Rewrites all that is nested in `op`, which nothing in it looks out of; whether it came to an end."""
    converged = True
    for region in op.regions:
        converged &= _Driver(region, patterns, context, config).simplify()
    return converged


def apply_patterns(
    op: Operation, patterns: Iterable[Pattern], context: Definitions, config: GreedyConfig = _AS_USUAL
) -> bool:
    """The same with these patterns, each for operations of a name or for all that have a trait."""
    table = tuple(patterns)
    known: dict[str, Sequence[Pattern]] = {}

    def patterns_for(name: str) -> Sequence[Pattern]:
        of_name = known.get(name)
        if of_name is None:
            definition = context.lookup(name)
            wanted = (pattern for pattern in table if pattern.is_for(name, definition))
            of_name = known[name] = sorted(wanted, key=lambda pattern: -pattern.benefit)
        return of_name

    return apply_greedily(op, patterns_for, context, config)


def apply_on(
    ops: Sequence[Operation],
    patterns: PatternsOf,
    context: Definitions,
    config: GreedyConfig = _AS_USUAL,
    *,
    only: bool = False,
) -> bool:
    """Rewrites these operations, and what comes of it, within the region that holds them all; whether it came to an
    end. With `only` no others are rewritten but those that are made."""
    region = _region_of_all(ops)
    if region is None:
        return True
    driver = _Driver(region, patterns, context, config)
    driver.worklist.only = set(ops) if only else None
    return driver.visit(ops)


def _region_of_all(ops: Sequence[Operation]) -> Region | None:
    """The innermost region in which all of these stand."""
    region = ops[0].parent_region if ops else None
    for op in ops[1:]:
        around = {ancestor.parent_region for ancestor in (op, *ancestors(op))}
        while region is not None and region not in around:
            region = region.parent.parent_region if region.parent is not None else None
    return region


class _Worklist:
    """A stack that holds each operation once; `only` those, if it is not None."""

    def __init__(self) -> None:
        self.only: set[Operation] | None = None
        self._list: list[Operation | None] = []
        self._places: dict[Operation, int] = {}

    def __bool__(self) -> bool:
        return bool(self._places)

    def __contains__(self, op: Operation) -> bool:
        return op in self._places

    def admit(self, op: Operation) -> None:
        """Takes a new operation for one of those that the stack is about."""
        if self.only is not None:
            self.only.add(op)

    def push(self, op: Operation) -> None:
        if op not in self._places and (self.only is None or op in self.only):
            self._places[op] = len(self._list)
            self._list.append(op)

    def pop(self) -> Operation:
        """The operation that was pushed last. Raises IndexError where there is none."""
        while (op := self._list.pop()) is None:
            pass
        del self._places[op]
        return op

    def remove(self, op: Operation) -> None:
        place = self._places.pop(op, None)
        if place is not None:
            self._list[place] = None

    def reverse(self) -> None:
        self._list = [op for op in reversed(self._list) if op is not None]
        self._places = {op: place for place, op in enumerate(self._list) if op is not None}


class _Driver:
    """Works on one region; it is the listener of its own rewriter."""

    def __init__(self, region: Region, patterns: PatternsOf, context: Definitions, config: GreedyConfig) -> None:
        self.region = region
        self.patterns = patterns
        self.config = config
        self.context = context
        self.rewriter = ListeningRewriter(context, self, config.tracker)
        self.worklist = _Worklist()
        self.insertions = Insertions()
        if (watch := watching()) is not None:
            self.patterns = watch.patterns(patterns)
            self._fold = watch.fold(self._fold, self.rewriter)
            self._drop = watch.erase(self._drop)
            self._fill_worklist = watch.simplify(self._fill_worklist, self.rewriter)
            self._erase_unreachable = watch.simplify(self._erase_unreachable, self.rewriter, False)
            self._simplify = watch.simplify(self._simplify, self.rewriter, False)
        self._changed: set[Operation | None] = set()
        """The operations directly in the region in which something changed in this iteration; None for the region."""

    def simplify(self) -> bool:
        """Whether the last iteration changed nothing."""
        config = self.config
        iteration = 0
        parts: list[Operation] | None = None
        while True:
            iteration += 1
            if iteration > config.max_iterations != NO_LIMIT:
                return False
            self.worklist = _Worklist()
            self._changed.clear()
            regions = [self.region] if parts is None else [region for op in parts for region in op.regions]
            self._fill_worklist(self._in_order([self.region] if parts is None else parts))
            changed = self._erase_unreachable(regions)
            with insertions_at_hand() as self.insertions:
                changed |= self._process()
            changed |= self._simplify(regions)
            if not changed:
                return True
            parts = self._changed_parts()

    def visit(self, ops: Sequence[Operation]) -> bool:
        """Visits some operations, the last one first, and what changes, until that is done."""
        for op in ops:
            self.worklist.push(op)
        with insertions_at_hand() as self.insertions:
            self._process()
        return not self.worklist

    def _erase_unreachable(self, regions: Sequence[Region], /) -> bool:
        return erase_unreachable_blocks(self.rewriter, regions)

    def _simplify(self, regions: Sequence[Region], /) -> bool:
        extent = self.config.region_simplification
        return extent != "disabled" and simplify_regions(self.rewriter, regions, merge_blocks=extent == "aggressive")

    def _in_order(self, parts: Iterable[Operation | Region]) -> Iterator[Operation]:
        return chain.from_iterable(part.walk() if self.config.top_down else part.walk_postorder() for part in parts)

    def _changed_parts(self) -> list[Operation] | None:
        """The operations directly in the region in which something changed, if that concerns nothing else."""
        if not all(op is not None and op.has(ISOLATED_FROM_ABOVE) for op in self._changed):
            return None
        return [op for op in self.region.operations() if op in self._changed]

    def _fill_worklist(self, operations: Iterable[Operation], /) -> None:
        """Operations, to be visited in the order in which they stand; constants are made unique on the way."""
        pool = ConstantPool(self.rewriter) if self.config.unique_constants else None
        worklist = self.worklist
        for op in operations:
            if pool is not None and op.has(CONSTANT_LIKE) and op.results:
                value = constant_attribute(op)
                if value is not None and not pool.insert_known(op, value):
                    continue
            # Nothing is taken off the stack yet: with what is around an operation, all around that is on it.
            if (around := op.parent_op) is not None and around in worklist:
                worklist.push(op)
            else:
                self._visit_again(op)
        if self.config.top_down:
            self.worklist.reverse()

    def _process(self) -> bool:
        """Visits what is on the stack until it is empty, or too much was rewritten; whether anything changed."""
        changed = False
        rewrites = 0
        limit = self.config.max_rewrites
        while self.worklist and (limit == NO_LIMIT or rewrites < limit):
            checkpoint()
            op = self.worklist.pop()
            if is_dead(op):
                self._drop(op)
                changed = True
            elif self.config.fold and self._fold(op):
                changed = True
            elif self._rewrite(op):
                changed = True
                rewrites += 1
        return changed

    def _drop(self, op: Operation, /) -> None:
        self.rewriter.erase(op)

    def _fold(self, op: Operation, /) -> bool:
        folded = fold(op)
        if folded is None:
            return False
        if not folded:
            self.rewriter.listener.modified(op)
            return True
        rewriter = self.rewriter
        results = materialize(op, folded, self.context)
        if results is None:
            return False
        rewriter.set_insertion_before(op)
        for result in results:
            if isinstance(result, Operation):
                rewriter.insert(result)
        rewriter.replace(op, [result.result if isinstance(result, Operation) else result for result in results])
        return True

    def _rewrite(self, op: Operation) -> bool:
        rewriter = self.rewriter
        for pattern in self.patterns(op.name):
            rewriter.stand_in(op)
            rewriter.set_insertion_before(op)
            if pattern.rewrite(op, op.operands, rewriter) is None:
                return True
        return False

    # What the rewriter tells.

    def inserted(self, op: Operation) -> None:
        self.worklist.admit(op)
        self._note(op, self._visit_again(op))

    def modified(self, op: Operation) -> None:
        self.insertions.changed(op)
        self._note(op, self._visit_again(op))

    def _note(self, op: Operation, outermost: Operation | None) -> None:
        self._changed.add(outermost if outermost is not op else None)

    def erased(self, op: Operation) -> None:
        self._note(op, self._outermost(op))
        for operand in op.operands:
            definer = operand.defining_op
            if definer is not None and definer.parent is not None and _has_one_other_user(operand.uses, op):
                self._visit_again(definer)
        self.worklist.remove(op)

    def _visit_again(self, op: Operation) -> Operation | None:
        """Puts an operation in the region, and those around it, on the stack; and returns the outermost of them."""
        around: list[Operation] = []
        current: Operation | None = op
        while current is not None:
            around.append(current)
            region = current.parent_region
            if region is self.region:
                for outer in around:
                    self.worklist.push(outer)
                return current
            current = region.parent if region is not None else None
        return None

    def _outermost(self, op: Operation) -> Operation | None:
        """The operation directly in the region in which one stands."""
        current: Operation | None = op
        while current is not None and (region := current.parent_region) is not self.region:
            current = region.parent if region is not None else None
        return current


def _has_one_other_user(users: Iterable[Operation], op: Operation) -> bool:
    """Whether at most one operation but `op` uses a value, so that with `op` gone something new may apply."""
    others = 0
    for user in users:
        if user is not op:
            others += 1
            if others > 1:
                return False
    return True
