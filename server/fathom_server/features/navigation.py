"""Where names are defined and used: values, blocks, symbols and aliases."""

from __future__ import annotations

from typing import Literal

from fathom.ir.operation import Span
from fathom.records import record
from fathom_server.features.mentions import mentions
from fathom_server.model.places import operation_at, spot_at
from fathom_server.model.snapshot import Snapshot


@record
class DescribedName:
    """The name of something that a dialect describes: an operation, a type or an attribute, without the dialect's."""

    kind: Literal["op", "type", "attribute"]
    dialect: str
    name: str


def described_name(snapshot: Snapshot, offset: int) -> DescribedName | None:
    """The name at an offset, if it is one that a description of a dialect may have."""
    spot = spot_at(snapshot, offset)
    if spot is None:
        return None
    match spot.token.kind:
        case "BARE" | "STRING":
            op = operation_at(snapshot, spot)
            dialect, _, name = op.name.partition(".") if op is not None else ("", "", "")
            return DescribedName("op", dialect, name) if name else None
        case "EXCLAIM" | "HASH" as sign:
            dialect, _, name = spot.token.text[1:].partition(".")
            return DescribedName("type" if sign == "EXCLAIM" else "attribute", dialect, name) if name else None
        case _:
            return None


def definition(snapshot: Snapshot, offset: int) -> list[Span]:
    """Where the name at an offset is defined."""
    return [Span(mention.start, mention.end) for mention in mentions(snapshot, offset) if mention.is_definition]


def references(snapshot: Snapshot, offset: int, include_declaration: bool) -> list[Span]:
    """Where the name at an offset is used, in the order of the text."""
    chosen = [m for m in mentions(snapshot, offset) if include_declaration or not m.is_definition]
    return [Span(mention.start, mention.end) for mention in sorted(chosen, key=lambda m: m.start)]
