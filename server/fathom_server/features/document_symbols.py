"""What a document holds, for its outline: the symbols, with the blocks and the values that have names of their own in
them. All is read off the syntax, so that it is there while parts of the document are broken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from fathom.records import NamedTuple, field, record
from fathom.slices import paced
from fathom.syntax.events import BrokenEndEvent, ErrorEvent, LabelEvent, OpenEvent, OpEvent, UnclosedEvent
from fathom.syntax.shapes import Shape
from fathom.syntax.tree import Item
from fathom_server.features.symbols import OutlineEntry, outline
from fathom_server.model.scoping import Role
from fathom_server.model.snapshot import Snapshot

MOST_DETAILS: Final = 5_000
"""So many blocks and values of a document are shown."""
LONGEST: Final = 100


@record(frozen=False)
class Element:
    """A part of the document with a name, and those inside it; offsets of the document."""

    name: str
    kind: Literal["split", "symbol", "block", "value", "type"]
    role: Role | None
    detail: str
    start: int
    end: int
    name_start: int
    name_end: int
    children: list[Element] = field(default_factory=list["Element"])


class _Named(NamedTuple):
    """A name that statements of a shape give, to a block or to results: its token, how much deeper than before the
    statement it stands, and the name of the operation; none for a block, whose label ends with the token `last`."""

    token: int
    depth: int
    op_name: str
    last: int


def document_symbols(snapshot: Snapshot) -> list[Element]:
    """The elements at the top level, in the order of the text."""
    left = [MOST_DETAILS]
    return [_element(snapshot, entry, left) for entry in outline(snapshot)]


def _element(snapshot: Snapshot, entry: OutlineEntry, left: list[int]) -> Element:
    symbol = entry.symbol
    made = Element(
        entry.name,
        "split" if symbol is None else "symbol",
        entry.role,
        entry.detail,
        entry.start,
        max(entry.end, entry.name_end),
        entry.name_start,
        entry.name_end,
        [_element(snapshot, child, left) for child in entry.children],
    )
    if symbol is not None and symbol.has_body and entry.role is not Role.TABLE:
        start = entry.start - symbol.start
        made.children += _inside(symbol.item, start, symbol.end, symbol.full_end, left)
    return made


class _Open:
    """The elements that a place is in, the outermost first, each with its level: those of two regions one in the other
    differ by two, and a value is one level in the block where it stands."""

    def __init__(self) -> None:
        self.top: list[Element] = []
        self._stack: list[tuple[int, Element]] = []

    def add(self, level: int, element: Element, end: int) -> None:
        """Takes in an element; what it is not in ends at an offset."""
        while self._stack and self._stack[-1][0] >= level:
            self._leave(end)
        (self._stack[-1][1].children if self._stack else self.top).append(element)
        self._stack.append((level, element))

    def end_at(self, depth: int, before: int, end: int) -> None:
        """The statement between two offsets ends so many regions deep."""
        while self._stack and self._stack[-1][0] > 2 * depth:
            self._leave(before if self._stack[-1][1].kind == "block" else end)

    def _leave(self, end: int) -> None:
        _, element = self._stack.pop()
        element.end = max(element.end, end)


def _inside(item: Item, start: int, first: int, last: int, left: list[int]) -> list[Element]:
    """The blocks and named values between two offsets of an item, which begins at an offset of the document."""
    open = _Open()
    before = first
    for index in paced(range(item.piece_at(first), len(item.pieces))):
        piece, offset = item.pieces[index], item.start(index)
        if offset >= last or left[0] <= 0:
            break
        named = piece.shape.known(_names)
        spans, text = (piece.token_spans(), piece.text) if named else ([], "")
        for one in named:
            low, high = spans[one.token]
            name = text[low:high]
            if not first <= offset + low < last or name[1:].isdigit() or left[0] <= 0:
                continue
            element = _element_of(name, one, start + offset + low, start + offset + high)
            if not one.op_name:
                element.detail = text[high : max(spans[one.last][0], high)].strip()[:LONGEST]
            open.add(2 * (piece.frame.depth + one.depth) + bool(one.op_name), element, start + before)
            left[0] -= 1
        depth = piece.frame.depth - piece.shape.pops + len(piece.shape.pushes)
        open.end_at(depth, start + before, start + min(offset + piece.end, last))
        before = max(min(offset + piece.end, last), before)
    open.end_at(-1, start + before, start + before)
    return open.top


def _element_of(name: str, named: _Named, start: int, end: int) -> Element:
    kind = "value" if named.op_name else "block"
    return Element(name, kind, None, named.op_name, start, end, start, end)


def _names(shape: Shape) -> tuple[_Named, ...]:
    """The names that the statements of a shape give."""
    return tuple(_named_in(shape))


def _named_in(shape: Shape) -> Iterator[_Named]:
    depth = 0
    for event in paced(shape.events):
        match event:
            case LabelEvent(label, base):
                yield _Named(base + label.block, depth, "", base + max(label.end - 1, label.block))
            case OpEvent(parsed, base, _, ends_region):
                depth -= ends_region
                for group in parsed.result_groups if not ends_region else ():
                    yield _Named(base + group.token, depth, parsed.name, 0)
            case OpenEvent(open, base, _, _, reopens):
                parsed = open.parsed
                for group in parsed.result_groups if parsed is not None and not reopens else ():
                    yield _Named(base + group.token, depth, parsed.name if parsed is not None else "", 0)
                depth += not reopens
            case UnclosedEvent(_, count):
                depth -= count
            case ErrorEvent(_, _, _, _, parsed, base, closes):
                depth -= closes
                for group in parsed.result_groups if parsed is not None and not closes else ():
                    yield _Named(base + group.token, depth, parsed.name if parsed is not None else "", 0)
            case BrokenEndEvent():
                depth -= 1
            case _:
                pass
