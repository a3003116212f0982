"""Verification of an IR that changes in place: what a change can concern is checked again, and nothing else.

An operation is checked again if it was made anew, if it uses what was, or defines what was used; if it stands beside a
place where one came or went, or ends that block; if it is around any of these; and, since some checks look at the
definitions of their operands' operands, if it uses what such an operation gives. What holds for all operations that are
alike (`verify/alone.py`) is not looked at again at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from fathom.diagnostics import Diagnostic
from fathom.ir.operation import Block, Operation
from fathom.verify.alone import NOTHING, Likeness
from fathom.verify.dominance import Dominance
from fathom.verify.symbols import SymbolLookup, is_symbol_table
from fathom.verify.verifier import Verifier

if TYPE_CHECKING:
    from fathom.irdl.dialect import Definitions


class LiveChecks:
    """What the verifier has to say of an operation that is isolated from above, kept up to date."""

    def __init__(
        self,
        root: Operation,
        context: Definitions,
        likeness: Callable[[Operation], Likeness | None],
        before: Callable[[Operation, Operation], bool],
    ) -> None:
        """`before` tells which of two operations of a block stands first; the others are as for `verify`."""
        self.root = root
        self._context = context
        self._likeness = likeness
        self._found: dict[Operation, list[Diagnostic]] = {}
        self._blamed: set[Operation] = set()
        self._symbol_users: set[Operation] = set()
        self._dominance = Dominance(before)
        self._waiting: set[Operation] = set()
        self._blocks: set[Block] = set()
        self._is_new = True
        self._has_new_ways = False

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All that is wrong, in no order."""
        return [diagnostic for found in self._found.values() for diagnostic in found]

    def note(
        self,
        made: Iterable[Operation],
        removed: Iterable[Operation],
        blocks: Iterable[Block],
        *,
        has_new_ways: bool,
    ) -> None:
        """Takes a change into account: operations that were made anew or went, and the blocks where they stand or
        stood; `has_new_ways` tells that some block goes on to others than before."""
        self._has_new_ways = self._has_new_ways or has_new_ways
        for op in removed:
            self._forget(op)
            self._waiting.discard(op)
            self._symbol_users.discard(op)
        self._waiting.update(made)
        self._blocks.update(blocks)

    def update(self, symbols: SymbolLookup, *, has_new_symbols: bool) -> None:
        """Checks what the changes since the last time concern; with `has_new_symbols`, also what looks symbols up."""
        verifier = Verifier(self.root, symbols, self._context, self._likeness)
        if self._is_new or self._has_new_ways:
            self._everything(verifier)
            return
        concerned = self._concerned()
        if has_new_symbols:
            concerned |= self._symbol_users
        for op in concerned:
            self._forget(op)
        verifier.blamed = self._blamed
        for op in sorted(concerned, key=_depth, reverse=True):
            verifier.check(op)
            index = self._dominance.misplaced(op) if op is not self.root else -1
            if index >= 0:
                verifier.misplace(op, index)
        verifier.check_symbols()
        self._symbol_users |= verifier.symbol_users
        self._note_found(verifier)

    def _everything(self, verifier: Verifier) -> None:
        verifier.run()
        self._found.clear()
        self._blamed = verifier.blamed
        self._symbol_users = verifier.symbol_users
        self._dominance.forget()
        self._note_found(verifier)
        self._is_new = verifier.is_nested or is_symbol_table(self.root)

    def _note_found(self, verifier: Verifier) -> None:
        for op, diagnostic in verifier.found:
            self._found.setdefault(op, []).append(diagnostic)
        self._waiting.clear()
        self._blocks.clear()
        self._has_new_ways = False

    def _forget(self, op: Operation) -> None:
        self._found.pop(op, None)
        self._blamed.discard(op)

    def _concerned(self) -> set[Operation]:
        found: set[Operation] = set()
        todo = list(self._waiting)
        while todo:
            op = todo.pop()
            if op in found:
                continue
            found.add(op)
            # A check that looks further may have looked through this operation.
            if op in self._waiting or not self._is_alone(op):
                todo += (user for result in op.results for user in result.uses if user not in found)
        for op in self._waiting:
            found.update(definer for value in op.operands if (definer := value.defining_op) is not None)
            found.update(each for each in (op.previous, op.next) if each is not None)
        found.update(block.last for block in self._blocks if block.last is not None)
        around = {op.parent_op for op in found} | {block.parent.parent for block in self._blocks if block.parent}
        while around:
            found.update(op for op in around if op is not None)
            around = {op.parent_op for op in around if op is not None and op is not self.root} - found
        return found

    def _is_alone(self, op: Operation) -> bool:
        """Whether the checks of an operation look at nothing else."""
        likeness = self._likeness(op)
        return likeness is not None and likeness.rest is NOTHING


def _depth(op: Operation) -> int:
    depth = 0
    parent = op.parent_op
    while parent is not None:
        depth, parent = depth + 1, parent.parent_op
    return depth
