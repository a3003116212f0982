"""An alias for a type or an attribute wherever it is written in a part of the document, and back.

func.func @f(%m: memref<4xf32>, %n: memref<4xf32>)   ->   !memref_4xf32 = memref<4xf32>
                                                          func.func @f(%m: !memref_4xf32, %n: !memref_4xf32)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from fathom.ir.attributes import TypeAttr
from fathom.ir.types import Type
from fathom.syntax.events import AliasEvent
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import Item
from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.sameness import means_the_same
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.features.written_types import Written, written_in
from fathom_server.model.snapshot import Snapshot

LONGEST: Final = 40
"""So many characters the name of an alias has, and the text of a type in a title."""

MOST_TOKENS: Final = 20_000
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9]+")


def offered_to_extract(selection: Selection) -> Iterator[Offer]:
    """On a type or an attribute in an item without mistakes that is no alias itself. Of a very long statement none is
    offered, since it would be read anew for that."""
    item, spot = selection.sound, selection.spot
    if item is None or spot is None or not item.known.operations or len(spot.piece.shape.tokens) > MOST_TOKENS:
        return
    first, last = selection.start - item.base - spot.piece_start, selection.end - item.base - spot.piece_start
    around = [written for written in written_in(spot.piece) if written.start <= first and last <= written.end]
    if around:
        least = around[-1]
        what = "type" if least.is_type else "attribute"
        start = item.base + spot.piece_start
        yield Offer(f"Give the {what} `{_short(least.text)}` an alias", (start + least.start, start + least.end))


def extract(snapshot: Snapshot, start: int, end: int) -> Made:
    """An alias at the beginning of the part, and its name wherever the same is written."""
    tree = snapshot.tree
    index = tree.item_at_offset(start)
    item, base = tree.items[index], tree.start(index)
    wanted = item.text_between(start - base, end - base)
    sigil = "!" if _is_type(item, start - base, wanted) else "#"
    around = tree.split_around(index)
    places = [
        (tree.start(number) + piece_start + part.start, tree.start(number) + piece_start + part.end)
        for number in range(around.start, around.stop)
        for piece, piece_start in tree.items[number].pieces.with_offsets()
        if any(wanted.split("\n")[0] in line for line in piece.lines) and not alias_of(piece)
        for part in written_in(piece)
        if part.text == wanted
    ]
    name = _free(snapshot, around, sigil + (_NOT_IN_NAMES.sub("_", wanted).strip("_")[:LONGEST].strip("_") or "alias"))
    place, line_break = _place_for_alias(snapshot, around)
    for meant in (wanted, *(f"{wanted} : {type}" for type in _types_at(snapshot, start))):
        definition = Replacement(place, place, f"{name} = {meant}{line_break}")
        # Not everywhere may an alias stand; where it was asked for it may.
        for extent in (places, [(start, end)]):
            edit = [definition, *(Replacement(first, last, name) for first, last in extent)]
            if means_the_same(snapshot, edit):
                return edit
    return Refusal("an alias cannot stand there")


def _types_at(snapshot: Snapshot, place: int) -> list[Type]:
    """The types of the attributes of the operation at a place, one of which may go without saying there."""
    op = Selection(snapshot, place, place).operation
    values = (*op.properties.values(), *op.attributes.values()) if op is not None else ()
    types = (getattr(value, "type", None) for value in values if not isinstance(value, TypeAttr))
    return list(dict.fromkeys(type for type in types if isinstance(type, Type)))


def offered_to_inline(selection: Selection) -> Iterator[Offer]:
    """On the name of an alias, at its definition or where it is used."""
    spot = selection.spot
    if spot is None or spot.token.kind not in ("ALIAS", "HASH", "EXCLAIM") or "." in spot.token.text:
        return
    name = spot.token.text
    if _definition(selection.snapshot, spot.item, name) is not None:
        yield Offer(f"Write out the alias `{name}`", (name, spot.start))


def inline(snapshot: Snapshot, name: str, at: int) -> Made:
    """What the alias stands for wherever its name is, without the alias."""
    tree = snapshot.tree
    index = tree.item_at_offset(at)
    definition = _definition(snapshot, tree.items[index], name)
    if definition is None:
        return Refusal(f"there is no alias {name}")
    statement, event = definition
    value = event.alias.value
    spans = statement.token_spans()
    text = statement.text[spans[event.base + value.start][0] : spans[event.base + value.end - 1][1]]
    edit: list[Replacement] = []
    around = tree.split_around(index)
    for number in range(around.start, around.stop):
        start = tree.start(number)
        for piece, offset in tree.items[number].pieces.with_offsets():
            if piece is statement:
                edit.append(Replacement(start + offset, start + offset + piece.length, ""))
            elif any(name in line for line in piece.lines):
                for token, (first, last) in zip(piece.tokens(), piece.token_spans(), strict=True):
                    if token.text == name:
                        edit.append(Replacement(start + offset + first, start + offset + last, text))
    return edit if means_the_same(snapshot, edit) else Refusal(f"what {name} stands for cannot stand there")


def _definition(snapshot: Snapshot, item: Item, name: str) -> tuple[Piece, AliasEvent] | None:
    """The statement that defines an alias in the part of the document in which an item stands."""
    tree = snapshot.tree
    around = tree.split_around(tree.index_of(item))
    for near in tree.items[around.start : around.stop]:
        for piece in near.pieces:
            event = alias_of(piece)
            if event is not None and piece.texts(event.base)(event.alias.name) == name:
                return piece, event
    return None


def alias_of(piece: Piece) -> AliasEvent | None:
    """What a statement says, if that is one alias and no more."""
    events = piece.shape.events
    return events[0] if len(events) == 1 and isinstance(events[0], AliasEvent) else None


def _is_type(item: Item, place: int, text: str) -> bool:
    index = item.piece_at(place)
    start = item.start(index)
    parts: Iterator[Written] = written_in(item.pieces[index])
    return next((part.is_type for part in parts if start + part.start == place and part.text == text), True)


def _free(snapshot: Snapshot, around: range, name: str) -> str:
    """A name of an alias, like this one, that none has in a part of the document. A digit does not begin it."""
    sigil, stem = name[0], name[1:] if not name[1].isdigit() else f"_{name[1:]}"
    taken = {
        piece.texts(event.base)(event.alias.name)
        for item in snapshot.tree.items[around.start : around.stop]
        for piece in item.pieces
        if (event := alias_of(piece)) is not None
    }
    number, name = 0, sigil + stem
    while name in taken:
        name = f"{sigil}{stem}_{number}"
        number += 1
    return name


def _place_for_alias(snapshot: Snapshot, around: range) -> tuple[int, str]:
    """Before the first statement of a part of the document that is no alias, with the comments right above it, and a
    line break as that has it. Behind comments with which the text begins, which are about all of it."""
    tree = snapshot.tree
    for index in range(around.start, around.stop):
        item = tree.items[index]
        for piece, offset in item.pieces.with_offsets():
            if piece.shape.is_trivia or item.begins_split or alias_of(piece) is not None:
                continue
            start = tree.start(index) + offset
            number = first = tree.line_of(start)[0]
            while number and tree.line(number - 1).lstrip().startswith("//") and "RUN:" not in tree.line(number - 1):
                number -= 1
            line_break = "\r\n" if piece.text.endswith("\r\n") else "\n"
            return (tree.line_start(number) if number and number < first else start), line_break
    return tree.start(around.start), "\n"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
