"""What is known of a symbol elsewhere in the document: the operation that its header begins, without its body.

A path of names is followed through the tables around which there are others.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.elaborate.elaborator import Elaborator
from fathom.ir.clone import clone
from fathom.ir.custom_text import is_kept_text
from fathom.ir.operation import Block, Operation
from fathom.ir.types import POISON
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.symbols import symbol_in
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import chunked
from fathom.syntax.tree import Item
from fathom_server.model.aliases import aliases
from fathom_server.model.lookup import Scope, by_scope, headers, scope_in, split_in, split_of, tables_in
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Header, Symbol, header_of, holds_symbols


@query(keep=1024)
def outline(snapshot: Snapshot, header: Header, split: Item | None) -> Operation:
    """The operation that a header in a split of the document begins, without spans; in its body, if it has one, stands
    something unknown. Of a header that is broken, one of which nothing is known: no check of its users says anything.
    """
    known = declaration(snapshot, header, split)
    if known is None:
        return Operation("", result_types=[POISON])
    if not header.has_body:
        return known
    outlined = clone(known)
    for region in outlined.regions:
        region.append(Block()).append(Operation(""))
    return outlined


@query(keep=1024)
def declaration(snapshot: Snapshot, header: Header, split: Item | None) -> Operation | None:
    """The operation that a header in a split of the document begins, without its body and without spans; None while the
    header is broken."""
    pieces = [Piece(shape, frame, lines) for frame, shape, lines in header.statements]
    item = Item(chunked(pieces), pieces[0].frame)
    made = Elaborator(snapshot.context, aliases(snapshot, split)).run([item])
    if any(diagnostic.severity == "error" for diagnostic in made.diagnostics):
        return None
    operation = made.operation_at(pieces[header.number], header.token)
    if operation is None or symbol_name(operation) != header.name:
        return None
    for region in operation.regions:
        for block in list(region.blocks):
            region.remove(block)
    # In the generic form the end of an operation stands behind its regions.
    if operation.definition is None and not is_kept_text(operation):
        operation.definition = snapshot.context.lookup(operation.name)
    # Places in another item say nothing to those who look the symbol up.
    for op in operation.walk():
        op.span = None
    return operation


def declaration_of(snapshot: Snapshot, symbol: Symbol) -> Operation | None:
    """The operation of a symbol of this version, without its body and without spans; None while its header is
    broken."""
    return declaration(snapshot, header_of(symbol), split_of(snapshot, symbol.item))


class ScopeSymbols:
    """The symbols that can be named in a scope, by their headers; `own` are the operations there of the item that asks:
    what stands in these is at hand."""

    def __init__(self, snapshot: Snapshot, scope: Scope, own: Sequence[Operation] = ()) -> None:
        self._snapshot = snapshot
        self._split = split_in(scope)
        self._scope = scope
        self._own = own

    @property
    def outer(self) -> ScopeSymbols | None:
        """Those of the scope around this one, if that is in the same split."""
        return ScopeSymbols(self._snapshot, self._scope[:-1]) if tables_in(self._scope) else None

    def find(self, path: tuple[str, ...]) -> Operation | None:
        """What a path of names means in the scope: an outline, unless it stands in an operation of the asking item."""
        scope, own = self._scope, {symbol_name(op): op for op in self._own}
        for index, name in enumerate(path[:-1], 1):
            header = self._header(scope, name)
            if header is None:
                return None
            table = by_scope(self._snapshot, name)[scope][0]
            if not holds_symbols(table):
                is_own = scope is self._scope and name in own
                around = own[name] if is_own else outline(self._snapshot, header, self._split)
                return symbol_in(around, *path[index:])
            scope = scope_in(self._snapshot, table)
        header = self._header(scope, path[-1])
        return outline(self._snapshot, header, self._split) if header is not None else None

    def _header(self, scope: Scope, name: str) -> Header | None:
        return next(iter(headers(self._snapshot, name).get(scope, ())), None)
