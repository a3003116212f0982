"""Diagnostics for a client that asks for them: the reports, that they are not pushed as well, and when it is told to
ask again; and that to one that does not ask, nothing is told twice."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

import pytest
from lsprotocol import types

from tests.patience import PATIENCE
from tests.server.client import Buffer, Session, capabilities, started

pytestmark = pytest.mark.asyncio

GOOD = "func.func @f(%a: i32) -> i32 {\n  %x = arith.addi %a, %a : i32\n  return %x : i32\n}\n"
BROKEN = GOOD.replace("return %x", "return %y")
COPY = "linalg.copy ins(%m : memref<4xf32>) outs(%n : memref<4xf32>)"
STALLED = f"func.func @f(%m: memref<4xf32>, %n: memref<4xf32>) {{\n  {COPY}\n  return\n}}\n"


async def pulled(buffer: Buffer, former: str | None = None) -> Any:
    """The report of a document, after a `former` one."""
    params = types.DocumentDiagnosticParams(buffer.identifier, previous_result_id=former)
    return await asyncio.wait_for(buffer.session.client.text_document_diagnostic_async(params), PATIENCE)


async def workspace(session: Session, known: dict[str, str]) -> dict[str, Any]:
    params = types.WorkspaceDiagnosticParams([types.PreviousResultId(*known_result) for known_result in known.items()])
    report = await asyncio.wait_for(session.client.workspace_diagnostic_async(params), PATIENCE)
    return {item.uri: item for item in report.items}


async def test_a_report_is_told_once() -> None:
    async with started(capabilities(pulls=True)) as session:
        provider = session.result.capabilities.diagnostic_provider
        assert provider is not None
        assert provider.workspace_diagnostics
        assert not provider.inter_file_dependencies
        buffer = session.open(BROKEN)
        first = await pulled(buffer)
        assert [(d.range.start.line, d.message) for d in first.items] == [
            (2, "use of undeclared SSA value name\n'%y' is not defined here")
        ]
        again = await pulled(buffer, first.result_id)
        assert (again.kind, again.result_id) == ("unchanged", first.result_id)
        buffer.edit(("return %y : i32\n", "return %y : i32 // as it was\n"))
        assert (await pulled(buffer, first.result_id)).kind == "unchanged"
        buffer.edit(("%y", "%x"))
        after = await pulled(buffer, first.result_id)
        assert (after.kind, list(after.items)) == ("full", [])
        buffer.close()
        assert list((await pulled(buffer)).items) == []
        assert session.published == {}


async def test_who_asks_is_told_when_lowering_finds_more() -> None:
    """What is found in the background reaches a client that has asked about the version before it was found."""
    async with started(capabilities(pulls=True)) as session:
        buffer = session.open(STALLED.replace("linalg.copy", "linalg.cop"))
        former = await pulled(buffer)
        assert former.items
        buffer.edit(("linalg.cop ", "linalg.copy "))
        refreshed = session.refreshed
        report = await pulled(buffer, former.result_id)
        assert report.kind == "full"
        session.client.workspace_did_change_configuration(
            types.DidChangeConfigurationParams({"fathom": {"pipeline": "--convert-func-to-llvm"}})
        )
        await session.until(lambda: session.refreshed > refreshed or None)
        left = await pulled(buffer, report.result_id)
        assert any(d.severity == types.DiagnosticSeverity.Warning for d in left.items)
        assert session.published == {}


async def test_the_workspace_is_told_of_what_is_new() -> None:
    async with started(capabilities(pulls=True)) as session:
        waiting = asyncio.ensure_future(workspace(session, {}))
        broken, good = session.open(BROKEN), session.open(GOOD)
        await pulled(good)
        first = await waiting
        reports = (
            first if good.uri in first else first | await workspace(session, {u: r.result_id for u, r in first.items()})
        )
        assert {uri: len(report.items) for uri, report in reports.items()} == {broken.uri: 1, good.uri: 0}
        known = {uri: report.result_id for uri, report in reports.items()}
        waiting = asyncio.ensure_future(workspace(session, known))
        await pulled(good)
        assert not waiting.done()
        good.edit(("%x = arith", "%z = arith"))
        news = await waiting
        assert {uri: (len(new.items), new.version) for uri, new in news.items()} == {good.uri: (1, 2)}
        waiting = asyncio.ensure_future(workspace(session, {**known, good.uri: news[good.uri].result_id}))
        broken.close()
        assert {uri: len(report.items) for uri, report in (await waiting).items()} == {broken.uri: 0}


async def test_waiting_for_the_workspace_can_be_cancelled() -> None:
    async with started(capabilities(pulls=True)) as session:
        params = types.WorkspaceDiagnosticParams([])
        waiting = session.client.protocol.send_request("workspace/diagnostic", params, msg_id="w")
        session.client.cancel_request(types.CancelParams("w"))
        with pytest.raises(Exception, match=r"(?i)cancel"):
            await asyncio.wait_for(asyncio.wrap_future(waiting), PATIENCE)
        assert await pulled(session.open(GOOD)) is not None


@pytest.mark.parametrize(("pulls", "refreshes"), [(False, True), (True, False)])
async def test_to_others_diagnostics_are_pushed(pulls: bool, refreshes: bool) -> None:
    async with started(capabilities(pulls=pulls, refreshes=refreshes)) as session:
        assert session.result.capabilities.diagnostic_provider is None
        assert await session.open(BROKEN).diagnostics(bool)


async def test_the_same_is_not_published_twice() -> None:
    """While the background goes on, only what differs is sent; each version is told of once at least."""
    async with started() as session:
        mistakes = "".join(BROKEN.replace("@f", f"@f{n}") for n in range(3000))
        buffer = session.open(mistakes)
        await buffer.diagnostics(lambda messages: len(messages) == 1000)
        buffer.edit(("@f2999(", "@g("))
        await buffer.diagnostics(lambda messages: len(messages) == 1000)
        await asyncio.sleep(1)
        sent = [(message.version, message.diagnostics) for message in session.messages]
        assert all(before != after for before, after in pairwise(sent))
        assert {version for version, _ in sent} == {1, 2}
