"""The command `fathom.bisectFunction`: which pass changes what a function does; `docs/protocol.md` describes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from fathom.records import replace
from fathom_server.lsp.values import folder_of

if TYPE_CHECKING:
    from lsprotocol import types

    from fathom_server.lsp.border import Border
    from fathom_server.lsp.server import FathomServer

SECONDS: Final = 300.0
"""How long a search may take."""


async def bisect(
    server: FathomServer, border: Border, given: tuple[str, list[Any]], token: types.ProgressToken | None
) -> dict[str, Any]:
    """Asks `fathom bisect` in a process of its own, about the text and the pipeline of the document."""
    from fathom_server.features.bisect import words_of_call
    from fathom_server.lsp.progress import progress
    from fathom_server.session.testing import asked, first_mistake

    name, values = given
    snapshot = border.snapshot
    limits = replace(snapshot.settings.limits, seconds=SECONDS)
    words = words_of_call(snapshot, name, values, snapshot.settings.limits.seconds)
    with progress(server, token, f"Looking for the pass that breaks @{name}") as report:
        report("calling it at each stage")
        ended = await asked(snapshot, "bisect", words, limits, folder_of(border.uri))
    if ended is None:
        return _failed(f"it was not over after {SECONDS:g} s")
    status, printed, wrong = ended
    if status not in (0, 1):
        return _failed(first_mistake(status, wrong))
    try:
        found: dict[str, Any] = json.loads(printed)
    except ValueError:
        return _failed("it was ended")
    return _answer(found, border)


def _failed(message: str) -> dict[str, Any]:
    return {"status": "error", "message": message, "stages": []}


def _answer(found: dict[str, Any], border: Border) -> dict[str, Any]:
    """What was found, in the protocol's terms."""
    stages = [
        {"pass": "source", "does": found["source"]["does"]},
        *({"pass": stage["pass"], "does": stage["does"]} for stage in found["stages"]),
    ]
    guilty, step = found["guilty"], found["step"]
    if guilty is None:
        return {"status": "none", "message": "no pass changes what it does", "stages": stages}
    what = f"the pass {guilty['pass']} changes what it does"
    if guilty["trouble"] is not None:
        what = f"the pass {guilty['pass']} goes wrong: {guilty['message']}"
    message = f"{what}; {step['said']}" if step is not None else what
    answer: dict[str, Any] = {"status": "found", "message": message, "pass": guilty["pass"], "stages": stages}
    if step is not None and step["pattern"]:
        answer["pattern"] = step["pattern"]
    if step is not None and step["line"]:
        tree = border.snapshot.tree
        start = tree.line_start(step["line"] - 1)
        text = tree.line(step["line"] - 1).rstrip()
        first = len(text) - len(text.lstrip())
        answer["range"] = border.range(start + first, start + len(text))
    if found["reduced"] is not None:
        answer["smallest"] = found["reduced"]["text"]
    return answer
