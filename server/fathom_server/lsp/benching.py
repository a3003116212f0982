"""The command `fathom.benchFunction`: how long a function takes; `docs/protocol.md` describes it."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from fathom.records import record, replace
from fathom_server.lsp.commands import read_call
from fathom_server.lsp.requests import invalid
from fathom_server.lsp.values import folder_of

if TYPE_CHECKING:
    from lsprotocol import types

    from fathom_server.lsp.border import Border
    from fathom_server.lsp.server import FathomServer

SECONDS: Final = 300.0
"""How long all of it may take."""
NEEDED: Final = ("numpy", "pyperf", "pygal")


LONGEST: Final = 60.0
"""Seconds for which anybody may have it measured."""


@record
class Asked:
    """What is to be measured, and for how many seconds."""

    function: str
    arguments: list[Any]
    seconds: float | None


def read(arguments: list[Any]) -> tuple[str, Asked] | None:
    """The document, and what is to be measured."""
    call = read_call(arguments)
    if call is None:
        return None
    uri, (name, values) = call
    seconds: Any = arguments[0].get("seconds")
    if seconds is not None and (
        not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not 0 < seconds <= LONGEST
    ):
        raise invalid(f"`seconds` is a number from 0 to {LONGEST:g}")
    return uri, Asked(name, values, seconds)


@cache
def can_measure() -> bool:
    """Whether what it needs is installed."""
    return all(find_spec(name) is not None for name in NEEDED)


async def bench(
    server: FathomServer, border: Border, given: Asked, token: types.ProgressToken | None
) -> dict[str, Any]:
    """Asks `fathom run --bench` in a process of its own, about the text and the pipeline of the document. What is
    measured has its turn, in which no test runs beside it."""
    from fathom_server.features.bisect import words_of_call
    from fathom_server.lsp.progress import progress
    from fathom_server.session.testing import asked, first_mistake

    name, snapshot = given.function, border.snapshot
    limits = snapshot.settings.limits
    words = words_of_call(snapshot, name, given.arguments, limits.seconds)
    words += ["--bench", f"--memory-limit={limits.memory}"]
    if given.seconds is not None:
        words.append(f"--bench-seconds={given.seconds}")
    with progress(server, token, f"Measuring @{name}") as report:
        report("waiting for its turn")
        async with server.session.testing.turn:
            report("calling it again and again")
            most = replace(limits, seconds=SECONDS)
            ended = await asked(snapshot, "run", words, most, folder_of(border.uri))
    if ended is None:
        return _failed(f"it was not over after {SECONDS:g} s")
    status, printed, wrong = ended
    try:
        (measured,) = json.loads(printed)[0]["measured"]
    except (ValueError, LookupError, TypeError):
        return _failed(first_mistake(status, wrong))
    answer: dict[str, Any] = {"status": "ok", "message": measured["told"]}
    answer |= {key: measured[key] for key in ("median", "spread", "isCertain")}
    return {**answer, **(measured["work"] or {})}


def _failed(message: str) -> dict[str, Any]:
    return {"status": "error", "message": message}
