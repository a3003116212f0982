"""Work in the process beside the server, on the present version of an open document."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from fathom_server.model.document import Document
from fathom_server.model.snapshot import Snapshot
from fathom_server.session.beside.messages import Work
from fathom_server.session.beside.process import BesideProcess, Interrupted, NothingToDo
from fathom_server.session.keys import Keys
from fathom_server.session.opened import OpenDocument
from fathom_server.session.turns import Turns

T = TypeVar("T")


class Beside:
    """Asks the process beside the server about open documents when nobody types."""

    def __init__(self, documents: dict[str, OpenDocument], turns: Turns, keys: Keys) -> None:
        self._documents = documents
        self._turns = turns
        self.process = BesideProcess()
        self._keys = keys

    async def find(self, uri: str, prepare: Callable[[Snapshot], Work[T] | None]) -> tuple[Snapshot, T]:
        """What work finds in a version of a document that is the present one when it is done, and this version.

        It begins when nobody types, and begins anew when it is interrupted by an edit. `prepare` says then, of the
        version, what is to be found out. Raises NothingToDo if it says nothing, or if the document is closed, and
        Failed if a fault of Fathom's own is in the way.
        """
        while True:
            try:
                return await self.find_once(uri, prepare)
            except Interrupted:
                continue

    async def find_once(self, uri: str, prepare: Callable[[Snapshot], Work[T] | None]) -> tuple[Snapshot, T]:
        snapshots: list[Snapshot] = []

        async def begin() -> tuple[Document, Work[T]]:
            await self._keys.pause()
            await self._turns.until_free(uri)
            opened = self._documents.get(uri)
            if opened is None:
                raise NothingToDo
            snapshots.append(opened.document.snapshot())
            work = prepare(snapshots[0])
            if work is None:
                raise NothingToDo
            return opened.document, work

        answer = await self.process.run(begin)
        await self._turns.until_free(uri)
        opened = self._documents.get(uri)
        if opened is None:
            raise NothingToDo
        if opened.document.memory is not snapshots[0].memory:
            raise Interrupted
        return snapshots[0], answer
