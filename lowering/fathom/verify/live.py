"""Verification of an IR that changes in place: what a change can concern is checked again, and nothing else.

An operation is checked again if it was made anew, if it uses what was, or defines what is used by it or was by one that
went, or what is used to define that; if it stands beside a place where one came or went, or ends that block; if it goes
on to a block that begins with another operation than before; if it is around any of these; and, since some checks look
at the definitions of their operands' operands, if it uses what such an operation gives. So is one of which a message
shows the numbers of values, since all before it have a part in these. What holds for all operations that are alike
(`verify/alone.py`) is not looked at again at all; so the first check of a text in order costs little more than its
regions, and what is left to be looked at of operations that differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from fathom.diagnostics import MISSING_TERMINATOR, Diagnostic
from fathom.ir.operation import Block, Operation, Region
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.slices import paced
from fathom.verify.alone import NOTHING, Likeness, rest_of
from fathom.verify.dominance import Dominance, users_across_blocks
from fathom.verify.symbols import Symbols, is_symbol_table
from fathom.verify.verifier import Verifier

if TYPE_CHECKING:
    from fathom.irdl.dialect import Definitions


class Text(Protocol):
    """What is known of operations by the text that they were read from."""

    def likeness(self, op: Operation) -> Likeness | None:
        """What an operation has in common with those that are like it, if that is known."""
        ...

    def stands_before(self, one: Operation, other: Operation) -> bool:
        """Whether an operation stands before another one of its block."""
        ...

    def operations(self) -> Iterator[tuple[Operation, Likeness | None]]:
        """All operations of the text, those with regions without a likeness, and those of regions that the text leaves
        out; terminators that it leaves out elsewhere may be missing."""
        ...

    @property
    def is_in_order(self) -> bool:
        """Whether each value is defined before it is used, and none of its name was before; and whether `operations`
        are those of one operation and what is nested in it."""
        ...


class LiveChecks:
    """What the verifier has to say of an operation that is isolated from above, kept up to date."""

    def __init__(self, root: Operation, context: Definitions, text: Text) -> None:
        self.root = root
        self._context = context
        self._text = text
        self._found: dict[Operation, list[Diagnostic]] = {}
        self._numbered: set[Operation] = set()
        """Those of which something is said that has numbers of values in it."""
        self._blamed: set[Operation] = set()
        self._symbol_users: set[Operation] = set()
        self._dominance = Dominance(text.stands_before)
        self._waiting: set[Operation] = set()
        self._freed: set[Operation] = set()
        self._blocks: set[Block] = set()
        self._is_new = True
        self._has_new_ways = False
        self.is_whole = True
        """Whether no check of what a change concerns was given up half-way."""

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All that is wrong, in no order."""
        return [diagnostic for diagnostics in paced(self._found.values()) for diagnostic in diagnostics]

    def note(
        self,
        made: Iterable[Operation],
        removed: Iterable[Operation],
        freed: Iterable[Operation],
        blocks: Iterable[Block],
        *,
        has_new_ways: bool,
    ) -> None:
        """Takes a change into account: operations that were made anew or went, those whose results these used, and the
        blocks where they stand or stood; `has_new_ways` tells that some block goes on to others than before."""
        self._has_new_ways = self._has_new_ways or has_new_ways
        for op in removed:
            self._forget(op)
            self._waiting.discard(op)
            self._freed.discard(op)
            self._symbol_users.discard(op)
            for region in op.regions:
                self._dominance.forget(region)
                self._blocks.difference_update(region.blocks)
        for op in made:
            self._waiting.add(op)
            self._is_new = self._is_new or _stands_apart(op)
        self._freed.update(freed)
        self._blocks.update(blocks)

    def update(self, symbols: Symbols | None, *, has_new_symbols: bool) -> None:
        """Checks what the changes since the last time concern; with `has_new_symbols`, also what looks symbols up."""
        verifier = Verifier(self.root, symbols, self._context, self._text.likeness)
        if self._is_new or self._has_new_ways:
            self._everything(verifier)
            return
        self.is_whole = False
        concerned = self._concerned()
        if has_new_symbols:
            concerned |= self._symbol_users
        if concerned:
            concerned |= self._numbered
        for op in concerned:
            self._forget(op)
        verifier.blamed = self._blamed
        for op in sorted(concerned, key=_depth, reverse=True):
            verifier.check(op)
            self._check_place(verifier, op)
        verifier.check_symbols()
        self._symbol_users |= verifier.symbol_users
        self._note_found(verifier)
        self.is_whole = True

    def _check_place(self, verifier: Verifier, op: Operation) -> None:
        """Finds out whether an operation stands where its operands are defined."""
        index = self._dominance.misplaced(op) if op is not self.root else -1
        if index >= 0:
            verifier.misplace(op, index)

    def _everything(self, verifier: Verifier) -> None:
        """Checks all there is. What was found so far is not touched before that is done."""
        self._dominance.forget_all()
        left = self._left() if self._text.is_in_order else None
        if left is not None:
            self._check_left(verifier, left)
        else:
            verifier.run()
        self._found.clear()
        self._numbered.clear()
        self._blamed = verifier.blamed
        self._symbol_users = verifier.symbol_users
        self._note_found(verifier)
        self._is_new = verifier.is_nested or is_symbol_table(self.root)

    def _left(self) -> dict[Operation, None] | None:
        """The operations of the text with regions or successors, and those of which something is left to be looked at.
        None where there are others among them whose regions are not to be gone through with these."""
        ops: dict[Operation, None] = {self.root: None}
        done: set[Likeness] = set()
        for op, likeness in paced(self._text.operations()):
            if likeness is not None:
                if likeness in done:
                    continue
                if not op.successors and rest_of(op, likeness, self._context) is NOTHING:
                    done.add(likeness)
                    continue
            elif op is not self.root and _stands_apart(op):
                return None
            ops[op] = None
        return ops

    def _check_left(self, verifier: Verifier, left: dict[Operation, None]) -> None:
        """Checks these operations and the ends of all blocks, and uses of values of other blocks: all others stand
        behind what they use."""
        regions: list[Region] = []
        for op in left:
            regions += op.regions
            verifier.check(op)
        for region in paced(regions):
            for block in region.blocks:
                if block.last is None or block.last in left:
                    continue
                if self._text.likeness(block.last) is not None:
                    verifier.leave_block(block)
                else:  # The text does not name it.
                    verifier.check(block.last)
        for region in regions:
            if not region.has_one_block:
                for user in users_across_blocks(region):
                    self._check_place(verifier, user)
        verifier.check_symbols()

    def _note_found(self, verifier: Verifier) -> None:
        for op, diagnostic in paced(verifier.findings):
            self._found.setdefault(op, []).append(diagnostic)
            if diagnostic.code == MISSING_TERMINATOR:
                self._numbered.add(op)
        self._waiting.clear()
        self._freed.clear()
        self._blocks.clear()
        self._has_new_ways = False

    def _forget(self, op: Operation) -> None:
        self._found.pop(op, None)
        self._numbered.discard(op)
        self._blamed.discard(op)

    def _concerned(self) -> set[Operation]:
        ops: set[Operation] = set()
        todo = list(self._waiting)
        while todo:
            op = todo.pop()
            if op in ops:
                continue
            ops.add(op)
            # A check that looks further may have looked through this operation.
            if op in self._waiting or not self._is_alone(op):
                todo += (user for result in op.results for user in result.uses if user not in ops)
        ops |= self._used()
        for op in self._waiting:
            ops.update(neighbour for neighbour in (op.previous, op.next) if neighbour is not None)
        ops.update(block.last for block in self._blocks if block.last is not None)
        ops.update(self._ways_to_new_beginnings())
        around = {op.parent_op for op in ops} | {block.parent.parent for block in self._blocks if block.parent}
        while around:
            ops.update(op for op in around if op is not None)
            around = {op.parent_op for op in around if op is not None and op is not self.root} - ops
        return ops

    def _used(self) -> set[Operation]:
        """What defines the operands of operations that were made anew, or went; and, since a check may look at the
        users of users, what defines theirs."""
        used = self._freed.union(*(op.definers for op in self._waiting))
        return used.union(*(op.definers for op in used))

    def _ways_to_new_beginnings(self) -> Iterator[Operation]:
        """The ends of blocks that go on to one whose first operation may be another one than before."""
        changed = {op.parent for op in self._waiting}
        for block in self._blocks:
            if not block.is_entry and (block.first in self._waiting or block not in changed):
                yield from (predecessor.last for predecessor in block.predecessors() if predecessor.last is not None)

    def _is_alone(self, op: Operation) -> bool:
        """Whether the checks of an operation look at nothing else."""
        likeness = self._text.likeness(op)
        return likeness is not None and likeness.rest is NOTHING


def _stands_apart(op: Operation) -> bool:
    """Whether the regions of an operation are not to be gone through with those around them."""
    return bool(op.regions) and (op.has(ISOLATED_FROM_ABOVE) or is_symbol_table(op))


def _depth(op: Operation) -> int:
    depth = 0
    parent = op.parent_op
    while parent is not None:
        depth, parent = depth + 1, parent.parent_op
    return depth
