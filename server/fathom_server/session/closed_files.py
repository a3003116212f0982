"""What is wrong with the files of the workspace that are not open: those of the index, as they are on disk.

A process of its own looks at them, one after the other, once the index is complete, and stands back behind all else.
What it finds is JSON for the client, which nobody has to look into here. It comes out in batches, since each has the
client look at all of it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Final

from fathom.records import record
from fathom_server.session.index import Folders, Progress
from fathom_server.session.index_lines import FileState
from fathom_server.session.line_process import LineProcess

BATCH: Final = 0.5
"""Seconds for which findings are gathered."""
QUIET: Final = 1.0
"""Seconds for which what is known of dialects has to stay the same before files are looked at."""
MOST: Final = 10_000
"""No more findings than this are told of all files together; what is wrong with others stays unsaid."""

NOTHING: Final = b"0 []"


@record
class Found:
    """What was found in a file: JSON of a list, and an id that is the same for the same list, in other sessions too."""

    uri: str
    items: str
    id: str


class ClosedFiles:
    """See the module. `process` answers the path and the URI of a file by a number and that many findings. `states`
    gives the files that there are; None where that is not known. `tell` is called when there is something new."""

    def __init__(
        self,
        process: LineProcess,
        states: Callable[[], Mapping[str, FileState] | None],
        uri_of: Callable[[str], str],
        tell: Callable[[], object],
        progress: Progress,
    ) -> None:
        self.findings: Mapping[str, Found] = {}
        """By their paths, the files with something wrong that were told of."""
        self.number = 0
        """How often what was found has become another."""
        self._process = process
        self._states = states
        self._uri_of = uri_of
        self._tell = tell
        self._progress = progress
        self._folders = Folders()
        self._knowledge = 0
        self._looked: dict[str, tuple[FileState, int]] = {}
        self._wanted: dict[str, tuple[FileState, int]] = {}
        self._fresh: dict[str, tuple[int, Found | None]] = {}
        """What is to be told with the next batch."""
        self._counts: dict[str, int] = {}
        self._is_begun = False
        self._is_known = False
        self._looking: asyncio.Task[None] | None = None

    # ---- what is known

    @property
    def is_settled(self) -> bool:
        """Whether all files were looked at, and told of."""
        return self._is_known and not self._wanted and not self._fresh

    def is_pending(self, path: str) -> bool:
        """Whether what is said of a file may be another soon."""
        return path in self._folders and (not self._is_known or path in self._wanted or path in self._fresh)

    # ---- what changes

    def begin(self) -> None:
        """Somebody wants to know."""
        if not self._is_begun:
            self._is_begun = True
            self.follow()

    def use(self, folders: Folders) -> None:
        """Takes over the folders whose files are looked at."""
        self._folders = folders
        self.follow()

    def know(self) -> None:
        """What is known of dialects is another: all files are to be looked at again."""
        self._knowledge += 1
        self._process.end()
        self.follow()

    def follow(self) -> None:
        """Files may have come, changed or gone."""
        if not self._is_begun:
            return
        nothing: Mapping[str, FileState] = {}
        states = self._states() if self._folders.read else nothing
        self._is_known = states is not None
        if states is None:
            return
        if self._folders.others:
            states = {path: state for path, state in states.items() if path in self._folders}
        self._looked = {path: key for path, key in self._looked.items() if path in states}
        self._wanted = {
            path: (state, self._knowledge)
            for path, state in states.items()
            if self._looked.get(path) != (state, self._knowledge)
        }
        for path in self.findings.keys() - states.keys():
            self._fresh[path] = 0, None
        if self._wanted and (self._looking is None or self._looking.done()):
            self._looking = asyncio.get_running_loop().create_task(self._look())
        elif not self._wanted:
            self._show()

    def give_up(self) -> None:
        """Leaves the files that were not looked at until they change."""
        self._looked |= self._wanted
        self._wanted = {}
        self._show()

    def close(self) -> None:
        """Ends all work."""
        self._is_begun = False
        if self._looking is not None:
            self._looking.cancel()
        self._process.end()
        self._progress(0, 0)

    # ---- the work

    async def _look(self) -> None:
        while self._wanted:
            await self._look_at_all()
            self._show()
            await self._process.finish()

    async def _look_at_all(self) -> None:
        loop = asyncio.get_running_loop()
        done, shown, knowledge = 0, loop.time(), 0
        while self._wanted:
            if knowledge != self._knowledge:
                knowledge = self._knowledge
                await asyncio.sleep(QUIET)
                continue
            path, key = next(iter(self._wanted.items()))
            self._progress(done, done + len(self._wanted))
            uri = self._uri_of(path)
            answer = await self._process.ask(json.dumps([path, uri]).encode())
            if self._wanted.get(path) != key:
                continue  # It has become another meanwhile, or what is known has.
            del self._wanted[path]
            self._looked[path] = key
            self._fresh[path] = _found(uri, answer or NOTHING)
            done += 1
            if loop.time() - shown > BATCH:
                shown = loop.time()
                self._show()

    def _show(self) -> None:
        """Tells of what was found since the last time."""
        fresh, self._fresh = self._fresh, {}
        known = dict(self.findings)
        total = sum(self._counts.values())
        for path, (count, finding) in fresh.items():
            known.pop(path, None)
            total -= self._counts.pop(path, 0)
            if finding is not None and total + count <= MOST:
                known[path] = finding
                self._counts[path] = count
                total += count
        self.findings = known
        self.number += 1
        if not self._wanted:
            self._progress(0, 0)
        self._tell()


def _found(uri: str, answer: bytes) -> tuple[int, Found | None]:
    """How much an answer says of a file, and what."""
    count, _, items = answer.decode("ascii").strip().partition(" ")
    if not int(count):
        return 0, None
    return int(count), Found(uri, items, f"file-{sha256(items.encode()).hexdigest()[:16]}")
