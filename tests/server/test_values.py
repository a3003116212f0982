"""Values of lines over the wire: found after a run or a check, shown as hints, gone with an edit of the function."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.server.client import Buffer, Session, capabilities, started

pytestmark = pytest.mark.asyncio(loop_scope="module")

SUM: Final = """\
func.func @sum(%m: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = memref.dim %m, %c0 : memref<?xi32>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> i32 {
    %x = memref.load %m[%i] : memref<?xi32>
    %next = arith.addi %sum, %x : i32
    scf.yield %next : i32
  }
  return %all : i32
}

func.func @double(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}

// FATHOM: run @both([1, 2, 3]) == 12
func.func @both(%m: memref<?xi32>) -> i32 {
  %s = call @sum(%m) : (memref<?xi32>) -> i32
  %d = call @double(%s) : (i32) -> i32
  return %d : i32
}

func.func @at(%m: memref<4xi32>, %i: index) -> i32 {
  %c2 = arith.constant 2 : index
  %j = arith.muli %i, %c2 : index
  %x = memref.load %m[%j] : memref<4xi32>
  return %x : i32
}

func.func @long() -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %many = arith.constant 100000000 : i64
  %r = scf.for %i = %c0 to %many step %c1 iter_args(%a = %c0) -> i64 : i64 {
    %b = arith.addi %a, %i : i64
    scf.yield %b : i64
  }
  return %r : i64
}
"""

OF_BOTH: Final = """\
func.func @sum(%m: memref<?xi32>) -> i32 {  ⟨= 3xi32 [1, 2, 3]⟩
  %n = memref.dim %m, %c0 : memref<?xi32>  ⟨= 3⟩
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> i32 {  ⟨%all = 6, %i = 2, %sum = 3⟩
    %x = memref.load %m[%i] : memref<?xi32>  ⟨= 3⟩
    %next = arith.addi %sum, %x : i32  ⟨= 6⟩
func.func @double(%x: i32) -> i32 {  ⟨= 6⟩
  %y = arith.addi %x, %x : i32  ⟨= 12⟩
"""
OF_CALLER: Final = """\
func.func @both(%m: memref<?xi32>) -> i32 {  ⟨= 3xi32 [1, 2, 3]⟩
  %s = call @sum(%m) : (memref<?xi32>) -> i32  ⟨= 6⟩
  %d = call @double(%s) : (i32) -> i32  ⟨= 12⟩
"""


def able() -> types.ClientCapabilities:
    """What a client can do that shows hints."""
    can = capabilities()
    assert can.text_document is not None
    assert can.workspace is not None
    can.text_document.inlay_hint = types.InlayHintClientCapabilities()
    can.workspace.inlay_hint = types.InlayHintWorkspaceClientCapabilities(True)
    return can


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started(able()) as begun:
        yield begun


async def hints_of(buffer: Buffer) -> list[types.InlayHint]:
    """The hints that tell values."""
    whole = types.Range(types.Position(0, 0), types.Position(buffer.text.count("\n") + 1, 0))
    params = types.InlayHintParams(buffer.identifier, whole)
    hints = await buffer.session.client.text_document_inlay_hint_async(params) or ()
    return [hint for hint in hints if isinstance(hint.data, dict) and hint.data["kind"] == "values"]


async def shown(buffer: Buffer) -> str:
    """The lines of a text that have values, with these."""
    lines = buffer.text.split("\n")
    return "".join(f"{lines[hint.position.line]}  ⟨{hint.label}⟩\n" for hint in await hints_of(buffer))


async def check_values(buffer: Buffer, act: Callable[[], Awaitable[Any]], expected: str) -> None:
    """Once the server says that there are other hints, after something was done, these are the values."""
    session = buffer.session
    before = len(session.asked_again)
    await act()
    await session.until(lambda: True if session.asked_again[before:] else None)
    assert await shown(buffer) == expected


async def test_a_run_shows_the_values_of_its_lines(session: Session) -> None:
    buffer = session.open(SUM)
    await check_values(buffer, lambda: buffer.run("both", [1, 2, 3]), OF_BOTH + OF_CALLER)


async def test_an_edit_takes_those_of_its_function_alone(session: Session) -> None:
    buffer = session.open(SUM)
    await check_values(buffer, lambda: buffer.run("both", [1, 2, 3]), OF_BOTH + OF_CALLER)
    buffer.edit(("%d = call", "%e = call"), ("return %d", "return %e"))
    assert await shown(buffer) == OF_BOTH
    await check_values(
        buffer,
        lambda: buffer.run("double", -4),
        OF_BOTH.replace("⟨= 12⟩", "⟨= -8⟩").replace("i32 {  ⟨= 6⟩", "i32 {  ⟨= -4⟩"),
    )


async def test_a_claim_shows_the_values_of_its_call(session: Session) -> None:
    for text in (SUM, SUM.replace("== 12", "== 13")):
        buffer = session.open(text)
        line = text[: text.index("// FATHOM")].count("\n")
        await check_values(
            buffer,
            lambda buffer=buffer, line=line: session.command("fathom.runTest", buffer.uri, line),
            OF_BOTH + OF_CALLER,
        )


async def test_values_go_up_to_what_failed(session: Session) -> None:
    buffer = session.open(SUM)
    await check_values(
        buffer,
        lambda: buffer.run("at", [5, 6, 7, 8], 3),
        "func.func @at(%m: memref<4xi32>, %i: index) -> i32 {  ⟨%m = 4xi32 [5, 6, 7, 8], %i = 3⟩\n"
        "  %j = arith.muli %i, %c2 : index  ⟨= 6⟩\n",
    )


async def test_what_takes_too_long_is_not_followed(session: Session) -> None:
    buffer = session.open(SUM)
    await check_values(
        buffer,
        lambda: buffer.run("long"),
        "func.func @long() -> i64 {  ⟨no values: a program of more than 2000000 steps is not interpreted⟩\n",
    )


async def test_the_tooltip_has_more(session: Session) -> None:
    buffer = session.open(SUM)
    numbers = list(range(100))
    await check_values(
        buffer,
        lambda: buffer.run("sum", numbers),
        "func.func @sum(%m: memref<?xi32>) -> i32 {  "
        "⟨= 100xi32 of 0 to 99: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, …⟩\n"
        "  %n = memref.dim %m, %c0 : memref<?xi32>  ⟨= 100⟩\n"
        "  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> i32 {  "
        "⟨%all = 4950, %i = 99, %sum = 4851⟩\n"
        "    %x = memref.load %m[%i] : memref<?xi32>  ⟨= 99⟩\n"
        "    %next = arith.addi %sum, %x : i32  ⟨= 4950⟩\n",
    )
    first = (await hints_of(buffer))[0]
    resolved = await session.client.inlay_hint_resolve_async(first)
    assert isinstance(resolved.tooltip, types.MarkupContent)
    assert resolved.tooltip.value.startswith("`%m`, a `memref<?xi32>`, was\n```text\n[ 0,  1,  2,")
    assert resolved.tooltip.value.endswith("98, 99]\n```")


async def test_none_are_looked_for_where_nobody_wants_them(session: Session) -> None:
    buffer = session.open(SUM)
    session.client.workspace_did_change_configuration(
        types.DidChangeConfigurationParams({"fathom": {"inlayHints": {"values": False}}})
    )
    await buffer.run("double", 3)
    assert await shown(buffer) == ""
    session.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({"fathom": {}}))
    assert await shown(buffer) == ""
