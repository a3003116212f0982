"""Tokens of one line, and the split of a line into its shape and its holes.

No token of MLIR spans lines, so a line is lexed alone. The *shape* of a line is what remains when its names, numbers,
strings and comment, the *holes*, are taken out; lines of one shape have the same structure (`fathom.syntax.shapes`).
Source of the rules: *MLIR Language Reference*, "Notation" and "Common syntax".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import accumulate, count, repeat
from operator import itemgetter
from typing import Final

from fathom.records import NamedTuple
from fathom.slices import paced
from fathom.syntax.carried import LONG, Carried, Carrier, short, width

_STRING: Final = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
_SUFFIX: Final = r"(?:[0-9]++|[A-Za-z$._-][A-Za-z0-9$._-]*+)"
_IN_ALIAS: Final = r"(?:[0-9]++|[A-Za-z$_-][A-Za-z0-9$_-]*+)(?!\.)"
_ALIAS: Final = rf"\#{_IN_ALIAS}"
"""The name of an alias; one with a dot is that of a dialect's attribute."""
_SPACED_X: Final = (
    r"[ \t]+x(?=[ \t]*(?:[0-9?*\[!]|//|$)|[ \t]+[A-Za-z]|(?:t?f|[su]?i)[0-9]|bf16|index|none"
    r"|(?:vector|tensor|memref|complex|tuple)<)"
)
"""The `x` behind an extent that stands apart from it, as in `vector<4 x f32>`."""
_IN_NUMBER: Final = r"[0-9]*+(?:\.[0-9]*+(?:[eE][-+]?[0-9]++)?+)?+(?![A-Za-z0-9_]|[ \t]*+\]x|(?:[ \t]*+\])?+[ \t]+x)"
"""What stands behind the first digit of a number; one with a word behind it that begins with `x` may be an extent."""
_EXTENT: Final = rf"(?:[0-9]+|\?|\[[ \t]*[0-9]+[ \t]*\])(?:x|{_SPACED_X})"
_UNRANKED: Final = rf"\*x|(?:(?<=<)|(?<=<[ ]))\*{_SPACED_X}"
_NO_EXTENT: Final = "(?!<0x)"
"""What stands behind a name that is a hole: of `tensor<0x4`, the last letter says whether that is a number."""

# Most characters of a line begin no hole. Where each alternative begins with a character that is told, digits one by
# one, `re` looks for these alone, which takes a third less time than to try at each character.
HOLE: Final = re.compile(
    "("
    + "|".join(
        (
            rf"%{_SUFFIX}(?:\#[0-9]++)?+{_NO_EXTENT}",
            *(rf"{digit}(?<![A-Za-z0-9_$.\#!\]?]{digit}){_IN_NUMBER}" for digit in "0123456789"),
            _STRING,
            rf"\^{_SUFFIX}{_NO_EXTENT}",
            rf"@(?:[A-Za-z_][A-Za-z0-9_$.]*+|{_STRING}){_NO_EXTENT}",
            rf"\#(?<!\{{-\#)(?!-\}}){_IN_ALIAS}{_NO_EXTENT}",
            "//.*",
        )
    )
    + ")"
)

_DIMS: Final = rf"(?:(?<=[fry]<)|(?<=[fry][ ]<)|(?!0x[0-9a-fA-F]+(?![A-Za-z0-9_]))){_EXTENT}(?:[ ]*{_EXTENT})*"

# The kinds and what their tokens are, the commonest first. An alternative whose first character is told is passed over
# where another one stands, which takes a fifth of the time off; so the group that tells the kind stands behind it.
_ALTERNATIVES: Final = (
    ("", r"[ \t\r\0]+"),
    ("BARE", r"[A-Za-z_][A-Za-z0-9_$.]*"),
    ("PUNCT", r"[()\]}<>,:=+|&](?:(?<=:):|(?<=[=>])=)?"),
    ("VALUE", rf"%{_SUFFIX}(?:\#[0-9]+)?"),
    ("DIMS", rf"(?=[0-9?\[*])(?:{_DIMS}|{_UNRANKED})"),
    ("HEX", r"0x[0-9a-fA-F]+"),
    ("FLOAT", r"[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?"),
    ("INTEGER", r"[0-9]+"),
    ("FILE", r"\{-\#"),
    ("FILE", r"\#-\}"),
    ("PUNCT", r"->?"),
    ("STRING", _STRING),
    ("SYMBOL", rf"@(?:[A-Za-z_][A-Za-z0-9_$.]*|{_STRING})"),
    ("BLOCK", rf"\^{_SUFFIX}"),
    ("EXCLAIM", rf"!{_SUFFIX}"),
    ("ALIAS", _ALIAS),
    ("HASH", rf"\#{_SUFFIX}"),
    ("", r"//.*"),
    ("PUNCT", r"\.\.\."),
    ("PUNCT", r"[\[{*?/]"),
    ("BAD", r"."),
)
_TOKEN: Final = re.compile("|".join(f"{pattern}()" if kind else pattern for kind, pattern in _ALTERNATIVES))
_KIND_OF: Final = ("", *(kind for kind, _ in _ALTERNATIVES if kind))
"""The kind by the number of the group."""
SPACE: Final = " \t\n\r\0"
"""White space, and what MLIR passes over like it. What else Unicode calls so is not white space in MLIR."""

_SIGNS: Final = '%^@"/#'
"""With what a hole begins that is no number."""
_KINDS: Final = str.maketrans("123456789", "000000000")
_first_character: Final = itemgetter(0)
_text_of: Final = itemgetter(1)
_column_of: Final = itemgetter(3)


class Token(NamedTuple):
    """`line` is relative to the first line lexed; `column` counts characters. Kinds are those above, `REGION`
    for a region that was parsed already, and `END`."""

    kind: str
    text: str
    line: int
    column: int

    @property
    def end(self) -> int:
        return self.column + width(self.text)


_new_token: Final[Callable[[type[Token], tuple[str, str, int, int]], Token]] = tuple[object, ...].__new__
"""Takes half the time of the constructor that a named tuple has."""


def tokens_of(line: str, number: int = 0, start: int = 0) -> list[Token]:
    """The tokens of a line from column `start` on, without white space and comments. A character that starts no token
    gives a `BAD` one."""
    if isinstance(line, Carrier):
        return [token for token in _tokens_of_carrier(line, number) if token.column >= start]
    matches = _TOKEN.finditer(line, start)
    tokens = [
        _new_token(Token, (_KIND_OF[group], match[0], number, match.start()))
        for match in (matches if len(line) < LONG else paced(matches))
        if (group := match.lastindex) is not None
    ]
    return _with_closers(tokens) if ">=" in line else tokens


def _with_closers(tokens: list[Token]) -> list[Token]:
    """The tokens, with each `>=` whose first half closes an angle as two, as in `memref<f32>= dense<1.0>`."""
    closed: list[Token] = []
    around: list[str] = []
    for token in tokens if len(tokens) < LONG else paced(tokens):
        if token.kind == "PUNCT" and token.text in "(<[{":
            around.append(token.text)
        elif token.kind == "PUNCT" and token.text in (")", ">", "]", "}", ">="):
            opened = around.pop() if around and (token.text != ">=" or around[-1] == "<") else ""
            if token.text == ">=" and opened:
                closed += (token._replace(text=">"), token._replace(text="=", column=token.column + 1))
                continue
        closed.append(token)
    return closed


_SHAPED: Final = frozenset(("tensor", "memref", "vector"))


_EXTENTS: Final = (("0",), ("?",), ("*",), ("[", "0", "]"))
"""The forms of an extent without its `x`, a number as `0`."""


def extent_at_end(tokens: Sequence[Token]) -> int:
    """How many tokens are, at the end of these, an extent of a shape that lacks its `x`, or the beginning of one, as a
    line may end with: `tensor<2`, `vector<3x[4]`, `vector<[`."""
    if not tokens or (tokens[-1].kind != "INTEGER" and tokens[-1].text not in ("?", "*", "[", "]")):
        return 0  # As most lines end, so that nothing more is looked at.
    texts = _forms(tokens[-3:])
    for form in _EXTENTS:
        for length in range(min(len(form), len(tokens) - 1), 0, -1):
            if texts[-length:] != form[:length]:
                continue
            before = tokens[-length - 1]
            opens = before.text == "<" and len(tokens) > length + 1 and tokens[-length - 2].text in _SHAPED
            if opens or before.kind == "DIMS":
                return length
    return 0


def _forms(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple("0" if token.kind == "INTEGER" else token.text for token in tokens)


def with_its_x(tokens: Sequence[Token]) -> list[Token]:
    """An extent and the word behind it, which a line break parts, as they belong to a shape if the word begins with
    `x`; what follows the `x` is still to be read."""
    *extent, word = tokens
    if word.kind != "BARE" or not word.text.startswith("x") or _forms(extent) not in _EXTENTS:
        return [*tokens]
    return [*(part._replace(kind="DIMS") for part in extent), Token("DIMS", "x", word.line, word.column)]


def _tokens_of_carrier(line: Carrier, number: int) -> Iterator[Token]:
    shift = 0
    for kind, text, _, column in tokens_of(line.short):
        literal = line.literals.get(column)
        yield Token(kind, Carried.of(line, literal) if literal else text, number, column + shift)
        if literal:
            shift = literal.end - column - len(text)


def without_lines(tokens: Sequence[Token], but: Collection[int] = ()) -> tuple[Token, ...]:
    """The tokens, those of long literals without the lines that carry them, so that a shape keeps no line; `but` for
    those of these indices."""
    if len(tokens) < LONG and Carried not in map(type, map(_text_of, tokens)):
        return tuple(tokens)
    return tuple(
        [
            token._replace(text=token.text.alone()) if isinstance(token.text, Carried) and index not in but else token
            for index, token in enumerate(tokens if len(tokens) < LONG else paced(tokens))
        ]
    )


def first_token(line: str, number: int, start: int = 0) -> Token | None:
    """The first token of a line from column `start` on, if it has any."""
    if isinstance(line, Carrier):
        return next((token for token in _tokens_of_carrier(line, number) if token.column >= start), None)
    while (match := _TOKEN.match(line, start)) is not None:
        if (group := match.lastindex) is not None:
            return Token(_KIND_OF[group], match[0], number, match.start())
        start = match.end()
    return None


def is_trivia(line: str) -> bool:
    """Whether a line is blank or a comment."""
    text = short(line).lstrip(SPACE)
    return not text or text.startswith("//")


SPLIT_MARKER: Final = "// -----"
_SPLIT: Final = re.compile(rf"[ \t]*{SPLIT_MARKER}[ \t]*(?://|[\r\n]|$)")


def is_split(line: str) -> bool:
    """Whether a line divides a text into parts that have nothing to do with each other, as tools read them with
    `--split-input-file`: `// -----`, also as it stands at the head of what they print between passes."""
    return _SPLIT.match(short(line)) is not None


def holes_of(line: str) -> list[str]:
    return HOLE.findall(line) if not isinstance(line, Carrier) else split_line(line)[1::2]


def split_line(line: str) -> list[str]:
    """A line as literal parts (even) and holes (odd) in turn."""
    if not isinstance(line, Carrier):
        return HOLE.split(line)
    parts = HOLE.split(line.short)
    column = 0
    for index, part in enumerate(parts):
        if index % 2 and (literal := line.literals.get(column)):
            parts[index] = Carried.of(line, literal)
        column += len(part)
    return parts


def shape_key(parts: list[str], holes: list[str]) -> tuple[str, ...]:
    """The key under which lines of one shape meet: the literal parts without the indentation, and the kind of each
    hole. `holes` are those among `parts`."""
    literals = parts[0::2]
    literals[0] = literals[0].lstrip(SPACE)
    if holes:
        kinds = "".join(map(_first_character, holes))
        if kinds.strip(_SIGNS):
            kinds = kinds.translate(_KINDS)
            kinds += "".join(["f" if "." in hole else "i" for hole in holes if hole[0].isdigit()])
        literals.append(kinds)
    return tuple(literals)


def hole_indices(parts: list[str], tokens: Sequence[Token]) -> list[int]:
    """For each token of a line that is split into `parts` the index of the hole that it is, or -1 for one of the shape.

    A hole may also be part of a token, as the number in `[4]x` is; it is no token's then.
    """
    is_short = len(parts) < LONG and len(tokens) < LONG
    # Nearly no line carries anything: then characters are counted by Python itself, and all is done by it.
    if is_short and Carried not in map(type, parts) and Carried not in map(type, map(_text_of, tokens)):
        starts = [*accumulate(map(len, parts), initial=0)][1::2]
        find = dict(zip(zip(starts, map(len, parts[1::2]), strict=False), count(), strict=False)).get
        return [*map(find, zip(map(_column_of, tokens), map(len, map(_text_of, tokens)), strict=True), repeat(-1))]
    holes: dict[tuple[int, int], int] = {}
    position = 0
    for index, part in enumerate(parts if is_short else paced(parts)):
        length = width(part)
        if index % 2:
            holes[position, length] = index // 2
        position += length
    return [holes.get((column, width(text)), -1) for _, text, _, column in (tokens if is_short else paced(tokens))]


def indentation(line: str) -> int:
    """The number of characters of white space before the first token."""
    line = short(line)
    return len(line) - len(line.lstrip(SPACE))
