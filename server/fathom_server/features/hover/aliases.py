"""Hovers of aliases: what they stand for."""

from __future__ import annotations

from fathom.elaborate.meaning import Meanings
from fathom.ir.types import Type
from fathom_server.features.hover.attributes import attribute_lines
from fathom_server.features.hover.texts import brief, code, together
from fathom_server.features.hover.types import detail_lines, parameter_lines, summary_lines
from fathom_server.model.aliases import aliases_for
from fathom_server.model.places import Spot
from fathom_server.model.snapshot import Snapshot


def alias_text(snapshot: Snapshot, spot: Spot) -> str | None:
    """An alias with what it stands for; None for a name that is none, and for one that stands for nothing."""
    name = spot.token.text
    aliases = aliases_for(snapshot, spot.item)
    if aliases.definition(name) is None:
        return None
    meaning = Meanings(snapshot.context, aliases).alias_named(name)
    if meaning is None:
        return None
    head = code(f"{name} = {brief(meaning)}")
    if not isinstance(meaning, Type):
        return together([head, *attribute_lines(meaning)])
    return together([head, *summary_lines(meaning)], [*parameter_lines(meaning), *detail_lines(meaning)])
