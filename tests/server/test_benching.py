"""*Bench*: how long a function takes, measured beside the server."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.patience import PATIENCE
from tests.processes import descendants, is_running
from tests.server.client import Buffer, Session, capabilities, started

pytestmark = pytest.mark.asyncio(loop_scope="module")

T = TypeVar("T")
TEXT: Final = """\
func.func private @raise(i32) -> i32
func.func @axpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = memref.load %y[%i] : memref<?xf32>
    %2 = arith.mulf %a, %0 : f32
    %3 = arith.addf %2, %1 : f32
    memref.store %3, %y[%i] : memref<?xf32>
  }
  return
}
func.func @negated(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %0 = arith.subi %zero, %a : i32
  return %0 : i32
}
func.func @endless() {
  cf.br ^again
^again:
  cf.br ^again
}
func.func @stops_itself() {
  %stop = arith.constant 19 : i32
  %0 = func.call @raise(%stop) : (i32) -> i32
  return
}
func.func @divides(%a: i32, %b: i32) -> i32 {
  %0 = arith.divsi %a, %b : i32
  return %0 : i32
}
func.func @greedy() -> memref<?xi8> {
  %n = arith.constant 100000000000 : index
  %m = memref.alloc(%n) : memref<?xi8>
  return %m : memref<?xi8>
}
"""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def buffer() -> AsyncIterator[Buffer]:
    async with started(options={"run": {"timeoutSeconds": 2, "memoryMegabytes": 512}}) as session:
        yield session.open(TEXT)


async def bench(buffer: Buffer, function: str, *arguments: object, **more: object) -> Any:
    about = {"uri": buffer.uri, "function": function, "arguments": list(arguments), "seconds": 0.1, **more}
    return await buffer.session.command("fathom.benchFunction", about)


async def check_failure(buffer: Buffer, words: str, function: str, *arguments: object) -> None:
    answer = await bench(buffer, function, *arguments)
    assert (answer["status"], words in answer["message"]) == ("error", True), answer


def residents_of(session: Session) -> set[int]:
    """The processes of a server in which programs stay."""
    server = session.client._server  # pyright: ignore[reportPrivateUsage]
    assert server is not None
    return {pid for pid in descendants(server.pid) if b"fathom.execution.resident_worker" in words_of(pid)}


def found(look: Callable[[], T]) -> T:
    """What is seen, as soon as there is anything."""
    deadline = time.monotonic() + PATIENCE
    while not (seen := look()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return seen


def words_of(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


async def test_an_answer_has_all_its_fields(buffer: Buffer) -> None:
    answer = await bench(buffer, "axpy", 2.0, {"shape": [1000], "fill": 1}, [1.0] * 1000)
    assert answer["status"] == "ok", answer
    assert (answer["flops"], answer["bytes"]) == (2000, 12_000)
    assert 0 < answer["median"] < 1
    assert (answer["spread"] >= 0, answer["isCertain"] in (True, False)) == (True, True)
    assert answer["message"].startswith("@axpy: ")
    assert "the median of" in answer["message"]
    assert answer["message"].endswith("FLOP/s, " + answer["message"].rpartition(", ")[2])


async def test_a_first_argument_below_zero(buffer: Buffer) -> None:
    assert (await bench(buffer, "negated", -5))["status"] == "ok"


async def test_what_goes_wrong_is_said(buffer: Buffer) -> None:
    await check_failure(buffer, "no function '@nothing' with a body", "nothing")
    await check_failure(buffer, "expected 1: i32, got 2", "negated", 1, 2)
    await check_failure(buffer, "expected an integer", "negated", "x")
    await check_failure(buffer, "an integer division by zero", "divides", 1, 0)
    await check_failure(buffer, "beyond its limit of 536870912 bytes of memory", "greedy")
    await check_failure(buffer, "took longer than the limit of 2 s", "endless")
    await check_failure(buffer, "took longer than the limit of 2 s", "stops_itself")


async def test_malformed_requests(buffer: Buffer) -> None:
    about = {"uri": buffer.uri, "function": "negated", "arguments": [1]}
    requests: tuple[list[Any], ...] = (
        [],
        [3],
        [{**about, "arguments": 3}],
        [{**about, "seconds": "1"}],
        [{**about, "seconds": 0}],
        [{**about, "seconds": True}],
        [{**about, "seconds": 1e9}],
    )
    for arguments in requests:
        with pytest.raises(JsonRpcException) as caught:
            await buffer.session.command("fathom.benchFunction", *arguments)
        assert caught.value.code == -32602, arguments


@pytest.mark.parametrize("function", ["endless", "stops_itself"])
async def test_it_is_cancelled_and_the_server_answers_meanwhile(function: str) -> None:
    """What measures it ends with it, also where that is killed before it could end anything."""
    async with started(own_process=True) as session:
        buffer = session.open(TEXT)
        protocol = session.client.protocol
        given: dict[str, Any] = {"uri": buffer.uri, "function": function}
        params = types.ExecuteCommandParams("fathom.benchFunction", [given])
        answer = asyncio.wrap_future(
            protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id=f"bench-{function}")
        )
        residents = await asyncio.to_thread(found, lambda: residents_of(session))
        # By then it is called.
        await asyncio.sleep(1.0)
        assert "%a : f32" in await buffer.hover(buffer.at("%a, %0", 1))
        assert (await buffer.run("negated", 7))["results"] == [{"type": "i32", "value": -7}]
        assert not answer.done()
        protocol.notify(types.CANCEL_REQUEST, types.CancelParams(f"bench-{function}"))
        with pytest.raises(JsonRpcException) as caught:
            await asyncio.wait_for(answer, PATIENCE)
        assert caught.value.code == -32800
        await asyncio.to_thread(found, lambda: not any(map(is_running, residents)))
        assert (await bench(buffer, "negated", 1))["status"] == "ok"


async def test_files_are_looked_for_beside_the_document(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.ones(8, np.float32))
    async with started(folder=tmp_path) as session:
        buffer = session.open(TEXT, f"{tmp_path}/a.mlir".lstrip(os.sep))
        answer = await bench(buffer, "axpy", 2.0, "x.npy", "ones(8)")
        assert (answer["status"], answer.get("flops")) == ("ok", 16), answer


async def titles(session: Session, uri: str) -> list[str]:
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    lenses = await session.client.text_document_code_lens_async(params) or []
    return [lens.command.title for lens in lenses if lens.command is not None]


async def test_a_lens_is_shown_to_clients_that_can_ask() -> None:
    able = capabilities()
    able.experimental = {"fathom": {"commands": ["fathom.lens.bench", "fathom.lens.run"]}}
    text = "func.func @f(%a: i32) -> i32 { return %a : i32 }\nfunc.func private @g()\n"
    async with started(able) as session:
        assert await titles(session, session.open(text).uri) == ["Run", "Bench", "Lower"]
    async with started() as session:
        assert await titles(session, session.open(text).uri) == ["Lower"]
