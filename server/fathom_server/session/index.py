"""The index of the workspace: what each of its `.mlir` files defines, and which names stand in it.

Files are read by a process of its own, which stands back behind all else (`session/indexer.py`). What it finds is kept
in the user's cache, a line for each file, added as it is found; so a restart goes on where the last session was, and
reads only what changed. Whatever is wrong with the cache, it is as if it were not there.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import fathom
import fathom_server
from fathom_server.features.index_entry import NOTHING, IndexEntry
from fathom_server.session.index_cache import IndexCache
from fathom_server.session.index_lines import FileState, IndexedFile, read_line
from fathom_server.session.sources import walked

SUFFIX: Final = ".mlir"
MOST_FILES: Final = 50_000
"""No more files than this are in the index."""
PATIENCE: Final = 60.0
"""Seconds after which a file is given up."""

LINGER: Final = 5.0
"""Seconds for which the process waits for further files."""

_MODULE: Final = "fathom_server.session.indexer"
_LONGEST: Final = 1 << 27
"""Bytes that a line about a file may have."""

Progress = Callable[[int, int], None]
"""Is told how many files were read, and how many there are to read. They are read when both are equal."""


class WorkspaceIndex:
    """The index, on the event loop. `progress` is called as it grows."""

    def __init__(self, cache: Path | None, progress: Progress = lambda done, of: None) -> None:
        self._cache = IndexCache(cache)
        self._progress = progress
        self._files: dict[str, IndexedFile] = {}
        self._wanted: dict[str, None] = {}
        """The paths of the files that are to be looked at."""
        self._done = 0
        self._folders: tuple[Path, ...] = ()
        self._beginning: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._process: Process | None = None
        self._complete = asyncio.Event()
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

    @property
    def is_complete(self) -> bool:
        """Whether the folders are known, and all files were looked at since the last change that was told."""
        return self._complete.is_set()

    async def until_complete(self) -> None:
        """Returns when all files were looked at."""
        await self._complete.wait()

    # ---- what changes

    def use(self, folders: Iterable[Path]) -> None:
        """Takes over the folders of the workspace. Their files are known when they were read, or found in the cache."""
        found = tuple(dict.fromkeys(folders))
        if self._is_closed or (found == self._folders and self._beginning is not None):
            return
        self._folders = found
        if self._beginning is not None:
            self._beginning.cancel()
        self._complete.clear()
        self._beginning = asyncio.get_running_loop().create_task(self._begin(found))

    def look_again(self) -> None:
        """Folders may have come or gone."""
        folders, self._folders = self._folders, ()
        self.use(folders)

    def changed(self, paths: Iterable[str]) -> None:
        """Files may have changed, come or gone."""
        for path in paths:
            if not path.endswith(SUFFIX) or not any(_is_in(path, folder) for folder in self._folders):
                continue
            state = FileState.of(path)
            known = self._files.get(path)
            if state is None:
                if self._files.pop(path, None) is not None:
                    self._cache.remove(path)
            elif (known is None and len(self._files) < MOST_FILES) or (known is not None and known.state != state):
                self._want(path)

    def close(self) -> None:
        """Ends all work."""
        self._is_closed = True
        self._complete.set()
        for task in (self._beginning, self._reading):
            if task is not None:
                task.cancel()
        self._end_process()
        self._cache.close()

    # ---- the work

    async def _begin(self, folders: tuple[Path, ...]) -> None:
        """Takes in what the cache has of the files that are there, and sees to it that the others are read."""
        known, states = await asyncio.to_thread(_found, self._cache, folders)
        self._files = {
            path: known[path] for path, state in states.items() if path in known and known[path].state == state
        }
        for path in states:
            if path not in self._files:
                self._want(path)
        if not self._wanted:
            self._complete.set()

    def _want(self, path: str) -> None:
        self._wanted[path] = None
        self._complete.clear()
        self._more.set()
        if self._reading is None or self._reading.done():
            self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        """Reads files until there have been none to be read for a while."""
        try:
            while self._wanted:
                await self._read_all()
                if (process := self._process) is not None and process.stdin is not None:
                    process.stdin.close()
                    await process.wait()
                self._process = None
        finally:
            self._end_process()

    async def _read_all(self) -> None:
        while self._wanted or await self._is_wanted():
            path = next(iter(self._wanted))
            line = await self._line_of(path)
            found = read_line(line) if line is not None else None
            if found is None or found.path != path:
                self._end_process()
                found = IndexedFile(path, FileState.of(path) or FileState(0, 0), NOTHING)
                line = None
            self._wanted.pop(path, None)
            self._files[path] = found
            if line is not None:
                self._cache.add(path, line)
            self._done += 1
            self._progress(self._done, self._done + len(self._wanted))

    async def _is_wanted(self) -> bool:
        """Whether files are wanted soon after all were read."""
        self._done = 0
        self._more.clear()
        if self._beginning is None or self._beginning.done():
            self._complete.set()
        try:
            await asyncio.wait_for(self._more.wait(), LINGER)
        except TimeoutError:
            return False
        return bool(self._wanted)

    async def _line_of(self, path: str) -> bytes | None:
        """What the process says of a file; None where it does not live through it."""
        try:
            process = self._process or await self._start()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(path).encode() + b"\n")
            line = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
        except (OSError, ValueError, TimeoutError):
            return None
        return line if line.endswith(b"\n") else None

    async def _start(self) -> Process:
        roots = {str(Path(package.__file__ or "").parents[1]): None for package in (fathom, fathom_server)}
        paths = [*roots, *filter(None, [os.environ.get("PYTHONPATH")])]
        # Without -P, a json.py in the folder that is being edited would be imported, that is, run.
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            _MODULE,
            stdin=PIPE,
            stdout=PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LONGEST,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,
        )
        return self._process

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()


def _found(cache: IndexCache, folders: tuple[Path, ...]) -> tuple[dict[str, IndexedFile], dict[str, FileState]]:
    """What the cache knows of the files in some folders, and those that are there with their states; in a thread."""
    states: dict[str, FileState] = {}
    for folder in folders:
        for path in walked(folder, None):
            if path.suffix == SUFFIX and len(states) < MOST_FILES and (state := FileState.of(str(path))) is not None:
                states[str(path)] = state
    return cache.load(folders, states), states


def _is_in(path: str, folder: Path) -> bool:
    """Whether a file is one that is looked for in a folder."""
    try:
        inside = Path(path).relative_to(folder)
    except ValueError:
        return False
    return not any(part.startswith(".") for part in inside.parts[:-1])
