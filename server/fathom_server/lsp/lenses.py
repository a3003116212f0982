"""Code lenses and tests in the protocol's terms: `docs/protocol.md` names the commands that lenses have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.uris import to_fs_path

from fathom_server.lsp.border import Border, refreshes_lenses
from fathom_server.lsp.plain import plain
from fathom_server.lsp.requests import invalid

if TYPE_CHECKING:
    from fathom.ir.operation import Span
    from fathom_server.features.lenses import Lens
    from fathom_server.features.tests import Test
    from fathom_server.lsp.server import FathomServer
    from fathom_server.session.testing import Outcome

RUN: Final = "fathom.lens.run"
PREVIEW: Final = "fathom.lens.preview"
REFERENCES: Final = "fathom.lens.references"
RUN_TEST: Final = "fathom.lens.runTest"
"""The commands of clients."""
TITLES: Final = {"run": "Run", "preview": "Preview", "lower": "Lower"}
LONGEST: Final = 80
"""So much of a message is shown in a lens."""


def lenses(border: Border, _params: object, found: list[Lens]) -> list[types.CodeLens]:
    """The lenses with their commands, but for those that are still to be counted; without those of commands that the
    client does not have."""
    return [made for lens in found if (made := _lens(border, lens)) is not None]


def _lens(border: Border, lens: Lens) -> types.CodeLens | None:
    where, own = border.range(lens.start, lens.end), border.client.commands
    about = {"uri": border.uri, "function": lens.function}
    match lens.kind:
        case "run" | "preview":
            name = RUN if lens.kind == "run" else PREVIEW
            command = types.Command(TITLES[lens.kind], name, arguments=[about])
            return types.CodeLens(where, command) if name in own else None
        case "lower":
            command = types.Command(TITLES["lower"], "fathom.lowerFunction", arguments=[border.uri, lens.function])
            return types.CodeLens(where, command)
        case "uses":
            return types.CodeLens(where, data=about) if REFERENCES in own else None
        case "test":
            line = where.start.line
            if RUN_TEST in own:
                command = types.Command("Run test", RUN_TEST, arguments=[{"uri": border.uri, "line": line}])
            else:
                command = types.Command("Run test", "fathom.runTest", arguments=[border.uri, line])
            return types.CodeLens(where, command)


def with_outcomes(
    server: FathomServer, border: Border, _params: object, found: list[types.CodeLens]
) -> list[types.CodeLens]:
    """The lenses of tests that were run say what became of them."""
    if not server.session.has_tested:
        return found
    from fathom_server.features.tests import tests

    by_line = {each.line: each for each in tests(border.snapshot)}
    for lens in found:
        command = lens.command
        test = by_line.get(lens.range.start.line)
        if command is None or test is None or command.command not in (RUN_TEST, "fathom.runTest"):
            continue
        known = server.session.testing.outcome(border.snapshot, test.command)
        if known is not None:
            is_present, outcome = known
            command.title = f"Run test: {_said(outcome)}{'' if is_present else ' before the last edit'}"
    return found


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


def function_of_lens(_border: Border, lens: types.CodeLens) -> tuple[str]:
    match plain(lens.data):
        case {"function": str(name)}:
            return (name,)
        case _:
            raise invalid("this lens did not come from Fathom")


def with_uses(border: Border, lens: types.CodeLens, found: list[Span]) -> types.CodeLens:
    """The lens with how often the function is used."""
    places = border.locations(found)
    title = "1 use" if len(places) == 1 else f"{len(places) or 'no'} uses"
    about: dict[str, Any] = {"uri": border.uri, "position": lens.range.start, "locations": places}
    lens.command = types.Command(title, REFERENCES, arguments=[about])
    return lens


# ---- tests


def tests(border: Border, _params: object, found: list[Test]) -> list[dict[str, Any]]:
    return [{"line": each.line, "range": border.range(each.start, each.end), "command": each.command} for each in found]


def read_test(arguments: list[Any]) -> tuple[str, int] | None:
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
    if refreshes_lenses(server.client_capabilities):
        server.workspace_code_lens_refresh(None)
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
