"""Which `.td` files an MLIR has, and when each was changed.

Links to folders are not followed, so what is gone through ends; what is no file, such as a pipe, is not opened.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from typing import Final

from fathom.editions.folder.places import Place
from fathom.kept.folder import name_of
from fathom.records import field, record

MOST_FILES: Final = 20_000
"""Files that are taken in; LLVM has some 700."""
MOST_ENTRIES: Final = 400_000
"""Entries of folders that are looked at."""
LARGEST: Final = 16 << 20
"""Bytes of the largest file that is taken in."""


@record(eq=False)
class Listing:
    """The files below `mlir/` in the folders of an MLIR, by the names under which they are included, in their order:
    the path of each, and what says that it is as it was. `is_whole` says whether these are all."""

    place: Place
    files: Mapping[str, str]
    states: Mapping[str, str]
    is_whole: bool = True
    stamp: str = field(default="")


def listed(place: Place) -> Listing:
    """The files of an MLIR as they are now. Of two that are included by one name the first folder's counts."""
    files: dict[str, str] = {}
    states: dict[str, str] = {}
    left = MOST_ENTRIES
    is_whole = True
    for folder in place.folders:
        for count, name, path, state in _walked(folder):
            left -= count
            if left < 0 or len(files) >= MOST_FILES:
                is_whole = False
                break
            if name and name not in files:
                files[name] = path
                states[name] = state
    ordered = {name: files[name] for name in sorted(files)}
    stamp = name_of(*(part for name in ordered for part in (name, states[name])), *place.folders)
    return Listing(place, ordered, states, is_whole, stamp)


def _walked(folder: str) -> Iterator[tuple[int, str, str, str]]:
    """The `.td` files below `mlir/` in a folder: how many entries were looked at for it, and of a file the name, the
    path and the state."""
    for around, folders, names in os.walk(os.path.join(folder, "mlir")):
        folders.sort()
        yield len(folders) + len(names), "", "", ""
        for name in sorted(names):
            path = os.path.join(around, name)
            if name.endswith(".td") and (state := _state(path)) is not None:
                yield 0, os.path.relpath(path, folder).replace(os.sep, "/"), path, state


def _state(path: str) -> str | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST:
        return None
    return f"{found.st_size} {found.st_mtime_ns}"


def beginning_of(path: str) -> str:
    """The text of a file, as far as it is taken in; empty for one that cannot be read any more."""
    try:
        with open(path, "rb") as file:
            return file.read(LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
