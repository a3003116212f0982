"""Symbols, blocks and aliases, and the types and attributes of dialects: what has a name with a sign in front."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom_server.features.completion.position import Position
from fathom_server.features.completion.suggestion import Kind, Suggestion
from fathom_server.features.completion.values import place_of
from fathom_server.features.symbols import detail_of
from fathom_server.model.aliases import aliases_for
from fathom_server.model.elaboration import elaborated
from fathom_server.model.lookup import Scope, by_scope, meant, scope_of
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Role, Symbol, role_of

_KINDS: Final[dict[Role, Kind]] = {Role.FUNCTION: "function", Role.TABLE: "table", Role.DATA: "data"}


def symbols(snapshot: Snapshot, position: Position) -> Iterator[Suggestion]:
    """The symbols that a name means at a position, in the order of their names; behind `@a::`, those of that table."""
    path = [name.removeprefix("@") for name in position.word.split("::")[:-1]]
    if path:
        table = meant(snapshot, position.item, path)
        if table is None:
            return
        scope: Scope = (*scope_of(snapshot, table.item), *[table.item] * (table.inside + 1))
    else:
        scope = scope_of(snapshot, position.item)
    before = "".join(f"@{name}::" for name in path)
    for name in sorted(snapshot.symbols):
        found = by_scope(snapshot, name).get(scope, ())
        if found and name.replace("_", "a").replace(".", "a").isalnum():
            yield _symbol(snapshot, f"{before}@{name}", found[0])


def _symbol(snapshot: Snapshot, label: str, symbol: Symbol) -> Suggestion:
    return Suggestion(label, _KINDS.get(role_of(symbol, snapshot.context), "function"), detail_of(symbol))


def blocks(snapshot: Snapshot, position: Position) -> Iterator[Suggestion]:
    """The blocks of the region that a position is in, in the order of the text."""
    known = elaborated(snapshot, position.item)
    place = place_of(known, position)
    region = place[2] if place is not None else None
    labels = known.labels.get(region) if region is not None else None
    for label, block in labels.defined.items() if labels is not None else ():
        arguments = ", ".join(str(argument.type) for argument in block.arguments)
        yield Suggestion(label, "block", f"({arguments})" if arguments else "")


def aliases(snapshot: Snapshot, position: Position) -> Iterator[Suggestion]:
    """The aliases of types or of attributes, and what the dialects define."""
    known = aliases_for(snapshot, position.item)
    is_type = position.sign == "!"
    kind: Kind = "type" if is_type else "attribute"
    for name in known.types if is_type else known.attributes:
        yield Suggestion(f"{position.sign}{name}", kind, "alias")
    written, dot, _ = position.word[1:].partition(".")
    for name in (written,) if dot else snapshot.context.dialect_names():
        dialect = snapshot.context.dialect(name) if dot or not position.word[1:] or name.startswith(written) else None
        for mnemonic in (dialect.types if is_type else dialect.attributes) if dialect is not None else ():
            yield Suggestion(f"{position.sign}{name}.{mnemonic}", kind)
