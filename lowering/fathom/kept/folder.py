"""A folder in which bytes are kept under names that say what they follow from.

An entry is what was put there, or it is not there. A file begins with a code that only who has the user's key can make
of its name and what it holds; one that was cut off, changed, put under another name or brought from elsewhere has
another, and is removed. A file appears under its name as a whole, so any number of processes may put and get at once.
Nothing here raises for what stands on the disk: what cannot be read is not there, what cannot be written is not kept.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from hmac import compare_digest
from typing import Final

from fathom.kept.places import Places
from fathom.kept.secret import NotOwn, open_folder, read_key, read_own, temporary, write_new
from fathom.records import record

MOST_BYTES: Final = 256 << 20
"""What all entries may take together, in bytes."""
MOST_OF_ONE: Final = 32 << 20
"""What one entry may take."""
MOST_ENTRIES: Final = 4096
_LEFT: Final = 0.75
"""How much of that is left when there is too much: those that were used last."""
_FORMAT: Final = b"fathom1\n"
_CODE: Final = 32
"""How long the code of an entry is, in bytes."""
_NAME: Final = re.compile(r"[0-9a-f]{40}")
_UNFINISHED: Final = 3600.0
"""After so many seconds nobody goes on writing a file."""


@record
class Usage:
    """How many entries there are, and their size in bytes."""

    entries: int
    bytes: int


def name_of(*parts: str | bytes) -> str:
    """The name for what follows from these parts, and from their order."""
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def opened(places: Places) -> Kept | str:
    """What is kept at a place; or why nothing can be, in a sentence."""
    needed = {os.open, os.stat, os.unlink, os.rename, os.link}
    if not needed <= os.supports_dir_fd or not hasattr(os, "geteuid"):
        return "on this system nothing is kept"
    try:
        key = read_key(places.key)
        return Kept(open_folder(places.folder), key)
    except NotOwn as problem:
        return str(problem)
    except OSError as problem:
        return f"'{places.folder}', or the key '{places.key}', cannot be used: {problem.strerror}"


class Kept:
    """The entries of a folder, which stays open; `key` is the user's."""

    def __init__(self, folder: int, key: bytes) -> None:
        self._folder = folder
        self._key = key

    def __del__(self) -> None:
        with suppress(OSError):
            os.close(self._folder)

    def get(self, name: str) -> bytes | None:
        """What was put under a name, if it is still there."""
        try:
            data = read_own(self._folder, name, MOST_OF_ONE)
        except FileNotFoundError:
            return None
        except OSError:
            data = None
        if data is not None:
            head = len(_FORMAT) + _CODE
            held = data[head:]
            if data[: len(_FORMAT)] == _FORMAT and compare_digest(data[len(_FORMAT) : head], self._code(name, held)):
                return held
        with suppress(OSError):
            os.unlink(name, dir_fd=self._folder)
        return None

    def has(self, name: str) -> bool:
        """Whether something is there under a name, be it what was put or not."""
        try:
            os.stat(name, dir_fd=self._folder, follow_symlinks=False)
        except OSError:
            return False
        return True

    def put(self, name: str, data: bytes) -> None:
        """Keeps something under a name, in the place of what was there."""
        whole = b"".join((_FORMAT, self._code(name, data), data))
        if len(whole) > MOST_OF_ONE:
            return
        with suppress(OSError):
            own = temporary(name)
            write_new(self._folder, own, whole)
            try:
                os.replace(own, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
            except OSError:
                os.unlink(own, dir_fd=self._folder)
            self._tidy()

    def empty(self) -> Usage:
        """Removes all entries; what there was."""
        usage = self.usage()
        for name, _ in self._files():
            self._remove(name)
        return usage

    def usage(self) -> Usage:
        """How much is kept."""
        sizes = [found.st_size for name, found in self._files() if _NAME.fullmatch(name)]
        return Usage(len(sizes), sum(sizes))

    def _code(self, name: str, data: bytes) -> bytes:
        code = hashlib.blake2b(name.encode(), key=self._key, digest_size=_CODE, person=b"fathom kept code")
        code.update(data)
        return code.digest()

    def _files(self) -> Iterator[tuple[str, os.stat_result]]:
        """The entries, and what is on its way to become one."""
        with suppress(OSError):
            for name in os.listdir(self._folder):
                if _NAME.fullmatch(name) or name.startswith("."):
                    with suppress(OSError):
                        yield name, os.stat(name, dir_fd=self._folder, follow_symlinks=False)

    def _tidy(self) -> None:
        """Removes what was not used for the longest time, where there is too much, and what was left unfinished."""
        files = sorted(self._files(), key=lambda file: file[1].st_mtime, reverse=True)
        now = time.time()
        entries: list[tuple[str, os.stat_result]] = []
        for name, found in files:
            if _NAME.fullmatch(name) and stat.S_ISREG(found.st_mode):
                entries.append((name, found))
            elif found.st_mtime < now - _UNFINISHED:
                self._remove(name)
        total = sum(found.st_size for _, found in entries)
        if total <= MOST_BYTES and len(entries) <= MOST_ENTRIES:
            return
        size = 0
        for number, (name, found) in enumerate(entries):
            size += found.st_size
            if size > _LEFT * MOST_BYTES or number >= _LEFT * MOST_ENTRIES:
                self._remove(name)

    def _remove(self, name: str) -> None:
        with suppress(OSError):
            os.unlink(name, dir_fd=self._folder)
