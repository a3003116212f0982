"""Where the type of a value is defined: the alias that stands for it, or else what a dialect says of it."""

from __future__ import annotations

from fathom.elaborate.meaning import Meanings
from fathom.ir.operation import Span
from fathom.ir.types import Type
from fathom_server.features.mentions import of_alias
from fathom_server.features.navigation import DescribedName, described_name
from fathom_server.model.aliases import aliases_for
from fathom_server.model.places import spot_at, value_at
from fathom_server.model.snapshot import Snapshot


def type_definition(snapshot: Snapshot, offset: int) -> list[Span]:
    """The definitions of the aliases that stand for the type of the value at an offset; of the alias that stands
    there."""
    spot = spot_at(snapshot, offset)
    if spot is None:
        return []
    if spot.token.kind == "EXCLAIM":
        names = [spot.token.text]
    else:
        value = value_at(snapshot, spot) if spot.token.kind == "VALUE" else None
        if value is None:
            return []
        known = aliases_for(snapshot, spot.item)
        meanings = Meanings(snapshot.context, known)
        names = [f"!{name}" for name in known.types if meanings.alias_named(f"!{name}") == value.type]
    mentions = (mention for name in names if "." not in name for mention in of_alias(snapshot, spot.item, name))
    return [Span(mention.start, mention.end) for mention in mentions if mention.is_definition]


def described_type(snapshot: Snapshot, offset: int) -> DescribedName | None:
    """The name of the dialect's type that the value at an offset has, or that stands there."""
    spot = spot_at(snapshot, offset)
    value = value_at(snapshot, spot) if spot is not None and spot.token.kind == "VALUE" else None
    if value is None:
        described = described_name(snapshot, offset)
        return described if described is not None and described.kind == "type" else None
    return _name_of(value.type)


def _name_of(type: Type) -> DescribedName | None:
    dialect, _, name = type.full_name.partition(".")
    return DescribedName("type", dialect, name) if name else None
