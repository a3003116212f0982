"""LLVM IR that somebody has written, of any age, or bitcode: to the model, or what is wrong with it.

LLVM reads it, in a process beside, upgrades what is old, verifies it and prints it; what it prints is read.
"""

from __future__ import annotations

import re
from typing import Final

from fathom.llvm import BITCODE, NORMAL
from fathom.llvm.process import Died, Refused, ask
from fathom.llvmir.module import Module
from fathom.llvmir.placing import HEADING, PLACED, place_of
from fathom.llvmir.reader import read
from fathom.llvmir.tokens import MOST_NESTED, Mistake
from fathom.records import record

BITCODE_MAGIC: Final = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
"""How bitcode begins, bare or wrapped."""

_NO_FILE: Final = "<string>"
"""What LLVM calls a text that does not say of which file it is."""
_BRACKET: Final = re.compile(r'[()\[\]{}<>]|"[^"]*"|;[^\n]*')
"""A bracket, or what has none that counts: a string, or a comment."""


@record
class Problem:
    """What is wrong with a module: in a line and at a column, from 1 on; both are 0 if it is not said where."""

    message: str
    line: int = 0
    column: int = 0


def load(source: str | bytes) -> Module | list[Problem]:
    """A module, or what is wrong with it, which is at least one thing."""
    try:
        if isinstance(source, bytes) and source.startswith(BITCODE_MAGIC):
            text = ask(BITCODE, source.decode("latin-1"))
        else:
            source = source.decode("utf-8", "replace") if isinstance(source, bytes) else source
            text = ask(NORMAL, source)
    except Refused as refused:
        return _problems(str(refused), source)
    except Died as died:
        return [too_nested(source) or Problem(f"LLVM ended: {str(died) or 'it does not say why'}")]
    try:
        module = read(text)
        if module.source_filename == _NO_FILE:
            module.source_filename = ""
        return module
    except Mistake as mistake:
        return [too_nested(source) or Problem(f"LLVM's own text is not understood: {mistake}")]


def too_nested(source: str | bytes) -> Problem | None:
    """Where a text has more brackets open than are read."""
    if isinstance(source, bytes):
        return None
    depth = 0
    for found in _BRACKET.finditer(source):
        depth += 1 if found[0] in "([{<" else -1 if found[0] in ")]}>" else 0
        if depth > MOST_NESTED:
            at = found.start()
            line = source.count("\n", 0, at) + 1
            return Problem(f"more than {MOST_NESTED} brackets are open", line, at - source.rfind("\n", 0, at))
    return None


def _problems(said: str, source: str | bytes) -> list[Problem]:
    """What LLVM said, as problems."""
    if match := PLACED.search(said):
        line, column = int(match[1]), int(match[2])
        return [Problem(match[3], line, _characters(source, line, column))]
    message = HEADING.sub("", said).strip() or "the module is not sound"
    place = place_of(message, source) if isinstance(source, str) else None
    return [Problem(message, *(place or ()))]


def _characters(source: str | bytes, line: int, column: int) -> int:
    """A column in characters; LLVM counts bytes."""
    if isinstance(source, bytes) or source.isascii():
        return column
    start = 0
    for _ in range(line - 1):
        start = source.find("\n", start) + 1
    end = source.find("\n", start)
    text = source[start : end if end >= 0 else None].encode(errors="replace")
    return len(text[: column - 1].decode(errors="ignore")) + 1
