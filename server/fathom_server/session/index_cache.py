"""Where the index of a workspace is kept between sessions: a file for each folder of a workspace, in the user's cache.

A line is added for each file that was read; of two about one file the later counts, so that sessions with the same
folder do each other no harm. What cannot be read is passed over, and what cannot be written is not kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Collection
from contextlib import suppress
from io import BufferedWriter
from pathlib import Path
from typing import Final

from fathom import __version__
from fathom_server.session.index_lines import FileState, IndexedFile, line_without, read_line

FORMAT: Final = 1
"""Counts the forms that lines have had."""
LARGEST: Final = 256 << 20
"""Bytes that the file for a folder may have."""
MOST_BYTES: Final = 1 << 30
MOST_FOLDERS: Final = 100
"""Bytes that the files for all folders may have together, and how many there may be; those used last are kept."""


def cache_folder() -> Path | None:
    """The folder in the user's cache; None where nothing says which it is."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    if named:
        home = Path(named)
    elif sys.platform == "darwin":
        home = Path("~/Library/Caches")
    else:
        home = Path("~/.cache")
    try:
        return home.expanduser() / "fathom" / "index"
    except RuntimeError:
        return None


class IndexCache:
    """The files for the folders of a workspace. Without a place for them nothing is kept."""

    def __init__(self, place: Path | None) -> None:
        self._place = place
        self._folders: tuple[Path, ...] = ()
        self._open: dict[Path, BufferedWriter] = {}

    def load(self, folders: tuple[Path, ...], wanted: Collection[str]) -> dict[str, IndexedFile]:
        """What is known of the files that are wanted. From now on lines are added for these folders."""
        self.close()
        self._folders = folders
        files: dict[str, IndexedFile] = {}
        with suppress(OSError):
            if self._place is not None:
                self._place.mkdir(parents=True, exist_ok=True)
                _tidy(self._place)
        for folder in folders:
            files |= self._load(folder, wanted)
        return files

    def add(self, path: str, line: bytes) -> None:
        """Keeps a line about a file."""
        folder = next((folder for folder in self._folders if Path(path).is_relative_to(folder)), None)
        if folder is None or self._place is None:
            return
        with suppress(OSError):
            if folder not in self._open:
                self._open[folder] = self._file_of(self._place, folder).open("ab")
            file = self._open[folder]
            if file.tell() + len(line) <= LARGEST:
                file.write(line)
                file.flush()

    def remove(self, path: str) -> None:
        """Keeps in mind that a file is gone."""
        self.add(path, line_without(path, FileState(0, 0)).encode() + b"\n")

    def close(self) -> None:
        for file in self._open.values():
            with suppress(OSError):
                file.close()
        self._open.clear()

    def _file_of(self, place: Path, folder: Path) -> Path:
        digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:32]
        return place / f"{digest}.jsonl"

    def _load(self, folder: Path, wanted: Collection[str]) -> dict[str, IndexedFile]:
        if self._place is None:
            return {}
        path = self._file_of(self._place, folder)
        head = json.dumps(["fathom index", FORMAT, __version__, str(folder)]).encode() + b"\n"
        files: dict[str, tuple[IndexedFile, bytes]] = {}
        lines = 0
        with suppress(OSError):
            if path.stat().st_size <= LARGEST:
                with path.open("rb") as file:
                    if file.readline() == head:
                        for line in file:
                            lines += 1
                            if (known := read_line(line)) is not None and known.path in wanted:
                                files[known.path] = known, line
        if not lines or lines > 2 * len(files) + 100:
            _write(path, [head, *(line for _, line in files.values())])
        return {known: file for known, (file, _) in files.items()}


def _write(path: Path, lines: list[bytes]) -> None:
    """Puts a file in the place of another, all at once."""
    with suppress(OSError):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines(lines)
            Path(name).replace(path)
        except OSError:
            Path(name).unlink()


def _tidy(place: Path) -> None:
    """Removes what has not been used for long, where there is too much."""
    used = sorted(((file.stat(), file) for file in place.iterdir()), key=lambda entry: entry[0].st_mtime, reverse=True)
    size = 0
    for number, (state, file) in enumerate(used):
        size += state.st_size
        if number >= MOST_FOLDERS or size > MOST_BYTES:
            file.unlink(missing_ok=True)
