"""One statement: the changes between its tokens, of its lines, and of the comments in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.formatting.change import Change, put
from fathom.formatting.comments import Margin, Move, between
from fathom.formatting.layout import Layout
from fathom.formatting.lines import content_end, line_end, margin
from fathom.formatting.spacing import KEPT, RAW
from fathom.syntax.lexer import Token, indentation
from fathom.syntax.pieces import Piece

INDENT: Final = 2
"""Columns for each region, as MLIR prints."""
CONTINUED: Final = 4
"""Columns by which a line that goes on with an operation stands deeper, if its author has it no deeper."""

_CLOSING: Final = frozenset(")]}>")
_OPENING: Final = frozenset("([{<")


class Laid:
    """A statement as it is laid out, token by token.

    `piece` begins at offset `start` and line `line` of the text; `margin` takes in the comments behind code.
    """

    def __init__(self, piece: Piece, layout: Layout, start: int, line: int, behind: Margin) -> None:
        self.piece = piece
        self.layout = layout
        self.line = line
        self.behind = behind
        self.starts: list[int] = []
        for text in piece.lines:
            self.starts.append(start)
            start += len(text)
        self.depth = piece.frame.depth
        self.opening = layout.opening
        self.code = Move(margin(piece.lines[0]), self.begun(0))
        """Where the line of code stood on which the last operation began, or went on behind a region, and stands."""
        self.first = self.code
        self.column = 0
        """Where the last token ends now."""
        self.open: list[tuple[Token, int]] = []
        """The brackets that the operation has open, with the column of what stands inside, 0 at the end of a line."""

    def changes(self) -> Iterator[Change]:
        """All changes but those of comments behind code, in no order."""
        layout = self.layout
        if layout.is_clean:
            yield from self.only_line()
            return
        before: Token | None = None
        for index, token in enumerate(self.piece.tokens()):
            if before is None:
                yield from self.indent(token, self.code.new)
                if token.line:
                    yield from self.between(-1, token.line, self.code)
            elif index in layout.starts:
                yield from self.begin(before, token, self.begun(index))
            elif token.line == before.line:
                yield from self.space(before, token, layout.gaps[index])
            else:
                yield from self.go_on(before, token, layout.gaps[index])
            self.follow(before, token, index)
            before = token
        if before is not None:
            yield from self.tail(before)
            yield from self.between(before.line, len(self.starts), self.code)

    def begun(self, index: int) -> int:
        """The column of a token that begins a line of its own. The label of a block may stand outside of any region."""
        return INDENT * max(self.depth + self.layout.starts.get(index, 0), 0)

    def only_line(self) -> Iterator[Change]:
        """A statement of one line, in which nothing changes between the tokens."""
        line, start = self.piece.lines[0], self.starts[0]
        lead = indentation(line)
        yield from put(start, start + lead, line[:lead], " " * self.code.new)
        end = self.piece.end
        yield from self.finish(0, end, self.code.new + end - lead)

    # ---- what stands before a token

    def indent(self, token: Token, column: int) -> Iterator[Change]:
        """Before the first token of a line."""
        lead = self.piece.lines[token.line][: token.column]
        start = self.starts[token.line]
        self.column = column
        yield from put(start, start + token.column, lead, " " * column)

    def begin(self, before: Token, token: Token, column: int) -> Iterator[Change]:
        """Before what begins a line of its own."""
        old = margin(self.piece.lines[token.line])
        if token.line != before.line:
            yield from self.tail(before)
            yield from self.between(before.line, token.line, Move(old, column))
            yield from self.indent(token, column)
        else:
            start = self.starts[token.line]
            yield Change(
                start + before.end, start + token.column, (line_end(self.piece.lines[0]) or "\n") + " " * column
            )
            self.column = column
        self.code = Move(old, column)
        self.open.clear()

    def space(self, before: Token, token: Token, wanted: str | None) -> Iterator[Change]:
        """Between two tokens of a line."""
        old = self.piece.lines[token.line][before.end : token.column]
        if wanted is None:
            new = " " if old else ""
        else:
            new = old if wanted in (KEPT, RAW) else wanted
        start = self.starts[token.line]
        self.column += len(new)
        yield from put(start + before.end, start + token.column, old, new)

    def go_on(self, before: Token, token: Token, wanted: str | None) -> Iterator[Change]:
        """Before the first token of a line that goes on with an operation."""
        old = margin(self.piece.lines[token.line])
        if wanted == RAW:
            self.column = token.column
            return
        yield from self.tail(before)
        column = self.kept(token, old) if wanted == KEPT else max(self.continued(token, old), 0)
        yield from self.between(before.line, token.line, Move(old, column))
        yield from self.indent(token, column)

    def kept(self, token: Token, old: int) -> int:
        """The column of a line that goes on with an operation that nobody knows: it moves with it, and stays deeper
        than it if it is: on that may depend whether it goes on."""
        column = old + self.code.new - self.code.old
        is_deeper = token.column > indentation(self.piece.lines[0])
        return max(column, self.code.new + 1) if is_deeper else max(min(column, self.code.new), 0)

    def continued(self, token: Token, old: int) -> int:
        """The column of a line that goes on with an operation."""
        deeper = old - self.code.old
        for bracket, column in self.open[::-1]:
            if column and self.inside(bracket) in (old, None) and token.text not in _CLOSING:
                return column
            if deeper > 0:
                break
            if column and token.text not in _CLOSING:
                return column
        may_be_level = self.open or token.text in _CLOSING or token.line in self.opening
        if deeper > 0 or (deeper == 0 and may_be_level):
            return self.code.new + deeper
        return self.code.new + (0 if token.text in _CLOSING else CONTINUED)

    def inside(self, bracket: Token) -> int | None:
        """The column at which the author has what stands behind a bracket on its line."""
        line = self.piece.lines[bracket.line]
        text = line[bracket.end :]
        return bracket.end + len(text) - len(text.lstrip(" \t"))

    def follow(self, before: Token | None, token: Token, index: int) -> None:
        """Keeps account of columns and brackets."""
        if before is not None and self.open and self.open[-1][0] is before and token.line == before.line:
            self.open[-1] = (before, self.column)
        self.column += token.end - token.column
        if token.kind != "PUNCT":
            return
        if token.text in _OPENING:
            self.open.append((token, 0))
        elif token.text in _CLOSING and self.open:
            self.open.pop()

    # ---- what stands behind the code of a line

    def tail(self, last: Token) -> Iterator[Change]:
        """Behind the last token of a line."""
        return self.finish(last.line, last.end, self.column)

    def finish(self, number: int, end: int, width: int) -> Iterator[Change]:
        """Behind the code of a line, which ends at column `end` and is `width` columns wide now."""
        line, start = self.piece.lines[number], self.starts[number]
        last = content_end(line)
        if last > end:
            text = line[end:last]
            gap = text[: text.index("/")]
            place = start + end, start + end + len(gap)
            yield from self.behind.add(self.line + number, end + len(gap), place, gap, width)
        stop = len(line) - len(line_end(line))
        yield from put(start + max(last, end), start + stop, line[max(last, end) : stop], "")

    def between(self, first: int, last: int, following: Move) -> Iterator[Change]:
        """The lines between two of a statement, which are blank or comments."""
        lines = [(self.starts[number], self.piece.lines[number]) for number in range(first + 1, last)]
        yield from between(lines, False, lambda _, old: max(old + following.new - following.old, 0) if old else 0)
