"""A mistake as a fix sees it: what was found of an item, and the text and the IR around it."""

from __future__ import annotations

from collections.abc import Iterator

from fathom.diagnostics import Diagnostic
from fathom.elaborate.sites import Site
from fathom.ir.operation import Operation, Span
from fathom.ops.func import FuncOp
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import Item
from fathom_server.features.item_text import ItemText
from fathom_server.model.snapshot import Snapshot


class Mistake(ItemText):
    """`base` is where the item begins, `span` where in it the mistake stands."""

    def __init__(self, snapshot: Snapshot, item: Item, base: int, diagnostic: Diagnostic, span: Span) -> None:
        super().__init__(snapshot, item, base)
        self.diagnostic = diagnostic
        self.span = span

    @property
    def piece(self) -> Piece:
        """The statement in which the mistake begins."""
        return self.item.pieces[self.item.piece_at(self.span.start)]

    @property
    def site(self) -> Site | None:
        """What that statement stands for, if it says something."""
        return self.known.sites.get(self.piece)

    def start_of(self, piece: Piece) -> int:
        """Where a statement of the item begins in it."""
        return self.item.start(self.item.pieces.index_of(piece))

    def op(self) -> Operation | None:
        """The operation that the mistake is about; not one that its text implies."""
        # Looked for in its own statement: of a file with many mistakes each is asked.
        written = self.site.operations.values() if self.site is not None else ()
        return next((op for op in written if op.span == self.span), None)

    def function(self) -> Operation | None:
        """The function in whose text the mistake begins."""
        inside: Iterator[Operation] = iter(self.known.operations)
        while (op := next(filter(self._begins_in, inside), None)) is not None and not isinstance(op, FuncOp):
            inside = (inner for region in op.regions for block in region.blocks for inner in block)
        return op

    def _begins_in(self, op: Operation) -> bool:
        return op.span is not None and op.span.start <= self.span.start < op.span.end
