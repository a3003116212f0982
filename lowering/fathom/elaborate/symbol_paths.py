"""The path of a symbol, as people and clients write it: `@inner::@f`, `inner::f`, `@"a name"::@f`.

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
