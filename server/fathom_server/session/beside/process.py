"""Work that takes longer than a key may: done in a process beside the server's, one piece at a time.

The process (`session/beside/inside.py`) is started when there is work for the first time, and again when it is gone. It
follows the documents that there was work about. What they became is told with the next question, not at each key; where
each version was asked about, it is told at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeVar, cast

from fathom.context import Context, default_context
from fathom.records import field, record
from fathom_server.model.document import Document, TextChange
from fathom_server.model.settings import Settings
from fathom_server.session import children
from fathom_server.session.beside.answers import answer_of
from fathom_server.session.beside.messages import (
    LENGTH,
    Answer,
    Closed,
    Described,
    Edited,
    Failure,
    GivenUp,
    Opened,
    Question,
    Work,
    frame,
    message_of,
)

if TYPE_CHECKING:
    from asyncio.subprocess import Process

T = TypeVar("T")

_LOGGER = logging.getLogger(__name__)

_MODULE: Final = "fathom_server.session.beside.inside"
_BUFFER: Final = 1 << 20
MOST_DEATHS: Final = 3
"""After so many ends of the process without an answer between them, it is not started again before the next edit."""


class Interrupted(Exception):
    """An edit came, and the work is not wanted any more."""


class NothingToDo(Exception):
    """When the turn of the work had come nobody wanted it any more."""


class Failed(Exception):
    """The work has no answer, because of a fault of Fathom's own; the message says which."""


@record(frozen=False)
class _Followed:
    """What the process knows of a document, and what it is to be told with the next question."""

    version: int
    settings: Settings
    changes: list[TextChange] = field(default_factory=list[TextChange])
    is_asked: bool = False
    """Whether there was a question about the version that the process knows."""


class BesideProcess:
    """The process beside the server, as the event loop sees it."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._followed: dict[str, _Followed] = {}
        self._number = 0
        self._deaths = 0
        self._awaited: asyncio.Future[object] | None = None
        self._is_closed = False
        self._context = self._told = default_context()
        """What is known, and what the process was told of it."""
        self._described: Described | None = Described(())
        self._runs_code = False
        """Whether the process was ever told of code of a workspace, which it may run."""

    def use(self, context: Context, described: Described | None) -> None:
        """Documents are read in this context from now on, which is told of so; None where there is no way to. None may
        be followed."""
        self._context, self._described = context, described
        self._runs_code |= described is not None and bool(described.code)

    # ---- documents

    def changed(self, uri: str, change: TextChange) -> None:
        """Takes note of an edit."""
        followed = self._followed.get(uri)
        if followed is not None:
            followed.changes.append(change)

    def follow(self, document: Document) -> None:
        """Tells the process at once what an edit made of a document, if there was a question about the version before:
        then there will be one about this too, and the process makes ready for it meanwhile. While work is done, or
        is given up, nothing is told: that ends whatever was made ready."""
        followed = self._followed.get(document.uri)
        if self._awaited is None and followed is not None and followed.is_asked and self._told is self._context:
            self._tell(document)

    def forget(self, uri: str) -> None:
        """A document is closed, or is another from now on."""
        if self._followed.pop(uri, None) is not None:
            self._send(Closed(uri))

    # ---- work

    async def run(self, begin: Callable[[], Awaitable[tuple[Document, Work[T]]]]) -> T:
        """What the work gives that `begin` makes, which is called on the event loop when the work's turn has come.

        Raises Interrupted if the work was interrupted, and Failed. If the task is cancelled, the work is given up.
        """
        async with self._turn:
            process = await self._ready()
            document, work = await begin()
            if self._described is None:
                # There is no way to tell the process of such a context.
                return work.function(document.snapshot(), *work.arguments)
            if self._process is not process:
                raise Failed("the process beside the server ended")
            self._tell(document)
            self._followed[document.uri].is_asked = True
            self._number += 1
            awaited = self._awaited = asyncio.get_running_loop().create_future()
            self._send(Question(self._number, document.uri, work))
            try:
                value = await awaited
            except (asyncio.CancelledError, Interrupted):
                self._send(GivenUp())
                raise
            finally:
                self._awaited = None
        if isinstance(value, Failure):
            _LOGGER.error("work beside the server: %s\n%s", value.reason, value.trace)
            raise Failed(value.reason)
        return cast("T", value)

    def interrupt(self) -> None:
        """Ends the work that is being done, if any: something was edited, or closed."""
        self._deaths = 0
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_exception(Interrupted())

    def close(self) -> None:
        """Ends the process, with whatever it does, for good."""
        self._is_closed = True
        self.interrupt()
        if self._process is not None:
            children.end(self._process)

    @property
    def pid(self) -> int | None:
        """The process id of the worker, if one is up."""
        return self._process.pid if self._process is not None else None

    # ---- the process

    async def _ready(self) -> Process:
        """A process that is up."""
        if self._process is not None:
            return self._process
        if self._is_closed:
            raise Failed("the server is shutting down")
        if self._deaths >= MOST_DEATHS:
            raise Failed("the process beside the server ended again and again")
        try:
            process = await children.started(_MODULE, _BUFFER)
        except OSError as problem:
            raise Failed(f"the process beside the server does not start: {problem}") from problem
        self._process = process
        self._reading = asyncio.create_task(self._read(process))
        return process

    def _tell(self, document: Document) -> None:
        """Sees to it that the process knows the present version of a document."""
        if self._told is not self._context:
            self._send(self._described or Described(()))
            self._told = self._context
        uri, followed = document.uri, self._followed.get(document.uri)
        if followed is None:
            self._send(Opened(uri, document.version, document.tree.text, document.settings))
        else:
            settings = document.settings if document.settings is not followed.settings else None
            if settings is None and not followed.changes and followed.version == document.version:
                return
            self._send(Edited(uri, document.version, tuple(followed.changes), settings))
        self._followed[uri] = _Followed(document.version, document.settings)

    def _send(self, message: object) -> None:
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            process.stdin.write(frame(message))

    async def _read(self, process: Process) -> None:
        """Takes the answers of a process until it ends."""
        assert process.stdout is not None
        try:
            while True:
                (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
                body = await process.stdout.readexactly(length)
                self._take(answer_of(body) if self._runs_code else message_of(body))
        except (asyncio.IncompleteReadError, OSError):
            pass
        except Exception:
            _LOGGER.exception("what the process beside the server said")
        finally:
            self._process = None
            self._deaths += 1
            self._followed.clear()
            self._told = default_context()
            children.end(process)
            if self._awaited is not None and not self._awaited.done():
                self._awaited.set_result(Failure("the process beside the server ended"))

    def _take(self, answer: Answer) -> None:
        self._deaths = 0
        awaited = self._awaited
        if awaited is not None and not awaited.done() and answer.number == self._number:
            awaited.set_result(answer.value)
