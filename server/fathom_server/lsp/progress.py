"""How far work has come, for a client that shows it: of a request under the token that the client gave with it; of
other work, once it takes a while, under one that the client is asked to show (`window/workDoneProgress/create`)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from fathom_server.lsp.server import FathomServer

WHILE: Final = 0.5
"""Seconds that work takes before a client is asked to show it: what flashes by only startles."""
REST: Final = 0.1
"""Seconds between two reports of what is counted."""


class Shown:
    """Work that is shown from now on, or from when it has taken a while. `cancel` is called when the client's button is
    pressed."""

    def __init__(
        self,
        server: FathomServer,
        title: str,
        cancel: Callable[[], object],
        token: types.ProgressToken | None = None,
    ) -> None:
        self._server = server
        self._title = title
        self._cancel = cancel
        self._last = types.WorkDoneProgressReport()
        self._token: types.ProgressToken | None = None
        """That under which it is shown by now."""
        self._is_over = False
        self._timer: asyncio.TimerHandle | None = None
        window = server.client_capabilities.window
        if token is not None:
            self._begin(token)
        elif window is not None and window.work_done_progress:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(WHILE, lambda: server.begin(self._begin_unasked()))

    def report(self, message: str, percentage: int | None = None) -> None:
        """Says how far it is."""
        self._last = types.WorkDoneProgressReport(message=message, percentage=percentage)
        if self._token is not None:
            self._server.work_done_progress.report(self._token, self._last)

    def end(self) -> None:
        """The work is over, and so is what is shown of it."""
        self._is_over = True
        if self._timer is not None:
            self._timer.cancel()
        token, self._token = self._token, None
        if token is not None and self._server.protocol.writer is not None:
            self._tokens.pop(token, None)
            self._server.work_done_progress.end(token, types.WorkDoneProgressEnd())

    async def _begin_unasked(self) -> None:
        token = f"fathom-{secrets.token_hex(8)}"
        try:
            await self._server.window_work_done_progress_create_async(types.WorkDoneProgressCreateParams(token))
        except JsonRpcException:
            return  # The client does not want to show it.
        if not self._is_over:
            self._begin(token)

    def _begin(self, token: types.ProgressToken) -> None:
        self._token = token
        last = self._last
        begin = types.WorkDoneProgressBegin(
            self._title, cancellable=True, message=last.message, percentage=last.percentage
        )
        self._server.work_done_progress.begin(token, begin)
        self._tokens[token].add_done_callback(lambda future: self._cancel() if future.cancelled() else None)

    @property
    def _tokens(self) -> dict[types.ProgressToken, Future[None]]:
        """What waits for the buttons of all that is shown."""
        progress = self._server.work_done_progress
        return cast("dict[types.ProgressToken, Future[None]]", progress.tokens)  # pyright: ignore[reportUnknownMemberType]


@contextmanager
def progress(
    server: FathomServer, token: types.ProgressToken | None, title: str
) -> Generator[Callable[[str], None], None, None]:
    """Shows how far a request has come; the button cancels it."""
    task = asyncio.current_task()
    shown = Shown(server, title, lambda: task.cancel() if task is not None else None, token)
    try:
        yield shown.report
    finally:
        shown.end()


class Counted:
    """Shows work that is so many things to be done, whenever there are some: it is told how many are done, and how many
    there are."""

    def __init__(self, server: FathomServer, title: str, things: str, cancel: Callable[[], object]) -> None:
        self._server = server
        self._title = title
        self._things = things
        self._cancel = cancel
        self._shown: Shown | None = None
        self._reported = 0.0

    def __call__(self, done: int, of: int) -> None:
        if done >= of:
            shown, self._shown = self._shown, None
            if shown is not None:
                shown.end()
            return
        now = asyncio.get_running_loop().time()
        if self._shown is None:
            self._shown = Shown(self._server, self._title, self._cancel)
        elif now - self._reported < REST:
            return
        self._reported = now
        self._shown.report(f"{done:,} of {of:,} {self._things}", 100 * done // of)
