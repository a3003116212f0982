"""Values of calls that were made: found out in the process beside the server when a call is over, and shown until the
function is edited. An edit of the document, or another call, ends the search."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fathom_server.model.snapshot import Snapshot
from fathom_server.model.values import Values, learn_values, why_none
from fathom_server.session.beside.messages import Work
from fathom_server.session.beside.process import Failed, NothingToDo
from fathom_server.session.own_code.kept import interrupted

if TYPE_CHECKING:
    from fathom_server.session.beside.questions import Beside

SECONDS: Final = 8.0
"""After so much of a processor's time the search is ended, wherever it is."""

_LOGGER = logging.getLogger(__name__)


class CallValues:
    """Looks for the values of the last call. `show` is called when there are some."""

    def __init__(self, beside: Beside, show: Callable[[], None]) -> None:
        self._beside = beside
        self._show = show
        self._task: asyncio.Task[None] | None = None

    def find(self, snapshot: Snapshot, function: str, search: Callable[..., dict[int, Values]], *about: object) -> None:
        """Begins to look for the values of a call of a function that was made in a version of a document: what `search`
        finds out from a snapshot and what it is `about`. The search for those of another call ends."""
        self.close()
        self._task = asyncio.get_running_loop().create_task(self._find(snapshot, function, search, about))

    def say(self, snapshot: Snapshot, function: str, reason: str) -> None:
        """Shows why there are no values of a call."""
        self.close()
        self._take(snapshot, why_none(snapshot, function, reason))

    def close(self) -> None:
        """Ends the search."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _find(
        self, ran: Snapshot, function: str, search: Callable[..., dict[int, Values]], about: tuple[object, ...]
    ) -> None:
        def work(present: Snapshot) -> Work[dict[int, Values]] | None:
            return Work(_searched, (search, function, about)) if present.version == ran.version else None

        try:
            present, found = await self._beside.find(ran.uri, work)
        except NothingToDo:
            return
        except Failed as failed:
            _LOGGER.warning("values of @%s: %s", function, failed)
            present, found = ran, why_none(ran, function, f"a fault in Fathom: {failed}")
        self._take(present, found)

    def _take(self, snapshot: Snapshot, found: dict[int, Values]) -> None:
        for index, values in found.items():
            learn_values(snapshot, snapshot.tree.items[index], values)
        if found:
            self._show()


def _searched(
    snapshot: Snapshot, search: Callable[..., dict[int, Values]], function: str, about: tuple[object, ...]
) -> dict[int, Values]:
    """What a search finds, in the process beside the server."""
    try:
        with interrupted(SECONDS):
            return search(snapshot, *about)
    except TimeoutError:
        return why_none(snapshot, function, "it takes too long to find them out")
    except MemoryError:
        return why_none(snapshot, function, "it takes too much memory to find them out")
