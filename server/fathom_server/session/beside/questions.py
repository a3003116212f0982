"""Work in the process beside the server, on the present version of an open document."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final, TypeVar

from fathom_server.model.document import Document
from fathom_server.model.snapshot import Snapshot
from fathom_server.session.beside.messages import Work
from fathom_server.session.beside.process import BesideProcess, Interrupted, NothingToDo
from fathom_server.session.keys import REST, Keys
from fathom_server.session.opened import OpenDocument
from fathom_server.session.turns import Turns

T = TypeVar("T")

PART: Final = 1 / 16
"""How much of the time that it took last a question waits for the next key, which ends the work on it. What takes long
would be begun in vain at each; what takes little is done while somebody types, …"""
SHORT: Final = 0.15
"""… and what takes no more seconds than these waits for nothing: it is there before the next key."""


class Beside:
    """Asks the process beside the server about open documents when nobody types."""

    def __init__(self, documents: dict[str, OpenDocument], turns: Turns, keys: Keys) -> None:
        self._documents = documents
        self._turns = turns
        self.process = BesideProcess()
        self._keys = keys

    async def find(
        self, uri: str, prepare: Callable[[Snapshot], Work[T] | None], about: str | None = None
    ) -> tuple[Snapshot, T]:
        """What work finds in a version of a document that is the present one when it is done, and this version.

        It begins when nobody types, and begins anew when it is interrupted by an edit. `prepare` says then, of the
        version, what is to be found out. What is asked again and again `about` the same, and does not take long, begins
        earlier. Raises NothingToDo if it says nothing, or if the document is closed, and
        Failed if a fault of Fathom's own is in the way.
        """
        while True:
            try:
                return await self.find_once(uri, prepare, about)
            except Interrupted:
                continue

    async def find_once(
        self, uri: str, prepare: Callable[[Snapshot], Work[T] | None], about: str | None = None
    ) -> tuple[Snapshot, T]:
        began = perf_counter()
        snapshots: list[Snapshot] = []

        async def begin() -> tuple[Document, Work[T]]:
            nonlocal began
            opened = self._documents.get(uri)
            await self._keys.pause(rest_before(opened.took.get(about or "")) if opened is not None else REST)
            await self._turns.until_free(uri)
            began = perf_counter()
            opened = self._documents.get(uri)
            if opened is None:
                raise NothingToDo
            snapshots.append(opened.document.snapshot())
            work = prepare(snapshots[0])
            if work is None:
                raise NothingToDo
            return opened.document, work

        answer = await self.process.run(begin)
        took = perf_counter() - began
        await self._turns.until_free(uri)
        opened = self._documents.get(uri)
        if opened is None:
            raise NothingToDo
        if about is not None:
            opened.took[about] = took
        if opened.document.memory is not snapshots[0].memory:
            raise Interrupted
        return snapshots[0], answer


def rest_before(took: float | None) -> float:
    """Seconds without an edit before a question is asked that took so many seconds the last time, if that is known."""
    if took is None:
        return REST
    return min(PART * took, REST) if took > SHORT else 0.0
