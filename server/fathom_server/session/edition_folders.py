"""The folders whose MLIR is the edition of documents: each is read in a process beside, and again when a file of it
changed. Until it is read, the release that it is nearest to stands in its place, or what it said before.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.descriptions.origins import Lines
from fathom.descriptions.places import Finding, Place
from fathom.descriptions.reading import read_text
from fathom.editions.folder.layer import FolderEdition, folder_edition, key_of, release_of
from fathom.editions.folder.places import NoMlir, find
from fathom_server.session import children

if TYPE_CHECKING:
    from asyncio.subprocess import Process

_MODULE: Final = "fathom_server.session.edition_reader"
_LONGEST: Final = 64 << 20
"""Bytes of a line that the reader tells."""
PATIENCE: Final = 900.0
"""Seconds in which an MLIR is to be read; it takes a minute of a slow computer."""
MOST_FINDINGS: Final = 1000


class _Folder:
    """A folder that is wanted: the edition that stands for it, what is wrong with it, and who reads it."""

    def __init__(self) -> None:
        self.edition = ""
        self.key = ""
        self.findings: tuple[Finding, ...] = ()
        self.problem = ""
        self.task: asyncio.Task[None] | None = None
        self.is_outdated = False


class EditionFolders:
    """See the module. `use` is called with the editions that stand for folders, by their paths, whenever one is
    another; `show` when what is wrong with files is; `warn` with a folder that has no MLIR, and why; and `count` with
    how many dialects are read, and of how many."""

    def __init__(
        self,
        use: Callable[[Mapping[str, str]], None],
        show: Callable[[], None],
        warn: Callable[[str, str], None],
        count: Callable[[int, int], None],
    ) -> None:
        self._use = use
        self._show = show
        self._warn = warn
        self._count = count
        self._folders: dict[str, _Folder] = {}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with `.td` files."""
        return tuple(finding for folder in self._folders.values() for finding in folder.findings)[:MOST_FINDINGS]

    @property
    def paths(self) -> tuple[str, ...]:
        """The folders that are wanted."""
        return tuple(self._folders)

    def want(self, paths: Iterable[str]) -> None:
        """Takes over which folders are editions of documents, by their paths, and looks at what changed in them."""
        wanted = dict.fromkeys(paths)
        for path in self._folders.keys() - wanted.keys():
            folder = self._folders.pop(path)
            if folder.task is not None:
                folder.task.cancel()
        for path in wanted:
            self._folders.setdefault(path, _Folder())
        self.look()

    def look(self) -> None:
        """Sees to it that what changed is read again."""
        for path, folder in self._folders.items():
            folder.is_outdated = True
            if folder.task is None or folder.task.done():
                folder.task = asyncio.get_running_loop().create_task(self._follow(path, folder))

    def close(self) -> None:
        for folder in self._folders.values():
            if folder.task is not None:
                folder.task.cancel()
        self._folders.clear()

    # ---- the work

    async def _follow(self, path: str, folder: _Folder) -> None:
        while folder.is_outdated:
            folder.is_outdated = False
            try:
                place = await asyncio.to_thread(find, path)
            except NoMlir as problem:
                folder.findings = ()
                self._take(path, folder, "", "", str(problem))
                self._show()
                continue
            key = await asyncio.to_thread(key_of, place)
            if key == folder.key:
                continue
            if not folder.edition:
                self._take(path, folder, release_of(place), "")
            await self._read(path, folder)

    def _take(self, path: str, folder: _Folder, edition: str, key: str, problem: str = "") -> None:
        if problem and problem != folder.problem:
            self._warn(path, problem)
        folder.problem, folder.key = problem, key
        if edition != folder.edition and self._folders.get(path) is folder:
            folder.edition = edition
            self._use({path: folder.edition for path, folder in self._folders.items()})

    async def _read(self, path: str, folder: _Folder) -> None:
        """Has an MLIR read, and takes over what it says."""
        try:
            process = await children.started(_MODULE, limit=_LONGEST)
        except OSError:
            return
        try:
            layer = await asyncio.wait_for(self._told(path, process), PATIENCE)
        except (TimeoutError, ValueError, TypeError, asyncio.LimitOverrunError):
            layer = None
        finally:
            children.end(process)
            self._count(1, 1)
        if layer is None:
            if self._folders.get(path) is folder and not folder.is_outdated:
                self._warn(path, f"the MLIR in '{path}' could not be read: what it is nearest to stands in its place")
            return
        folder.findings = await asyncio.to_thread(_findings, layer)
        self._take(path, folder, layer.key, layer.key)
        self._show()

    async def _told(self, path: str, process: Process) -> FolderEdition | None:
        """What the process tells; None where it ends before it has told all."""
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{path}\n".encode())
        head = await process.stdout.readline()
        if not head:
            return None
        key, *names = json.loads(head)
        layer = await asyncio.to_thread(folder_edition, str(key))
        for number in range(len(names)):
            self._count(number, len(names))
            line = await process.stdout.readline()
            if not line:
                return None
            name, data = await asyncio.to_thread(json.loads, line)
            await asyncio.to_thread(layer.take, str(name), str(data).encode())
        return layer


def _findings(layer: FolderEdition) -> tuple[Finding, ...]:
    """What is wrong with the files of an MLIR, each where it is to be mended. It is no error, since what the nearest
    release says counts in its place."""
    lines = Lines(read_text)
    found: dict[Finding, None] = {}
    for name in layer.defined:
        for mistake in layer.said(name).mistakes:
            if mistake.location is not None:
                place: Place = lines.place(mistake.location)
                found[Finding(mistake.message, place, "warning")] = None
    return tuple(found)
