"""Where what is async is used last, which is where the reference to it is given up.

Source of the rules: *Switched-Resume Lowering* in *Coroutines in LLVM*, and the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.dominance import ancestor_in_block, block_in
from fathom.ir.operation import Block
from fathom.irdl.traits import RETURN_LIKE, TERMINATOR
from fathom.ops.async_ import CoroSuspendOp
from fathom.ops.func import CallOp
from fathom.passes.asynchronous.counting import Refused, add_reference, drop_if_unused, drop_reference, users_of
from fathom.passes.asynchronous.types import is_counted
from fathom.passes.branches import branch
from fathom.rewriting.live_values import LiveValues
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation, Value


class LastUses:
    """Counts references in an operation, by what was live in it at the beginning."""

    def __init__(self, root: Operation, context: Context) -> None:
        self._live = LiveValues(root, is_counted)
        self._known = {block for op in root.walk() for region in op.regions for block in region.blocks}
        self._rewriter = Rewriter(context)

    def count(self, value: Value) -> None:
        """Adds and gives up references to a value. Raises Refused where nobody can tell who is to give it up."""
        if drop_if_unused(value, self._rewriter):
            return
        for user in self._last_users(value):
            if user.has(RETURN_LIKE):
                continue  # Whoever called has the reference then.
            if user.has(TERMINATOR):
                raise Refused(user, "async reference counting can't handle terminators that are not ReturnLike")
            self._rewriter.set_insertion_behind(user)
            drop_reference(self._rewriter, value)
        for user in users_of(value):
            if isinstance(user, CallOp):
                self._rewriter.set_insertion_before(user)
                add_reference(self._rewriter, value)
        self._drop_where_ways_part(value)

    def _last_users(self, value: Value) -> list[Operation]:
        """The last user in each block behind which nothing uses it; one that is nested counts as what it is in."""
        defined_in = value.parent_block
        region = defined_in.parent if defined_in is not None else None
        last: dict[Block, Operation] = {}
        for user in reversed(value.uses):
            block = block_in(user.parent, region)
            here = ancestor_in_block(user, block) if block is not None else None
            assert block is not None and here is not None, "a value is used in the region that defines it"
            if not self._live.is_left_by(block, value) and (block not in last or last[block].is_before_in_block(here)):
                last[block] = here
        return list(last.values())

    def _drop_where_ways_part(self, value: Value) -> None:
        """Where a block leads to some blocks that use the value and to others that do not, it is given up on the way to
        these. So it is not where a coroutine is suspended, which always goes on where it is resumed."""
        defined_in = value.parent_block
        region = defined_in.parent if defined_in is not None else None
        parting: list[tuple[Operation, list[Block]]] = []
        for block in region.blocks if region is not None else ():
            if block not in self._known or not self._live.is_left_by(block, value):
                continue
            uses = {
                successor: successor in self._known and self._live.is_given_to(successor, value)
                for successor in block.successors
            }
            if len(set(uses.values())) == 2:
                parting.append((block.end, [successor for successor, used in uses.items() if not used]))
        for terminator, others in parting:
            if isinstance(terminator, CoroSuspendOp):
                continue
            if any(successor.arguments for successor in others):
                what = "successor have different `liveIn` property of the reference counted value"
                raise Refused(terminator, f"'{terminator.name}' op {what}")
            for successor in others:
                self._drop_on_the_way(value, terminator, successor)

    def _drop_on_the_way(self, value: Value, terminator: Operation, successor: Block) -> None:
        """Gives it up in the successor, or in a block before it where others lead there too."""
        rewriter, before = self._rewriter, successor
        if _only_predecessor(successor) is not terminator.parent:
            assert successor.parent is not None, "a block stands in a region"
            before = successor.parent.insert_before(Block(), successor)
            rewriter.set_insertion_to_end(before)
            with rewriter.standing_in(value):
                branch(rewriter, successor)
            terminator.set_successors([before if block is successor else block for block in terminator.successors])
        rewriter.set_insertion_to_start(before)
        drop_reference(rewriter, value)


def _only_predecessor(block: Block) -> Block | None:
    """The one block that leads to another, in whatever ways; None where several do."""
    predecessors = set(block.predecessors())
    return predecessors.pop() if len(predecessors) == 1 else None
