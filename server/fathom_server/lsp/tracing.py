"""`$/setTrace` and `$/logTrace`: what a client that asks is told of each request, how long its answer took, and
if it wants more, the parameters."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from fathom.text.beginnings import beginning

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST: Final = 2000
"""Of the parameters of a request so many characters are told."""


class Tracing:
    """The requests that are being answered, while the client wants to know of them; `send` tells it."""

    def __init__(self, send: Callable[[types.LogTraceParams], None]) -> None:
        self._send = send
        self._begun: dict[int | str, tuple[str, str, float]] = {}

    def begin(self, trace: object, identifier: int | str, message: dict[str, Any]) -> None:
        """A request came."""
        if trace in (types.TraceValue.Messages, types.TraceValue.Verbose):
            details = beginning(str(message.get("params")), LONGEST) if trace == types.TraceValue.Verbose else ""
            self._begun[identifier] = (message["method"], details, perf_counter())

    def end(self, identifier: int | str, problem: types.ResponseError | None) -> None:
        """Its answer goes out."""
        begun = self._begun.pop(identifier, None)
        if begun is None:
            return
        method, details, start = begun
        how = f"refused ({problem.code}: {problem.message})" if problem is not None else "answered"
        took = f"{(perf_counter() - start) * 1000:.1f} ms"
        self._send(types.LogTraceParams(f"{method} ({identifier}) {how} after {took}", details or None))
