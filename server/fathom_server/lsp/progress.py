"""How far a request has come, for a client that shows it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from lsprotocol import types

if TYPE_CHECKING:
    from fathom_server.lsp.server import FathomServer


@contextmanager
def progress(
    server: FathomServer, token: types.ProgressToken | None, title: str
) -> Generator[Callable[[str], None], None, None]:
    """Shows how far a request has come, if the client gave a token; its button cancels the request."""
    if token is None:
        yield lambda _message: None
        return
    shown = server.work_done_progress
    shown.begin(token, types.WorkDoneProgressBegin(title, cancellable=True))
    tokens = cast("dict[types.ProgressToken, Future[None]]", shown.tokens)  # pyright: ignore[reportUnknownMemberType]
    task = asyncio.current_task()
    tokens[token].add_done_callback(lambda future: task.cancel() if task and future.cancelled() else None)
    try:
        yield lambda message: shown.report(token, types.WorkDoneProgressReport(message=message))
    finally:
        tokens.pop(token, None)
        shown.end(token, types.WorkDoneProgressEnd())
