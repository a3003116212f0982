"""What dumps are read from: a log, as bytes or as a file, or a folder of `--mlir-print-ir-tree-dir`."""

from __future__ import annotations

import errno
import mmap
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from fathom.dumps.headers import Language
from fathom.dumps.lines import Bytes
from fathom.dumps.log import Text, read_log, text_of
from fathom.dumps.rows import Row, head_of, rows_of_log, rows_of_tree, text_in_tree
from fathom.dumps.tree import read_tree


class Dumps(Protocol):
    """The dumps of a log or a folder. They are numbered from 1, as their rows are; `left_off` says how many more there
    are."""

    count: int
    left_off: int

    def rows(self) -> Iterator[Row]: ...
    def text(self, number: int) -> Text: ...
    def language(self, number: int) -> Language: ...


class LogDumps:
    """Those of a log."""

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self._log = read_log(data)
        self.count = len(self._log.dumps)
        self.left_off = self._log.left_off

    def rows(self) -> Iterator[Row]:
        return rows_of_log(self._data, self._log.dumps)

    def text(self, number: int) -> Text:
        return text_of(self._data, self._log.dumps[number - 1])

    def language(self, number: int) -> Language:
        return self._log.dumps[number - 1].header.language


class TreeDumps:
    """Those of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._dumps = read_tree(folder)
        self.count = len(self._dumps)
        self.left_off = 0

    def rows(self) -> Iterator[Row]:
        return rows_of_tree(self._folder, self._dumps)

    def text(self, number: int) -> Text:
        return text_in_tree(self._folder, self._dumps[number - 1])

    def language(self, number: int) -> Language:
        return self._dumps[number - 1].dump.header.language


def dumps_in(path: Path) -> Dumps:
    """The dumps of a log, or of a folder. Raises OSError, also of what is neither, such as a pipe, whose reading might
    never end."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        return TreeDumps(path)
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "neither a file nor a folder")
    with path.open("rb") as file:
        if not file.seek(0, 2):
            return LogDumps(b"")
        try:
            return LogDumps(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except ValueError as problem:  # It became empty meanwhile.
            raise OSError(0, str(problem)) from None


def before(dumps: Dumps, number: int) -> int | None:
    """The last dump before one that has a text of the same operation; None if there is none."""
    head = head_of(dumps.text(number).text)
    earlier = range(number - 1, 0, -1)
    return next((each for each in earlier if (text := dumps.text(each).text) and head_of(text) == head), None)
