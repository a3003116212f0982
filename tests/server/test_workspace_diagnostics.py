"""What is wrong with files that are not open, for a client that asks for the diagnostics of the workspace."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.patience import PATIENCE
from tests.server.client import Session, capabilities, started
from tests.server.test_dialects import changed
from tests.server.test_pulled_diagnostics import BROKEN, GOOD, workspace

pytestmark = pytest.mark.asyncio

UNDECLARED = "use of undeclared SSA value name"
WIDE = 'func.func @f(%a: i32) {\n  "é😀.op"(%b) {note = "😀"} : (i32) -> ()\n  return\n}\n'
DIALECT = 'dialect = "toy"\n\n[op.twice]\noperands = ["value: I32"]\nresults = ["result: I32"]\n'
USER = 'func.func @f(%a: i64) -> i32 {\n  %0 = "toy.twice"(%a) : (i64) -> i32\n  return %0 : i32\n}\n'

Known = dict[str, str]


def pulling(**more: Any) -> types.ClientCapabilities:
    return capabilities(pulls=True, watches_files=True, **more)


def told(session: Session, *paths: Path) -> None:
    """Files are others on disk."""
    for path in paths:
        changed(session, path)


async def check_news(session: Session, known: Known, *expected: str, within: float = PATIENCE) -> Known:
    """Asks until what is expected was told, and no more, each as `name: line: message`, or `name:` where there is
    nothing wrong any more. What is known then."""
    said: dict[str, str] = {}
    known = dict(known)
    deadline = asyncio.get_running_loop().time() + within
    while sorted(said.values()) != sorted(expected):
        assert asyncio.get_running_loop().time() < deadline, said
        for uri, report in (await asyncio.wait_for(workspace(session, known), PATIENCE)).items():
            said[uri] = f"{Path(uri).name}:" + "".join(
                f" {item.range.start.line + 1}: {item.message.partition(chr(10))[0]}" for item in report.items
            )
            if report.result_id is None:
                known.pop(uri, None)
            else:
                known[uri] = report.result_id
    await check_no_news(session, known)
    return known


async def check_no_news(session: Session, known: Known) -> None:
    waiting = asyncio.ensure_future(workspace(session, known))
    await asyncio.sleep(0.5)
    assert not waiting.done(), waiting.result()
    waiting.cancel()


async def test_files_that_are_not_open_are_told_of(tmp_path: Path) -> None:
    broken = tmp_path / "deep" / "broken.mlir"
    broken.parent.mkdir()
    broken.write_text(BROKEN)
    (tmp_path / "good.mlir").write_text(GOOD)
    (tmp_path / "meant.mlir").write_text(f"// expected-error @below {{{{undeclared}}}}\n{BROKEN}")
    (tmp_path / "refused.mlir").write_text(f"// RUN: not mlir-opt %s\n{BROKEN}")
    (tmp_path / "data.mlir").write_bytes(b"\0\xff" * 100)
    (tmp_path / "unknown.mlir").write_text('"no.such"() : () -> ()\nfunc.func @f() {\n  return\n}\n')
    async with started(pulling(), folder=tmp_path) as session:
        known = await check_news(session, {}, f"broken.mlir: 3: {UNDECLARED}")
        broken.write_text(f"\n{BROKEN}")
        told(session, broken)
        known = await check_news(session, known, f"broken.mlir: 4: {UNDECLARED}")
        broken.write_text(GOOD)
        (tmp_path / "good.mlir").write_text(BROKEN)
        told(session, broken, tmp_path / "good.mlir")
        known = await check_news(session, known, "broken.mlir:", f"good.mlir: 3: {UNDECLARED}")
        (tmp_path / "good.mlir").unlink()
        told(session, tmp_path / "good.mlir")
        await check_news(session, known, "good.mlir:")
        assert session.published == {}


async def test_what_is_open_is_told_of_as_it_is_in_the_editor(tmp_path: Path) -> None:
    path = tmp_path / "größe 🙂.mlir"
    path.write_text(BROKEN)
    async with started(pulling(), folder=tmp_path) as session:
        reports = await workspace(session, {})
        (report,) = reports.values()
        assert (report.version, len(report.items)) == (None, 1)
        known = await check_news(session, {}, f"{Path(report.uri).name}: 3: {UNDECLARED}")
        buffer = session.open(f"\n{BROKEN}", report.uri.removeprefix("file:///"))
        known = await check_news(session, known, f"{Path(report.uri).name}: 4: {UNDECLARED}")
        buffer.close()
        await check_news(session, known, f"{Path(report.uri).name}: 3: {UNDECLARED}")


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 14), ("utf-16", 11), ("utf-32", 10)])
async def test_places_are_in_the_encoding_agreed_on(tmp_path: Path, encoding: str, column: int) -> None:
    (tmp_path / "x.mlir").write_text(WIDE)
    async with started(pulling(encodings=[encoding], links=True), folder=tmp_path) as session:
        (report,) = (await workspace(session, {})).values()
        (diagnostic,) = report.items
        assert (diagnostic.range.start.line, diagnostic.range.start.character) == (1, column)
        assert diagnostic.code_description is not None


async def test_results_come_in_parts_if_they_may(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.mlir").write_text(BROKEN)
    async with started(pulling(), folder=tmp_path) as session:
        buffer = session.open(BROKEN)
        params = types.WorkspaceDiagnosticParams([], partial_result_token="parts")
        outcome = await asyncio.wait_for(session.client.workspace_diagnostic_async(params), PATIENCE)
        assert list(outcome.items) == []
        reports = [report for token, value in session.progress if token == "parts" for report in value["items"]]
        names = [Path(report["uri"]).name for report in reports]
        assert sorted(names) == [*(f"{number}.mlir" for number in range(5)), Path(buffer.uri).name]
        assert all(len(report["items"]) == 1 and report["resultId"] for report in reports)
        await check_no_news(session, {report["uri"]: report["resultId"] for report in reports})


async def test_it_shows_how_far_it_is_and_can_be_given_up(tmp_path: Path) -> None:
    count = 80
    for number in range(count):
        functions = (BROKEN.replace("@f", f"@f{number}_{index}") for index in range(40))
        (tmp_path / f"{number}.mlir").write_text("".join(functions))
    async with started(pulling(shows_progress=True), folder=tmp_path) as session:
        params = types.WorkspaceDiagnosticParams([], partial_result_token="parts")
        asked = asyncio.ensure_future(session.client.workspace_diagnostic_async(params))

        def shown() -> Any:
            """What is shown, when some files were looked at."""
            begun = [token for token, value in session.progress if value.get("title") == "Checking the workspace"]
            said = [value.get("message") or "" for token, value in session.progress if token in begun]
            return begun[0] if said and not said[-1].startswith("0 ") else None

        token = await session.until(shown)
        session.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        await asyncio.wait_for(asked, PATIENCE)
        values = [value for at, value in session.progress if at == token]
        assert values[-1]["kind"] == "end"
        assert values[0]["message"].endswith(f" of {count} files")
        told = {
            report["uri"]: report["resultId"]
            for at, value in session.progress
            if at == "parts"
            for report in value["items"]
        }
        assert 0 < len(told) < count
        await check_no_news(session, told)


async def test_what_is_known_survives_a_restart(tmp_path: Path) -> None:
    (tmp_path / "one.mlir").write_text(BROKEN)
    (tmp_path / "two.mlir").write_text(BROKEN)
    async with started(pulling(), folder=tmp_path) as session:
        known = await check_news(session, {}, f"one.mlir: 3: {UNDECLARED}", f"two.mlir: 3: {UNDECLARED}")
    (tmp_path / "two.mlir").write_text(GOOD)
    async with started(pulling(), folder=tmp_path) as session:
        await check_news(session, known, "two.mlir:")


async def test_it_can_be_switched_off(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / f"in_{folder.name}.mlir").write_text(BROKEN)
    off: dict[str, Any] = {"diagnostics": {"workspace": False}}
    on: dict[str, Any] = {"diagnostics": {"workspace": True}}
    async with started(pulling(configuration=True), scoped={first: off, second: on}) as session:
        known = await check_news(session, {}, f"in_second.mlir: 3: {UNDECLARED}")
        session.scoped[first.as_uri()] = on
        session.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
        known = await check_news(session, known, f"in_first.mlir: 3: {UNDECLARED}")
        (second / "fathom.toml").write_text("[diagnostics]\nworkspace = false\n")
        told(session, second / "fathom.toml")
        known = await check_news(session, known, "in_second.mlir:")
        (first / "fathom.toml").write_text("[workspace]\nindex = false\n")
        told(session, first / "fathom.toml")
        await check_news(session, known, "in_first.mlir:")


async def test_files_are_looked_at_with_what_is_known_of_dialects(tmp_path: Path) -> None:
    (tmp_path / "fathom.toml").write_text('dialects = ["toy.toml"]\n')
    (tmp_path / "toy.toml").write_text(DIALECT)
    (tmp_path / "user.mlir").write_text(USER)
    wrong = "user.mlir: 2: 'toy.twice' op operand #0 must be 32-bit signless integer, but got 'i64'"
    async with started(pulling(), folder=tmp_path) as session:
        known = await check_news(session, {}, wrong)
        (tmp_path / "toy.toml").write_text(DIALECT.replace("value: I32", "value: I64"))
        told(session, tmp_path / "toy.toml")
        known = await check_news(session, known, "user.mlir:")
        (tmp_path / "toy.toml").write_text(DIALECT)
        told(session, tmp_path / "toy.toml")
        await check_news(session, known, wrong)
