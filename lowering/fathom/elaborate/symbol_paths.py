"""The path of a symbol, as people and clients write it: `@inner::@f`, `inner::f`, `@"a name"::@f`. Of several symbols
of one path the second in the order of the text is `f#2`, and so on.

Source of the rules: *Symbols and Symbol Tables*; *MLIR Language Reference*, "Common syntax".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import unquote
from fathom.ir.attributes import SymbolRefAttr

_NAME: Final = re.compile(r'@?("(?:[^"\\]|\\.)*"|(?:(?!::)[^"])+)')
_NUMBERED: Final = re.compile(r"(.*[^@:])#([1-9][0-9]{0,8})", re.DOTALL)


def read_numbered(text: str) -> tuple[tuple[str, ...], int]:
    """The names in a path, none where it cannot be read, and which of the symbols of this path is meant."""
    numbered = _NUMBERED.fullmatch(text)
    return (read_path(numbered[1]), int(numbered[2])) if numbered else (read_path(text), 1)


def write_numbered(names: Sequence[str], number: int) -> str:
    """A path as MLIR writes it, with the number of the symbol if it is not the first one."""
    return write_path(names) + (f"#{number}" if number > 1 else "")


def read_path(text: str) -> tuple[str, ...]:
    """The names in a path, each with or without `@`, in quotes or not; none where it cannot be read."""
    names: list[str] = []
    at = 0
    while match := _NAME.match(text, at):
        name = match[1]
        try:
            names.append(unquote(name) if name.startswith('"') else name)
        except ElaborationFailure:
            return ()
        at = match.end()
        if at == len(text):
            return tuple(names)
        if not text.startswith("::", at):
            return ()
        at += 2
    return ()


def write_path(names: Sequence[str]) -> str:
    """A path as MLIR writes a reference to the symbol: `@inner::@f`."""
    return str(SymbolRefAttr(names[0], tuple(names[1:])))
