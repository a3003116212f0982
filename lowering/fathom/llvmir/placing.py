"""Where in a text stands what LLVM's verifier says: it names no line, but repeats what it is about as it prints it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from fathom.llvmir.tokens import tokens_of

_NAME: Final = re.compile(r'[%@!](?:[-$.\w]+|"[^"]*")')
_DEFINITIONS: Final = {
    "%": r"^[ \t]*{0}[ \t]*=",
    "@": r"^(?:{0}[ \t]*=|(?:define|declare)\b[^@\n]*{0}[ \t]*\()",
    "!": r"^{0}[ \t]*=",
}
"""The beginning of what gives a name, by what this begins with."""


def place_of(said: str, text: str) -> tuple[int, int] | None:
    """The line and the column, from 1 on, of the first thing that is repeated and found: an instruction before what has
    a name."""
    repeated = said.split("\n")[1:]
    lines = text.split("\n")
    for line in repeated:
        if line.startswith("  ") and (number := _line_of(line, lines)) is not None:
            return number + 1, len(lines[number]) - len(lines[number].lstrip()) + 1
    for name in _names(repeated):
        pattern = _DEFINITIONS[name[0]].format(re.escape(name))
        found = re.search(pattern, text, re.MULTILINE)
        if found is not None:
            at = found.start() + found[0].index(name)
            return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return None


def _names(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield from _NAME.findall(line)


def _line_of(repeated: str, lines: Sequence[str]) -> int | None:
    """The line that is an instruction, as it is printed; or else the first one that has all its names and does the
    same, which may be written otherwise."""
    wanted = tokens_of(repeated)
    names = [token for token in wanted if token[0] in "%@"]
    word = wanted[2] if wanted[1:2] == ["="] else wanted[0] if wanted else ""
    like: int | None = None
    for number, line in enumerate(lines):
        if word not in line or not all(name in line for name in names):
            continue
        written = tokens_of(line)
        if written == wanted:
            return number
        if like is None and names and word in written and all(name in written for name in names):
            like = number
    return like
