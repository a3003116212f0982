"""Where in a text stands what LLVM says of it: its verifier names no line, but repeats what it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from fathom.llvmir.tokens import extent_of, tokens_of

PLACED: Final = re.compile(r"^[^\n:]*:(\d+):(\d+): error: ([^\n]*)", re.MULTILINE)
"""What LLVM's parser says of a mistake, where: in a line, and in a column of bytes."""
HEADING: Final = re.compile(r"^LLVM (?:IR|bitcode) parsing error\n")
"""What stands before all that LLVM says."""

_NAME: Final = re.compile(r'[%@](?:[-$.\w]+|"[^"]*")|![-$.\w\\]+')
_DEFINITIONS: Final = {
    "%": r"^[ \t]*{0}[ \t]*=",
    "@": r"^(?:{0}[ \t]*=|(?:define|declare)\b[^@\n]*{0}[ \t]*\()",
    "!": r"^{0}[ \t]*=",
}
"""The beginning of what gives a name, by what this begins with."""


def place_of(said: str, text: str) -> tuple[int, int] | None:
    """The line and the column, from 1 on, of what the verifier is about."""
    span = span_of(said.split("\n")[1:], text, partial(_given, text))
    if span is None:
        return None
    return text.count("\n", 0, span[0]) + 1, span[0] - text.rfind("\n", 0, span[0])


def span_of(
    repeated: Sequence[str], text: str, given: Callable[[str], tuple[int, int] | None]
) -> tuple[int, int] | None:
    """From where to where the first thing stands that is repeated and found: an instruction before what has a name, of
    which `given` tells where it is given."""
    lines = text.split("\n")
    for line in repeated:
        if line.startswith("  ") and (number := _line_of(line, lines)) is not None:
            before = sum(map(len, lines[:number])) + number
            start, end = extent_of(lines[number])
            return before + start, before + end
    return next((span for name in _names(repeated) if (span := given(name)) is not None), None)


def _given(text: str, name: str) -> tuple[int, int] | None:
    pattern = _DEFINITIONS[name[0]].format(re.escape(name))
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        return None
    start = found.start() + found[0].index(name)
    return start, start + len(name)


def _names(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield from _NAME.findall(line)


def _line_of(repeated: str, lines: Sequence[str]) -> int | None:
    """The line that is an instruction, as it is printed; or else the first one that begins as it and has all its names:
    the rest may be written otherwise."""
    wanted = tokens_of(repeated)
    if not wanted:
        return None
    names = [token for token in wanted if token[0] in "%@"]
    head = wanted[: 3 if wanted[1:2] == ["="] else 1]
    like: int | None = None
    for number, line in enumerate(lines):
        if head[-1] not in line or not all(name in line for name in names):
            continue
        written = tokens_of(line)
        if written == wanted:
            return number
        if like is None and names and written[: len(head)] == head and all(name in written for name in names):
            like = number
    return like
