"""What could go without a loss: values that nothing uses, private symbols that nothing names, and aliases.

These are hints, no mistakes; of a document in which something is broken little is said, since what is not read may use
them. A symbol is private by its own words (`private`, `internal`), and used where another item of its split of the
document has its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from fathom.diagnostics import UNUSED_ALIAS, UNUSED_SYMBOL, UNUSED_VALUE, Diagnostic
from fathom.ir.operation import OpResult, Span
from fathom.rewriting.effects import is_dead
from fathom.syntax.events import AliasEvent
from fathom.syntax.tree import Item
from fathom_server.model.elaboration import elaborated
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Symbol, mentions_in, names_in, symbols_of

_PRIVATE: Final = frozenset(("private", '"private"', "internal"))
"""The words of an operation that keep its symbol from others than its module."""


@query()
def unused_values(snapshot: Snapshot, item: Item) -> tuple[Diagnostic, ...]:
    """The names of values of an item that are defined for nothing: those of operations without effects, none of whose
    results are used."""
    if any(diagnostic.severity == "error" for diagnostic in diagnostics(snapshot, item)):
        return ()
    findings: list[Diagnostic] = []
    for site in elaborated(snapshot, item).sites.values():
        for token, values in site.definitions.items():
            if all(isinstance(value, OpResult) and is_dead(value.op) for value in values):
                span = site.span(token)
                message = f"the value '{site.text(token)}' is not used"
                findings.append(Diagnostic(message, Span(span.start, span.end), "hint", UNUSED_VALUE))
    return tuple(findings)


def unused_names(snapshot: Snapshot) -> dict[Item, tuple[Diagnostic, ...]]:
    """The private symbols and the aliases of a document that nothing names, by the items that define them."""
    tree, unused_by_item = snapshot.tree, dict[Item, tuple[Diagnostic, ...]]()
    for first in tree.split_starts:
        around = tree.split_around(first)
        items = tree.items[around.start : around.stop]
        symbols = Counter(name for item in items for name in mentions_in(item))
        aliases = sum((_aliases_in(item) for item in items), Counter[str]())
        for item in items:
            said = (*_unused_symbols(item, symbols), *_unused_aliases(item, aliases))
            if said:
                unused_by_item[item] = said
    return unused_by_item


def _unused_symbols(item: Item, mentioned: Counter[str]) -> Iterator[Diagnostic]:
    """The private symbols that nothing names outside of themselves."""
    known = symbols_of(item)
    for symbol in known:
        if mentioned[symbol.name] != 1 or not _is_private(symbol):
            continue
        if (len(known) == 1 and not symbol.tables) or not _is_named_around(item, symbol):
            span = Span(symbol.name_start, symbol.name_end)
            yield Diagnostic(f"the symbol '@{symbol.name}' is private and not used", span, "hint", UNUSED_SYMBOL)


def _is_named_around(item: Item, symbol: Symbol) -> bool:
    """Whether the text of an item has the name of one of its symbols before that or behind it."""
    around = (item.text_between(0, symbol.start), item.text_between(symbol.full_end, item.length))
    return any(symbol.name in names_in(text.splitlines()) for text in around)


def _is_private(symbol: Symbol) -> bool:
    start = symbol.item.start(symbol.item.piece_at(symbol.start))
    spans = symbol.piece.token_spans()
    before = (
        token.text
        for token, (first, _) in zip(symbol.piece.tokens(), spans, strict=True)
        if symbol.start <= start + first < symbol.name_start
    )
    return not _PRIVATE.isdisjoint(before)


def _unused_aliases(item: Item, mentioned: Counter[str]) -> Iterator[Diagnostic]:
    for piece, start in item.pieces.with_offsets():
        for event in piece.shape.events:
            if not isinstance(event, AliasEvent):
                continue
            token = event.base + event.alias.name
            name = piece.texts(0)(token)
            if mentioned[name] == 1:
                first, last = piece.token_spans()[token]
                message = f"the alias '{name}' is not used"
                yield Diagnostic(message, Span(start + first, start + last), "hint", UNUSED_ALIAS)


def _aliases_in(item: Item) -> Counter[str]:
    """How often the text of an item has each name that may be that of an alias; kept with the item."""
    names = item.cache.get("alias names")
    if names is None:
        names = item.cache["alias names"] = Counter(
            token.text
            for piece in item.pieces
            for token in piece.tokens()
            if token.kind in ("EXCLAIM", "ALIAS", "HASH")
        )
    return names
