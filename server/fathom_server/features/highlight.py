"""Highlights of the name at the cursor, and the names that are edited together with it."""

from __future__ import annotations

from collections.abc import Iterator

from fathom.records import record
from fathom_server.features.mentions import Mention, mentions
from fathom_server.model.places import spot_at
from fathom_server.model.snapshot import Snapshot

LINKED = frozenset(("VALUE", "BLOCK", "ALIAS", "EXCLAIM"))
"""The kinds of tokens whose names are edited in all places at once. Those of symbols may be known elsewhere."""


@record
class Linked:
    """The places of one name, each a start and an end, the name's own."""

    places: tuple[tuple[int, int], ...]


def highlights(snapshot: Snapshot, offset: int) -> list[Mention] | None:
    """The places of the name at an offset, in the order of the text: where it is given, which is to write, and where
    it is used, which is to read. None where no name stands that means something."""
    places = sorted(_once(mentions(snapshot, offset)), key=lambda mention: mention.start)
    return places or None


def linked(snapshot: Snapshot, offset: int) -> Linked | None:
    """The places of the name at an offset, without the number that stands behind it at some, as in `%x#1`; None unless
    it is one that is known to this document alone, and given in it."""
    spot = spot_at(snapshot, offset)
    if spot is None or spot.token.kind not in LINKED:
        return None
    name = spot.token.text.partition("#")[0] if spot.token.kind == "VALUE" else spot.token.text
    if offset > spot.start + len(name):
        return None
    given = next((mention for mention in mentions(snapshot, offset) if mention.is_definition), None)
    if given is None:
        return None
    # There all results that have the name are meant, and not one of them.
    places = sorted({mention.start for mention in mentions(snapshot, given.start)} | {spot.start})
    return Linked(tuple((start, start + len(name)) for start in places))


def _once(every: Iterator[Mention]) -> Iterator[Mention]:
    """Each place once: as one where the name is given, if it is that too."""
    places: dict[int, Mention] = {}
    for mention in every:
        if mention.start not in places or mention.is_definition:
            places[mention.start] = mention
    yield from places.values()
