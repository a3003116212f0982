"""Where the cursor is: the word before it, and what the parser would take there. What stands behind it on its line is
as a rule not whole yet, and has no part in this."""

from __future__ import annotations

from typing import Final

from fathom.records import record
from fathom.syntax.carried import LONG
from fathom.syntax.expected import Expected, expected_after
from fathom.syntax.frames import Frame
from fathom.syntax.lexer import Token, is_trivia, tokens_of
from fathom.syntax.tree import Item
from fathom_server.model.snapshot import Snapshot

MOST_LINES: Final = 1000
MOST_CHARACTERS: Final = 20_000
"""So much of a statement is read before the cursor; of a longer one the line alone."""

_NAMES: Final = ("BARE", "VALUE", "SYMBOL", "BLOCK", "EXCLAIM", "ALIAS", "HASH")
_NUMBERS: Final = ("INTEGER", "FLOAT", "HEX")
_SIGNS: Final = ("%", "^", "@", "!", "#")


@record
class Position:
    """A place in an item: `word` is what of a word stands before the cursor, from `start` on; what stands up to `end`
    belongs to it. `sign` is what it begins with, if that says what it is: `%`, `^`, `@`, `!` or `#`. `index` is the
    statement's; with `begins_line`, nothing stands on the line before the word. `before` are the tokens of the
    statement before it. `expected` is what the parser would take in its place; the name of an operation may stand in
    quotes, and what an attribute has as a string does. With `follows_brace`, a closing brace follows the word on its
    line."""

    item: Item
    index: int
    start: int
    end: int
    word: str
    sign: str
    is_quoted: bool
    begins_line: bool
    before: tuple[Token, ...]
    expected: Expected
    follows_brace: bool = False

    @property
    def gives_name(self) -> bool:
        """Whether a name with a sign is given here, and none is used."""
        expected = self.expected
        if self.is_open:
            return False
        begins = expected.statement and (self.begins_line or not expected.kinds)
        if self.sign in ("!", "#"):
            return begins and expected.around is None
        return begins or (expected.new and self.sign != "^")

    @property
    def takes_operation(self) -> bool:
        """Whether an operation may begin here, or its name stand behind its results."""
        expected = self.expected
        begins = expected.statement and (self.begins_line or not (expected.kinds or expected.words))
        return (begins or expected.operation) and not self.is_open

    @property
    def is_open(self) -> bool:
        """Whether nothing is known of what may stand there: behind a mistake, or in an operation that nobody knows."""
        expected = self.expected
        is_kept = expected.parsed is not None and not expected.parsed.known
        return expected.is_lost or (is_kept and not self.begins_line)


def position_at(snapshot: Snapshot, offset: int) -> Position | None:
    """The position at an offset; None in a comment or a number, in a string that is neither an attribute nor the name
    of an operation, and on a line of a size that nobody types."""
    tree = snapshot.tree
    if not tree.items:
        return None
    number, line_start, line = tree.line_at(offset)
    if len(line) >= LONG:
        return None
    column = offset - line_start
    tokens = tokens_of(line[:column])
    if "//" in line[tokens[-1].end if tokens else 0 : column]:
        return None
    word, quote = _word_before(tokens, column)
    if word is None:
        return None
    text = "".join(token.text for token in word)
    head = line[: column - len(text) - quote]
    index = tree.item_at_offset(offset)
    item = tree.items[index]
    piece = item.piece_at(max(offset - tree.start(index), 0))
    lines, frame = _lines_before(snapshot, item, piece, number, is_blank=not head.strip())
    expected = _expected(snapshot, [*lines, head], frame, item.pieces[piece].frame)
    takes_string = expected.unfinished is not None and "STRING" in expected.unfinished.terminals
    if quote and not (expected.statement or expected.operation or takes_string):
        return None
    sign = text[:1] if text[:1] in _SIGNS else ""
    start, end = offset - len(text), offset + _length_of_rest(line, column)
    before = [token for row, line_text in enumerate((*lines, head)) for token in tokens_of(line_text, row)]
    follows_brace = line[column + end - offset :].lstrip().startswith("}")
    begins_line = not head.strip()
    return Position(
        item, piece, start, end, text, sign, bool(quote), begins_line, tuple(before), expected, follows_brace
    )


def _word_before(tokens: list[Token], column: int) -> tuple[list[Token] | None, int]:
    """The tokens that make up the word before a column, and the width of the quote before it; None inside of a string
    or a number."""
    string = next((index for index, token in enumerate(tokens) if token.kind == "BAD" and token.text == '"'), None)
    if string is not None:
        word = tokens[string + 1 :]
        is_whole = len(word) <= 1 and all(token.kind == "BARE" for token in word)
        is_near = (word[0].column if word else column) == tokens[string].end
        is_name = string and tokens[string - 1].text == "@"
        return (word, 1) if is_whole and is_near and not is_name else (None, 0)
    if not tokens or tokens[-1].end != column:
        return [], 0
    last = tokens[-1]
    if last.kind in _NUMBERS or last.kind == "STRING":
        return None, 0
    if last.text == "#" and len(tokens) > 1 and tokens[-2].kind == "VALUE" and tokens[-2].end == last.column:
        return tokens[-2:], 0
    if last.kind in _NAMES or (last.kind == "BAD" and last.text in _SIGNS):
        return [last], 0
    return [], 0


def _length_of_rest(line: str, column: int) -> int:
    """How many characters behind a column belong to the word there."""
    rest = 0
    while column + rest < len(line) and (line[column + rest].isalnum() or line[column + rest] in "_.$"):
        rest += 1
    return rest


def _lines_before(
    snapshot: Snapshot, item: Item, index: int, number: int, *, is_blank: bool
) -> tuple[list[str], Frame]:
    """What stands before line `number` of the statement that it belongs to, with the frame in which that begins;
    `index` is the statement that the line is in, or the one before it. A line that `is_blank` so far may go on with the
    statement before it. None of a statement that is too long to be read."""
    pieces, item_line = item.pieces, snapshot.tree.first_line(snapshot.tree.index_of(item))
    first = item_line + pieces.line(index)
    if pieces[index].shape.is_trivia or (first >= number and is_blank):
        before = item.last_statement(index + (first < number))
        if before >= 0:
            index, first = before, item_line + pieces.line(before)
    if number - first > MOST_LINES:
        return [], pieces[index].frame
    lines = [snapshot.tree.line(row) for row in range(first, number)]
    if sum(map(len, lines)) > MOST_CHARACTERS:
        return [], pieces[index].frame
    while lines and is_trivia(lines[0]):
        del lines[0]
    return lines, pieces[index].frame


def _expected(snapshot: Snapshot, lines: list[str], frame: Frame, own: Frame) -> Expected:
    """What the parser would take at the end of some lines, which begin in a frame; `own` is that of the statement which
    the last line is part of."""
    shapes = snapshot.context.shapes
    expected = expected_after(frame, lines, snapshot.context, shapes.fragments)
    is_known = expected.parsed is None or expected.parsed.known
    if lines[-1].strip() or (is_known and not expected.is_lost):
        return expected
    # Where what stands before is not understood, something may well begin here.
    return Expected(statement=True, around=own.open, default_dialect=own.default_dialect)
