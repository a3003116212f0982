"""The index of the workspace: what each of its `.mlir` and `.ll` files defines, and which names stand in it.

Files are read by a process of its own, which stands back behind all else (`session/indexer.py`). What it finds is kept
in the user's cache, a line for each file, added as it is found; so a restart goes on where the last session was, and
reads only what changed. Whatever is wrong with the cache, it is as if it were not there.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from fathom.records import NamedTuple
from fathom_server.features.index_entry import NOTHING, IndexEntry
from fathom_server.session.index_cache import IndexCache
from fathom_server.session.index_lines import LLVM_IR, MLIR, SUFFIXES, FileState, IndexedFile, read_line
from fathom_server.session.line_process import LineProcess
from fathom_server.session.sources import walked

MOST_FILES: Final = 50_000
"""No more files than this are in the index."""
MOST_LLVM_IR: Final = 10_000
"""And no more of these with LLVM IR."""
PATIENCE: Final = 60.0
"""Seconds after which a file is given up."""

LINGER: Final = 5.0
"""Seconds for which the process waits for further files."""

_MODULE: Final = "fathom_server.session.indexer"
Progress = Callable[[int, int], None]
"""Is told how many files were read, and how many there are to read. When both are equal nothing is being read."""


class Folders(NamedTuple):
    """The folders of a workspace: those whose files are read, and others. A file goes by the innermost it is in."""

    read: tuple[Path, ...] = ()
    others: tuple[Path, ...] = ()

    def __contains__(self, path: object) -> bool:
        """Whether a file is one that is read."""
        around = [folder for folder in (*self.read, *self.others) if _is_in(str(path), folder)]
        return bool(around) and max(around, key=lambda folder: len(folder.parts)) in self.read


class WorkspaceIndex:
    """The index, on the event loop. `progress` is called as it grows, and when it is closed; `settled` when all files
    were looked at, or some are gone."""

    def __init__(
        self,
        cache: Path | None,
        progress: Progress = lambda done, of: None,
        settled: Callable[[], object] = lambda: None,
    ) -> None:
        self._cache = IndexCache(cache)
        self._progress = progress
        self._settled = settled
        self._files: dict[str, IndexedFile] = {}
        self._wanted: dict[str, None] = {}
        """The paths of the files that are to be looked at."""
        self._left: dict[str, None] = {}
        """Those that are left until somebody waits for all files."""
        self._done = 0
        self._folders = Folders()
        self._beginning: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._process = LineProcess(_MODULE, PATIENCE)
        self._is_complete = False
        self._waiting: set[asyncio.Future[bool]] = set()
        """Those who wait until all files were looked at, or are left."""
        self._more = asyncio.Event()
        self._is_closed = False

    # ---- what is known

    def entries(self) -> Iterator[tuple[str, IndexEntry]]:
        """The files by their paths, with what is known of them."""
        return ((path, file.entry) for path, file in self._files.items())

    def entry(self, path: str) -> IndexEntry:
        """What is known of a file."""
        known = self._files.get(path)
        return known.entry if known is not None else NOTHING

    def states(self) -> dict[str, FileState]:
        """The files in MLIR as they were when they were looked at."""
        return {path: file.state for path, file in self._files.items() if path.endswith(MLIR)}

    @property
    def is_complete(self) -> bool:
        """Whether the folders are known, and all files were looked at since the last change that was told."""
        return self._is_complete

    async def until_complete(self) -> bool:
        """Whether all files were looked at, when that is so, or when it is given up. Those that were left before are
        looked at after all."""
        for path in list(self._left):
            self._want(path)
        if self._is_complete:
            return True
        waiting: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.add(waiting)
        return await waiting

    def _tell(self, is_complete: bool) -> None:
        """Those who wait are told what became of it."""
        self._is_complete = is_complete
        waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if not future.done():
                future.set_result(is_complete)
        if is_complete and not self._is_closed:
            self._settled()

    # ---- what changes

    def use(self, folders: Folders) -> None:
        """Takes over the folders of the workspace. Their files are known when they were read, or found in the cache."""
        if self._is_closed or (folders == self._folders and self._beginning is not None):
            return
        self._folders = folders
        if self._beginning is not None:
            self._beginning.cancel()
        self._wanted.clear()
        self._left.clear()
        self._is_complete = False
        self._beginning = asyncio.get_running_loop().create_task(self._begin(folders))

    def look_again(self) -> None:
        """Folders may have come or gone."""
        folders, self._folders = self._folders, Folders()
        self.use(folders)

    def changed(self, paths: Iterable[str]) -> None:
        """Files may have changed, come or gone."""
        for path in paths:
            if not path.endswith(SUFFIXES) or path not in self._folders:
                continue
            state = FileState.of(path)
            known = self._files.get(path)
            if state is None:
                self._left.pop(path, None)
                if self._files.pop(path, None) is not None:
                    self._cache.remove(path)
                    self._settled()
            elif (known is None and len(self._files) < MOST_FILES) or (known is not None and known.state != state):
                self._want(path)

    def give_up(self) -> None:
        """Leaves the files that were not looked at until they change, or until somebody waits for all files."""
        self._left |= self._wanted
        self._wanted.clear()
        self._tell(False)
        self._progress(self._done, self._done)

    def close(self) -> None:
        """Ends all work."""
        self._is_closed = True
        self._tell(True)
        for task in (self._beginning, self._reading):
            if task is not None:
                task.cancel()
        self._process.end()
        self._cache.close()
        self._progress(self._done, self._done)

    # ---- the work

    async def _begin(self, folders: Folders) -> None:
        """Takes in what the cache has of the files that are there, and sees to it that the others are read."""
        known, states = await asyncio.to_thread(_found, self._cache, folders)
        self._files = {
            path: known[path] for path, state in states.items() if path in known and known[path].state == state
        }
        for path in states:
            if path not in self._files:
                self._want(path)
        if not self._wanted:
            self._tell(True)

    def _want(self, path: str) -> None:
        self._left.pop(path, None)
        self._wanted[path] = None
        self._is_complete = False
        self._more.set()
        if self._reading is None or self._reading.done():
            self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        """Reads files until there have been none to be read for a while."""
        try:
            while self._wanted:
                await self._read_all()
                await self._process.finish()
        finally:
            self._process.end()

    async def _read_all(self) -> None:
        while self._wanted or await self._is_wanted():
            path = next(iter(self._wanted))
            self._progress(self._done, self._done + len(self._wanted))
            line = await self._process.ask(json.dumps(path).encode())
            indexed_file = read_line(line) if line is not None else None
            if indexed_file is None or indexed_file.path != path:
                self._process.end()
                indexed_file = IndexedFile(path, FileState.of(path) or FileState(0, 0), NOTHING)
                line = None
            if path not in self._wanted and path not in self._left:
                continue
            self._wanted.pop(path, None)
            self._left.pop(path, None)
            self._files[path] = indexed_file
            if line is not None:
                self._cache.add(path, line)
            self._done += 1

    async def _is_wanted(self) -> bool:
        """Whether files are wanted soon after all were read."""
        self._progress(self._done, self._done)
        self._done = 0
        self._more.clear()
        if not self._left and (self._beginning is None or self._beginning.done()):
            self._tell(True)
        try:
            await asyncio.wait_for(self._more.wait(), LINGER)
        except TimeoutError:
            return False
        return bool(self._wanted)


def _found(cache: IndexCache, folders: Folders) -> tuple[dict[str, IndexedFile], dict[str, FileState]]:
    """What the cache knows of the files in some folders, and those that are there with their states; in a thread."""
    states: dict[str, FileState] = {}
    left = MOST_LLVM_IR
    for folder in folders.read:
        for path in walked(folder, None):
            if path.suffix not in SUFFIXES or len(states) >= MOST_FILES or (folders.others and path not in folders):
                continue
            left -= path.suffix == LLVM_IR
            if path.suffix == LLVM_IR and left < 0:
                continue
            if (state := FileState.of(str(path))) is not None:
                states[str(path)] = state
    return cache.load(folders.read, states), states


def _is_in(path: str, folder: Path) -> bool:
    """Whether a file is one that is looked for in a folder."""
    try:
        inside = Path(path).relative_to(folder)
    except ValueError:
        return False
    return not any(part.startswith(".") for part in inside.parts[:-1])
