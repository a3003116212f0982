"""Where in a text operations, labels and aliases stand: each with its own tokens, without what is in its regions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from fathom.elaborate.elaborated import Elaborated
from fathom.ir.operation import Block, Operation, Value
from fathom.records import NamedTuple, field, record
from fathom.slices import paced
from fathom.syntax.carried import whole
from fathom.syntax.events import AliasEvent, LabelEvent, OpenEvent, OpEvent
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import SyntaxTree

REGION: Final = "{…}"
"""The text of the token that stands for a region."""


_COMMENT: Final = re.compile(r"//[^\r\n]*(?<![ \t])")


class Token(NamedTuple):
    """A token and where it stands in the text."""

    text: str
    start: int
    end: int


@record(frozen=False, eq=False)
class Written:
    """Where an operation stands. `regions` are the places from the opening brace of each to behind the closing one;
    of its own `tokens`, one stands for each region."""

    op: Operation
    default_dialect: str
    tokens: list[Token] = field(default_factory=list["Token"])
    regions: list[tuple[int, int]] = field(default_factory=list["tuple[int, int]"])

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end


@record(eq=False)
class Label:
    """Where the label of a block stands, with its arguments."""

    block: Block
    tokens: Sequence[Token]


@record
class Alias:
    """Where the name of an alias stands, and what it stands for."""

    name: str
    tokens: Sequence[Token]


@record(frozen=False)
class Places:
    """All of them, each kind in the order of the text, where an operation comes before those in it."""

    operations: list[Written] = field(default_factory=list[Written])
    labels: list[Label] = field(default_factory=list[Label])
    aliases: list[Alias] = field(default_factory=list[Alias])


def places_of(tree: SyntaxTree, elaborated: Elaborated) -> Places:
    """The places of a text that was read without mistakes."""
    search = _Search(elaborated)
    for item, start in tree.items.with_offsets():
        for piece, offset in item.pieces.with_offsets():
            if piece.shape.events:
                search.piece(piece, start + offset)
    return search.places


def comments_of(tree: SyntaxTree) -> list[Token]:
    """The comments of a text that was read without mistakes, in their order."""
    ends = [0]
    for item, start in paced(tree.items.with_offsets()):
        for piece, offset in item.pieces.with_offsets():
            for first, last in piece.token_spans():
                ends += (start + offset + first, start + offset + last)
    ends.append(len(tree.text))
    text = tree.text
    return [
        Token(match[0], match.start(), match.end())
        for end, start in zip(ends[::2], ends[1::2], strict=True)
        for match in _COMMENT.finditer(text, end, start)
    ]


class _Search:
    def __init__(self, elaborated: Elaborated) -> None:
        self.elaborated = elaborated
        self.places = Places()
        self.open: list[Written | None] = []
        """The operations in whose regions the search is."""

    def piece(self, piece: Piece, start: int) -> None:
        tokens = [
            Token(whole(token.text), start + first, start + last)
            for token, (first, last) in zip(piece.tokens(), piece.token_spans(), strict=True)
        ]
        for event in paced(piece.shape.events):
            match event:
                case OpEvent(parsed, base, first, ends_region):
                    if ends_region:
                        self._close(tokens, base, base + parsed.end - first)
                    elif (written := self._begin(piece, base, base + parsed.name_token)) is not None:
                        written.tokens += tokens[base : base + parsed.end - first]
                case OpenEvent(open, base, brace, _, reopens):
                    if reopens:
                        self._reopen(tokens, base, brace)
                    elif open.parsed is not None:
                        written = self._begin(piece, base, base + open.parsed.name_token)
                        self._open(written, tokens, base, brace)
                case LabelEvent(label, base):
                    block = self.elaborated.block_at(piece, base + label.block)
                    if block is not None:
                        self.places.labels.append(Label(block, tuple(tokens[base : base + label.end])))
                case AliasEvent(alias, base):
                    end = _end_of_alias(piece, base, len(tokens))
                    self.places.aliases.append(Alias(tokens[base + alias.name].text, tuple(tokens[base:end])))
                case _:
                    pass

    def _begin(self, piece: Piece, base: int, name: int) -> Written | None:
        op = self.elaborated.operation_at(piece, name)
        if op is None:
            return None
        written = Written(op, piece.frame.default_dialect)
        if self.open:
            # The frame is that of the statement, in which regions may have begun since.
            around = self.open[-1]
            definition = around.op.definition if around is not None else None
            written.default_dialect = definition.default_dialect if definition is not None else ""
        self.places.operations.append(written)
        return written

    def _open(self, written: Written | None, tokens: Sequence[Token], first: int, brace: int) -> None:
        self.open.append(written)
        if written is not None:
            written.tokens += tokens[first:brace]
            written.regions.append((tokens[brace].start, tokens[brace].end))

    def _ends_at(self, written: Written, closing: Token) -> None:
        start, _ = written.regions[-1]
        written.regions[-1] = start, closing.end
        written.tokens.append(Token(REGION, start, closing.end))

    def _reopen(self, tokens: Sequence[Token], base: int, brace: int) -> None:
        written = self.open[-1] if self.open else None
        if written is not None:
            self._ends_at(written, tokens[base - 1])
            written.tokens += tokens[base:brace]
            written.regions.append((tokens[brace].start, tokens[brace].end))

    def _close(self, tokens: Sequence[Token], base: int, end: int) -> None:
        written = self.open.pop() if self.open else None
        if written is not None:
            self._ends_at(written, tokens[base - 1])
            written.tokens += tokens[base:end]


def _end_of_alias(piece: Piece, base: int, count: int) -> int:
    """Behind which token an alias ends: where the next thing of its statement begins."""
    starts = [getattr(event, "base", 0) for event in piece.shape.events]
    return min((start for start in starts if start > base), default=count)


def names_in(elaborated: Elaborated) -> Iterator[tuple[Value, str]]:
    """The values that have a name in the text, with what a use of each is written as, such as `%x#1`."""
    for site in elaborated.sites.values():
        for token, values in site.definitions.items():
            text = site.text(token).partition(":")[0]
            for number, value in enumerate(values):
                yield value, text if len(values) == 1 else f"{text}#{number}"
