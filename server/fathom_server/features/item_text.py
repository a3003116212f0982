"""An item as those see it who change its text: where in it operations stand, with their regions, and names that are
free there. Offsets count in the item, edits in the document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, count
from typing import Final

from fathom.cached import cached_property
from fathom.elaborate.elaborated import Elaborated
from fathom.ir.operation import Operation, Span, Value
from fathom.syntax.events import BrokenEndEvent, ErrorEvent, Event, OpenEvent, OpEvent, UnclosedEvent
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import Item
from fathom_server.features.edits import Replacement
from fathom_server.model.elaboration import elaborated
from fathom_server.model.mistakes import first_error
from fathom_server.model.snapshot import Snapshot

LAST: Final = 1 << 30
"""Stands for the last token of a statement."""

_NOT_IN_NAMES: Final = re.compile(r"[^\w$.-]+")


def unused(stem: str, is_taken: Callable[[str], bool]) -> str:
    """The stem, or the first of `stem_0`, `stem_1` and so on that is not taken."""
    names = chain([stem], (f"{stem}_{number}" for number in count()))
    return next(name for name in names if not is_taken(name))


class ItemText:
    """`base` is where the item begins."""

    def __init__(self, snapshot: Snapshot, item: Item, base: int) -> None:
        self.snapshot = snapshot
        self.item = item
        self.base = base
        self._asked: tuple[Piece, list[tuple[int, int]]] | None = None

    @cached_property
    def known(self) -> Elaborated:
        return elaborated(self.snapshot, self.item)

    @cached_property
    def text(self) -> str:
        """The text of the item."""
        return self.item.text

    @cached_property
    def is_sound(self) -> bool:
        """Whether nothing is wrong with the item."""
        return first_error(self.snapshot, self.item) is None

    # ---- edits

    def replaced(self, start: int, end: int, text: str) -> Replacement:
        """The replacement of a stretch of the item's text."""
        return Replacement(self.base + start, self.base + end, text)

    def inserted(self, place: int, text: str) -> Replacement:
        return self.replaced(place, place, text)

    def before(self, op: Operation, statement: str) -> Replacement:
        """A statement of its own before that of an operation."""
        start = self.statement(op).start
        return self.inserted(start, f"{statement}{self.line_break}{self.indent(start)}")

    def removed(self, start: int, end: int) -> Replacement:
        """The removal of a stretch of the item's text, with the lines that it leaves empty."""
        text = self.text
        first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        last = len(text) if last < 0 else last + 1
        if not text[first:start].strip() and not text[end:last].strip():
            return self.replaced(first, last, "")
        if not text[first:start].strip():
            end += len(text[end:last]) - len(text[end:last].lstrip(" \t"))
        return self.replaced(start, end, "")

    # ---- places

    def statement(self, op: Operation) -> Span:
        """Where the text of an operation begins, with the names of its results, and where that before its regions
        ends, or all of it."""
        sites = self.known.sites_of(op)
        own = op.span
        if not sites or own is None:
            return own or Span(0, 0)
        names = (site.span(token) for site in sites[:1] for token in self._result_tokens(op))
        return Span(min((name.start for name in names), default=own.start), own.end)

    def result_groups(self, op: Operation) -> list[tuple[int, list[Value]]]:
        """The names of an operation's results, by their tokens in its first statement, each with the results that it
        stands for."""
        sites = self.known.sites_of(op)
        definitions = sites[0].definitions if sites else {}
        return [(token, definitions[token]) for token in self._result_tokens(op)]

    def _result_tokens(self, op: Operation) -> list[int]:
        sites = self.known.sites_of(op)
        if not sites or not op.results:
            return []
        mine = set(op.results)
        return sorted(token for token, values in sites[0].definitions.items() if values and values[0] in mine)

    def extent(self, op: Operation) -> Span:
        """Where the text of an operation stands, with the names of its results and with its regions."""
        start = self.statement(op).start
        sites = self.known.sites_of(op)
        if not sites or op.span is None:
            return Span(start, start)
        index, last = self.item.pieces.index_of(sites[0].piece), op.span.end
        depth = 0
        for place, (piece, event) in enumerate(self._events_from(index)):
            if not depth and not (place == 0 or piece is sites[0].piece):
                break
            if not depth and not self._begins_at(piece, index, event, op.span.start):
                continue
            match event:
                case OpenEvent(_, _, _, _, reopens):
                    depth += not reopens
                case OpEvent(parsed, base, first, ends_region):
                    depth -= ends_region
                    if depth <= 0:
                        return Span(start, self._end_of(piece, base + parsed.end - first))
                case UnclosedEvent(_, count):
                    depth -= count
                case ErrorEvent(closes=True) | BrokenEndEvent():
                    depth -= 1
                case _:
                    continue
            if depth <= 0:
                break
        return Span(start, last)

    def _events_from(self, index: int) -> Iterator[tuple[Piece, Event]]:
        for piece in self.item.pieces.from_index(index):
            yield from ((piece, event) for event in piece.shape.events)

    def _begins_at(self, piece: Piece, index: int, event: Event, start: int) -> bool:
        """Whether an event is the beginning of the operation whose name begins at a place."""
        match event:
            case OpEvent(parsed, base, _, False):
                token = base + parsed.name_token
            case OpenEvent(open, base, _, _, False) if open.parsed is not None:
                token = base + open.parsed.name_token
            case _:
                return False
        spans = self._spans_of(piece)
        return token < len(spans) and self.item.start(index) + spans[token][0] == start

    def _end_of(self, piece: Piece, token: int) -> int:
        """Where the token before one ends."""
        start = self.item.start(self.item.pieces.index_of(piece))
        return start + self._spans_of(piece)[:token][-1][1]

    def _spans_of(self, piece: Piece) -> list[tuple[int, int]]:
        """Where the tokens of a statement stand in it. One after the other asks for those of the same."""
        if self._asked is None or self._asked[0] is not piece:
            self._asked = piece, piece.token_spans()
        return self._asked[1]

    def indent(self, place: int) -> str:
        """The white space at the beginning of the line of a place."""
        line = self.item.line_at(place)[2]
        return line[: len(line) - len(line.lstrip())].rstrip("\r\n")

    @property
    def line_break(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    # ---- names

    def name(self, value: Value) -> str:
        """What a use of the value is written as, `%x#1`; empty for one without a name here."""
        return self._names.get(value, "")

    @cached_property
    def _names(self) -> dict[Value, str]:
        names: dict[Value, str] = {}
        for site in self.known.sites.values():
            for token, values in site.definitions.items():
                text = site.text(token).partition(":")[0]
                for number, value in enumerate(values):
                    names[value] = text if len(values) == 1 else f"{text}#{number}"
        return names

    def fresh(self, stem: str) -> str:
        """A name of a value, like the stem, that does not stand in the text."""
        stem = _NOT_IN_NAMES.sub("_", stem.lstrip("%")).strip("_") or "v"
        # A name that begins with a digit has nothing else.
        stem = f"%v{stem}" if stem[0].isdigit() else f"%{stem}"
        return unused(stem, self.mentions)

    def mentions(self, name: str) -> bool:
        """Whether a name stands in the text."""
        return re.search(re.escape(name) + r"(?![\w$.-])", self.text) is not None
