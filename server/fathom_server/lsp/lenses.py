"""Code lenses and tests in the protocol's terms: `docs/protocol.md` names the commands that lenses have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.uris import to_fs_path

from fathom.slices import paced
from fathom_server.lsp import values
from fathom_server.lsp.benching import can_measure
from fathom_server.lsp.border import Border
from fathom_server.lsp.encoded import Encoded, encoded
from fathom_server.lsp.plain import plain
from fathom_server.lsp.requests import invalid

if TYPE_CHECKING:
    from fathom_server.features.lenses import Counted, Lens
    from fathom_server.features.tests import Test
    from fathom_server.lsp.server import FathomServer
    from fathom_server.session.opened import OpenDocument
    from fathom_server.session.testing import Outcome

RUN: Final = "fathom.lens.run"
BENCH: Final = "fathom.lens.bench"
PREVIEW: Final = "fathom.lens.preview"
REFERENCES: Final = "fathom.lens.references"
RUN_TEST: Final = "fathom.lens.runTest"
"""The commands of clients."""
OF_CLIENTS: Final = {"run": ("Run", RUN), "bench": ("Bench", BENCH), "preview": ("Preview", PREVIEW)}
"""Of lenses about a function: title, and command."""
LONGEST: Final = 80
"""So much of a message is shown in a lens."""


def lenses(border: Border, _params: object, shown: list[Lens]) -> list[dict[str, Any]]:
    """The lenses with their commands, but for those that are still to be counted; without those of commands that the
    client does not have. Of a large document there are tens of thousands, so they are plain data."""
    ranges: dict[int, dict[str, Any]] = {}
    made: list[dict[str, Any]] = []
    for lens in paced(shown):
        where = ranges.get(lens.start)
        if where is None:
            where = ranges[lens.start] = _plain_range(border.range(lens.start, lens.end))
        rest = _rest(border, lens, where["start"]["line"])
        if rest is not None:
            made.append({"range": where, **rest})
    return made


def _plain_range(where: types.Range) -> dict[str, Any]:
    start, end = where.start, where.end
    return {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }


def _rest(border: Border, lens: Lens, line: int) -> dict[str, Any] | None:
    """The command of a lens, or what its command is found out by; None if the client has not that command."""
    own, uri = border.client.commands, border.uri
    about = {"uri": uri, "function": lens.function}
    match lens.kind:
        case "bench" if not can_measure():
            return None
        case "run" | "bench" | "preview":
            title, name = OF_CLIENTS[lens.kind]
            return _command(title, name, about) if name in own else None
        case "lower":
            return _command("Lower", "fathom.lowerFunction", uri, lens.function)
        case "uses" | "copies":
            return {"data": {**about, "kind": lens.kind}} if REFERENCES in own else None
        case "test" if RUN_TEST in own:
            return _command("Run test", RUN_TEST, {"uri": uri, "line": line})
        case "test":
            return _command("Run test", "fathom.runTest", uri, line)


def _command(title: str, name: str, *arguments: object) -> dict[str, Any]:
    return {"command": {"title": title, "command": name, "arguments": list(arguments)}}


def with_outcomes(server: FathomServer, border: Border, _params: object, shown: list[dict[str, Any]]) -> Encoded:
    """The lenses; those of tests that were run say what became of them."""
    if (opened := server.session.documents.get(border.uri)) is not None:
        opened.attention.stuck = 0
    if server.session.has_tested:
        from fathom_server.features.tests import tests

        by_line = {test.line: test for test in tests(border.snapshot)}
        for lens in shown:
            command = lens.get("command")
            test = by_line.get(lens["range"]["start"]["line"])
            if command is None or test is None or command["command"] not in (RUN_TEST, "fathom.runTest"):
                continue
            known = server.session.testing.outcome(border.snapshot, test.command)
            if known is not None:
                is_present, outcome = known
                command["title"] = f"Run test: {_said(outcome)}{'' if is_present else ' before the last edit'}"
    return encoded(shown)


def refresh(server: FathomServer, opened: OpenDocument) -> None:
    """Has the client ask for the lenses again where functions turned out not to lower, which it may show as such that
    can be run."""
    if opened.attention.stuck and not opened.has_work and server.client.refreshes_lenses:
        opened.attention.stuck = 0
        server.workspace_code_lens_refresh(None)


def _said(outcome: Outcome) -> str:
    if outcome.status == "passed":
        return f"✓ passed in {outcome.seconds:.1f} s"
    message = outcome.message if len(outcome.message) <= LONGEST else f"{outcome.message[:LONGEST]}…"
    return f"✗ {message}"


def document_of_lens(lens: types.CodeLens) -> str:
    match plain(lens.data):
        case {"uri": str(uri)}:
            return uri
        case _:
            raise invalid("this lens did not come from Fathom")


def what_is_counted(_border: Border, lens: types.CodeLens) -> tuple[str, str]:
    match plain(lens.data):
        case {"function": str(name), "kind": str(kind)}:
            return name, kind
        case _:
            raise invalid("this lens did not come from Fathom")


def with_count(border: Border, lens: types.CodeLens, counted: Counted) -> types.CodeLens:
    """The lens with how often the function is used, or what it copies."""
    about: dict[str, Any] = {
        "uri": border.uri,
        "position": lens.range.start,
        "locations": border.locations(counted.places),
    }
    lens.command = types.Command(counted.title, REFERENCES, arguments=[about])
    return lens


# ---- tests


def tests(border: Border, _params: object, commands: list[Test]) -> list[dict[str, Any]]:
    return [
        {"line": test.line, "range": border.range(test.start, test.end), "command": test.command} for test in commands
    ]


def read_test(arguments: list[object]) -> tuple[str, int] | None:
    match arguments:
        case [str(uri), int(line)] if line is not True and line is not False and line >= 0:
            return uri, line
        case _:
            return None


async def run_test(
    server: FathomServer, border: Border, line: int, token: types.ProgressToken | None
) -> dict[str, Any]:
    """`fathom.runTest`: runs a command of the document's comments, with Fathom in the place of MLIR's tools."""
    from fathom_server.features.tests import test_at
    from fathom_server.lsp.progress import progress

    snapshot = border.snapshot
    test = test_at(snapshot, line)
    if test is None:
        raise invalid(f"no test begins in line {line}")
    name = to_fs_path(border.uri) if border.uri.startswith("file:") else None
    with progress(server, token, "Running a test") as report:
        report(test.command)
        outcome = await server.session.testing.run(
            snapshot, test, Path(name) if name is not None else None, snapshot.settings.limits
        )
    if server.client.refreshes_lenses:
        server.workspace_code_lens_refresh(None)
    values.after_test(server, snapshot, test, outcome)
    answer: dict[str, Any] = {
        "status": outcome.status,
        "message": outcome.message,
        "output": outcome.output,
        "milliseconds": round(outcome.seconds * 1000, 3),
        "version": snapshot.version,
    }
    if outcome.line is not None:
        start = snapshot.tree.line_start(outcome.line)
        text = snapshot.tree.line(outcome.line)
        first = len(text) - len(text.lstrip())
        answer["range"] = border.range(start + first, start + max(len(text.rstrip()), first))
    return answer
