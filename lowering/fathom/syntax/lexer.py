"""Tokens of one line, and the split of a line into its shape and its holes.

No token of MLIR spans lines, so a line is lexed alone. The *shape* of a line is what remains when its names, numbers,
strings and comment, the *holes*, are taken out; lines of one shape have the same structure (`fathom.syntax.shapes`).
Source of the rules: *MLIR Language Reference*, "Notation" and "Common syntax".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

_STRING: Final = r'"(?:[^"\\\n]|\\.)*"'
_SUFFIX: Final = r"(?:[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)"
_SPACED_X: Final = r"[ \t]+x(?=[ \t]*(?:[0-9?*\[!]|$)|[ \t]+[A-Za-z]|[fi][0-9]|bf16|index)"
"""The `x` behind an extent that stands apart from it, as in `vector<4 x f32>`."""
_NUMBER: Final = rf"[0-9]+(?:\.[0-9]*(?:[eE][-+]?[0-9]+)?)?(?![A-Za-z0-9_]|{_SPACED_X}|\](?:x|{_SPACED_X}))"
_EXTENT: Final = rf"(?:[0-9]+|\?|\[[0-9]+\])(?:x|{_SPACED_X})"

HOLE: Final = re.compile(
    rf"""({_STRING}|[%^]{_SUFFIX}(?:\#[0-9]+)?|@(?:[A-Za-z_][A-Za-z0-9_$.]*|{_STRING})|//.*|(?<![A-Za-z0-9_$.\#!\]?]){_NUMBER})"""
)
"""`HOLE.split(line)` alternates literal parts (even) and holes (odd)."""

_TOKEN: Final = re.compile(
    rf"""
    [ \t\r\f\v\0]+ | //.*
    | (?P<FILE>\{{-\#|\#-\}})
    | (?P<VALUE>%{_SUFFIX}(?:\#[0-9]+)?)
    | (?P<BARE>[A-Za-z_][A-Za-z0-9_$.]*)
    | (?P<STRING>{_STRING})
    | (?P<SYMBOL>@(?:[A-Za-z_][A-Za-z0-9_$.]*|{_STRING}))
    | (?P<BLOCK>\^{_SUFFIX})
    | (?P<DIMS>(?:(?<=[fry]<)|(?!0x[0-9a-fA-F]+(?![A-Za-z0-9_]))){_EXTENT}(?:[ ]*{_EXTENT})*|\*x|(?<=<)\*{_SPACED_X})
    | (?P<HEX>0x[0-9a-fA-F]+)
    | (?P<FLOAT>[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?)
    | (?P<INTEGER>[0-9]+)
    | (?P<EXCLAIM>!{_SUFFIX})
    | (?P<HASH>\#{_SUFFIX})
    | (?P<PUNCT>->|::|\.\.\.|==|>=|[-()\[\]{{}}<>,:=+*?|/&])
    | (?P<BAD>.)
    """,
    re.VERBOSE,
)
SPACE: Final = " \t\n\r\f\v\0"
"""White space, and what MLIR passes over like it. What else Unicode calls so is not white space in MLIR."""

_KINDS: Final = str.maketrans("123456789", "000000000")


class Token(NamedTuple):
    """`line` is relative to the first line lexed; `column` counts characters. Kinds are the group names above, `REGION`
    for a region that was parsed already, and `END`."""

    kind: str
    text: str
    line: int
    column: int

    @property
    def end(self) -> int:
        return self.column + len(self.text)


_new_token: Final[Callable[[type[Token], tuple[str, str, int, int]], Token]] = tuple[object, ...].__new__
"""Takes half the time of the constructor that a named tuple has."""


def tokens_of(line: str, number: int = 0, start: int = 0) -> list[Token]:
    """The tokens of a line from column `start` on, without white space and comments. A character that starts no token
    gives a `BAD` one."""
    return [
        _new_token(Token, (kind, match.group(), number, match.start()))
        for match in _TOKEN.finditer(line, start)
        if (kind := match.lastgroup) is not None
    ]


def first_token(line: str, number: int) -> Token | None:
    """The first token of a line, if it has any."""
    match = _TOKEN.match(line, indentation(line))
    if match is None or (kind := match.lastgroup) is None:
        return None
    return Token(kind, match.group(), number, match.start())


def is_trivia(line: str) -> bool:
    """Whether a line is blank or a comment."""
    text = line.lstrip(SPACE)
    return not text or text.startswith("//")


def holes_of(line: str) -> list[str]:
    return HOLE.findall(line)


def shape_key(parts: list[str]) -> tuple[str, ...]:
    """The key under which lines of one shape meet: the literal parts without the indentation, and the kind of each
    hole."""
    literals = parts[0::2]
    literals[0] = literals[0].lstrip(SPACE)
    holes = parts[1::2]
    if holes:
        kinds = "".join([hole[0] for hole in holes])
        if not kinds.isascii() or any(c in kinds for c in "0123456789"):
            kinds = kinds.translate(_KINDS)
            kinds += "".join(["f" if "." in hole else "i" for hole in holes if hole[0].isdigit()])
        literals.append(kinds)
    return tuple(literals)


def hole_indices(parts: list[str], tokens: Sequence[Token]) -> list[int]:
    """For each token of a line that is split into `parts` the index of the hole that it is, or -1 for one of the shape.

    A hole may also be part of a token, as the number in `[4]x` is; it is no token's then.
    """
    starts: dict[int, int] = {}
    position = 0
    for index, part in enumerate(parts):
        if index % 2:
            starts[position] = index
        position += len(part)
    indices: list[int] = []
    for token in tokens:
        index = starts.get(token.column, -1)
        indices.append(index // 2 if index >= 0 and len(parts[index]) == len(token.text) else -1)
    return indices


def indentation(line: str) -> int:
    """The number of characters of white space before the first token."""
    return len(line) - len(line.lstrip(SPACE))
