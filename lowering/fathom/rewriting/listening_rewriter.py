"""A rewriter that tells a listener of each change, as the greedy driver needs it to know what to visit again.

Source of the rules: *Pattern Rewriting*, "Pattern Rewriter" and "Listener"; the order of notifications is that of
mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from fathom.ir.operation import Block, Operation, Region, Value
from fathom.ir.traversal import postorder
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.irdl.dialect import Definitions


class Listener(Protocol):
    """Who wants to know of changes. An operation that is erased still has its operands when it is reported."""

    def inserted(self, op: Operation) -> None:
        """`op` is new, or stands in another place."""
        ...

    def modified(self, op: Operation) -> None:
        """Operands, attributes, successors or regions of `op` have changed."""
        ...

    def erased(self, op: Operation) -> None:
        """`op` is about to go; what was nested in it went before."""
        ...


class Tracker(Protocol):
    """Who keeps hold of operations while they are rewritten."""

    def replaced(self, op: Operation, values: Sequence[Value]) -> None:
        """These take the place of the results of `op`, which still has its users."""
        ...

    def erased(self, op: Operation) -> None:
        """`op` is about to go; what was nested in it went before."""
        ...


class ListeningRewriter(Rewriter):
    """Changes take effect at once, and the listener hears of each; so does a tracker, if there is one, of what goes."""

    def __init__(self, context: Definitions, listener: Listener, tracker: Tracker | None = None) -> None:
        super().__init__(context)
        self.listener = listener
        self.tracker = tracker

    def insert(self, op: Operation) -> Operation:
        super().insert(op)
        self.listener.inserted(op)
        return op

    def modify(self, op: Operation, change: Callable[[], None]) -> None:
        change()
        self.listener.modified(op)

    def move_before(self, op: Operation, block: Block, anchor: Operation | None) -> None:
        super().move_before(op, block, anchor)
        self.listener.inserted(op)

    def replace_all_uses(self, old: Value, new: Value) -> None:
        # The newest use comes first, as in the lists of uses that MLIR keeps.
        for user in reversed(list(old.uses)):
            for index in old.places_in(user):
                user.set_operand(index, new)
            self.listener.modified(user)

    def replace(self, op: Operation, values: Sequence[Value | Sequence[Value]]) -> None:
        if self.tracker is not None:
            self.tracker.replaced(op, [value if isinstance(value, Value) else value[0] for value in values])
        for result, value in zip(op.results, values, strict=True):
            new = value if isinstance(value, Value) else value[0]
            if new.name_hint is None:
                new.name_hint = result.name_hint
            self.replace_all_uses(result, new)
        self.erase(op)

    def clone(self, op: Operation, values: dict[Value, Value]) -> Operation:
        made = super().clone(op, values)
        for region in made.regions:
            for inner in region.walk():
                self.listener.inserted(inner)
        return made

    def replace_argument(self, block: Block, index: int, values: Sequence[Value]) -> None:
        self.replace_all_uses(block.arguments[index], values[0])

    def erase(self, op: Operation) -> None:
        for region in reversed(op.regions):
            self._empty(region)
        self.listener.erased(op)
        if self.tracker is not None:
            self.tracker.erased(op)
        op.erase()

    def _empty(self, region: Region) -> None:
        """Erases all blocks; successors before their predecessors, which define values that they use."""
        while region.first is not None:
            blocks = postorder(region.first)
            for block in blocks:
                for op in reversed(list(block)):
                    _drop_uses(op)
                    self.erase(op)
            for block in blocks:
                region.remove(block)

    def erase_block(self, block: Block) -> None:
        for op in reversed(list(block)):
            self.erase(op)
        if block.parent is not None:
            block.parent.remove(block)


def _drop_uses(op: Operation) -> None:
    """Takes away the users of an operation that is to go with them: those in cycles of a graph region."""
    for result in op.results:
        for user in list(result.uses):
            user.drop_all_references()
