"""The index of the workspace as text: a line of JSON for each file, which says what it held when it looked so.

What is read back was written by whoever could, so it is taken for what it is only if it has the right form.
"""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Final, cast

from fathom.records import NamedTuple
from fathom_server.features.index_entry import NOTHING, IndexedSymbol, IndexEntry

LARGEST: Final = 4 << 20
"""Bytes of a file; larger ones are not read for the index."""


MLIR: Final = ".mlir"
LLVM_IR: Final = ".ll"
SUFFIXES: Final = (MLIR, LLVM_IR)
"""How the names of the files end that are read."""


class FileState(NamedTuple):
    """What tells without reading it whether a file is as it was: when it was changed, and its size."""

    changed: int
    size: int

    @classmethod
    def of(cls, path: str) -> FileState | None:
        """That of a file as it is; None where there is none that could be read."""
        try:
            status = Path(path).stat()
        except (OSError, ValueError):
            return None
        return cls(status.st_mtime_ns, status.st_size) if stat.S_ISREG(status.st_mode) else None


def text_of(path: str) -> str | None:
    """The text of a file; None of one that is too large, or that is no text."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError:
        return None
    if len(data) > LARGEST or b"\0" in data[:1024]:
        return None
    return data.decode("utf-8", "replace")


class IndexedFile(NamedTuple):
    """What was known of a file in a state."""

    path: str
    state: FileState
    entry: IndexEntry


def line_of(path: str, state: FileState, entry: IndexEntry) -> str:
    """The line about a file."""
    return json.dumps([path, *state, [list(symbol) for symbol in entry.symbols], sorted(entry.names)])


def line_without(path: str, state: FileState) -> str:
    """The line about a file of which nothing is known."""
    return line_of(path, state, NOTHING)


_FIELDS: Final = (str, str, str, str, int, int, int, str, bool, bool)
"""The types of the fields of a symbol."""


def read_line(line: bytes | str) -> IndexedFile | None:
    """What a line says; None of one that is not whole."""
    try:
        match json.loads(line):
            case [str(path), int(changed), int(size), [*symbols], [*names]]:
                pass
            case _:
                return None
    except (ValueError, RecursionError):
        return None
    if not all(map(_is_symbol, symbols)) or not all(isinstance(name, str) for name in names):
        return None
    entry = IndexEntry(tuple(IndexedSymbol(*symbol) for symbol in symbols), frozenset(cast("list[str]", names)))
    return IndexedFile(path, FileState(changed, size), entry)


def _is_symbol(symbol: object) -> bool:
    if not isinstance(symbol, list):
        return False
    values = cast("list[object]", symbol)
    if len(values) != len(_FIELDS):
        return False
    is_like = all(type(value) is wanted for value, wanted in zip(values, _FIELDS, strict=True))
    return is_like and min(cast("list[int]", values[4:7])) >= 0
