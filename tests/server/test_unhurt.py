"""Programs and messages that mean harm: the server goes on answering about other files, and its memory stays small."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from fathom.execution.containment import keeps_processes
from tests.patience import PATIENCE
from tests.processes import descendants, is_running
from tests.server.attention import attentive
from tests.server.client import Buffer, Session, started
from tests.server.test_transports import client_of, listening

pytestmark = pytest.mark.asyncio

HOSTILE = """\
func.func private @fork() -> i32
func.func private @setsid() -> i32
func.func private @sleep(i32) -> i32
func.func private @close(i32) -> i32
func.func private @getppid() -> i32
func.func private @kill(i32, i32) -> i32
func.func private @malloc(i64) -> !llvm.ptr
func.func @bomb() {
  cf.br ^again
^again:
  %child = call @fork() : () -> i32
  cf.br ^again
}
func.func @daemon() -> i32 {
  %zero = arith.constant 0 : i32
  %long = arith.constant 1000 : i32
  %child = call @fork() : () -> i32
  %inside = arith.cmpi eq, %child, %zero : i32
  cf.cond_br %inside, ^leave, ^done
^leave:
  %session = call @setsid() : () -> i32
  cf.br ^again
^again:
  %slept = call @sleep(%long) : (i32) -> i32
  cf.br ^again
^done:
  return %child : i32
}
func.func @closes() -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %most = arith.constant 4096 : i32
  cf.br ^next(%zero : i32)
^next(%i: i32):
  %closed = call @close(%i) : (i32) -> i32
  %j = arith.addi %i, %one : i32
  %more = arith.cmpi slt, %j, %most : i32
  cf.cond_br %more, ^next(%j : i32), ^done
^done:
  return %zero : i32
}
func.func @kills() -> i32 {
  %kill = arith.constant 9 : i32
  %parent = call @getppid() : () -> i32
  %r = call @kill(%parent, %kill) : (i32, i32) -> i32
  return %r : i32
}
func.func @eats() {
  %size = arith.constant 10000000 : i64
  %some = arith.constant 0 : i32
  cf.br ^again
^again:
  %memory = call @malloc(%size) : (i64) -> !llvm.ptr
  %value = arith.constant 7 : i8
  %length = arith.constant 10000000 : i64
  "llvm.intr.memset"(%memory, %value, %length) <{isVolatile = true}> : (!llvm.ptr, i8, i64) -> ()
  cf.br ^again
}
func.func @fine(%a: i32) -> i32 {
  return %a : i32
}
"""


def server_of(session: Session) -> int:
    """The process id of the server."""
    process = session.client._server
    assert process is not None
    return process.pid


async def check_fine(buffer: Buffer) -> None:
    assert (await buffer.run("fine", 5))["results"] == [{"type": "i32", "value": 5}]


async def run_all(buffer: Buffer, answers: dict[str, Any]) -> None:
    """Runs each hostile function; the last of them for as long as it may."""
    for function in ("daemon", "closes", "kills", "eats", "bomb"):
        limits = {"timeoutSeconds": 1.0 if function == "bomb" else 300.0, "memoryMegabytes": 256}
        answers[function] = await buffer.run(function, limits=limits)
        await check_fine(buffer)


def of_programs(server: int) -> set[int]:
    """What runs beside the server, but for the process in which LLVM is, which starts when it is first asked."""
    return {pid for pid in descendants(server) if b"fathom.llvm.process" not in command_line(pid)}


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.skipif(not keeps_processes(), reason="no seccomp filter on this machine")
async def test_hostile_programs() -> None:
    answers: dict[str, Any] = {}
    async with started(own_process=True) as session:
        buffer = session.open(HOSTILE)
        await buffer.diagnostics()
        await check_fine(buffer)
        worker = of_programs(server_of(session))
        async with attentive(session, server_of(session)):
            await run_all(buffer, answers)
        # An answer does not wait until the kernel has taken the process down.
        for _ in range(6000):
            if of_programs(server_of(session)) <= worker:
                break
            await asyncio.sleep(0.05)
        assert of_programs(server_of(session)) <= worker
    assert answers["daemon"]["results"][0]["value"] == -1
    assert "start a process" in answers["daemon"]["notes"][0]
    assert answers["kills"]["results"][0]["value"] == -1
    assert "closed the file descriptors" in answers["closes"]["message"]
    assert answers["eats"]["kind"] == "memory"
    assert answers["bomb"]["kind"] == "timeout"


@pytest.mark.skipif(not hasattr(os, "fork") or not Path("/proc/self").exists(), reason="needs Linux")
async def test_hostile_programs_that_are_not_contained() -> None:
    """All but the bomb, which is the user's own wish then."""
    async with started(options={"run": {"contained": False}}, own_process=True) as session:
        buffer = session.open(HOSTILE)
        await buffer.diagnostics()
        await check_fine(buffer)
        worker = of_programs(server_of(session))
        async with attentive(session, server_of(session)):
            for function in ("daemon", "closes", "kills"):
                await buffer.run(function, limits={"timeoutSeconds": 300.0})
        for _ in range(6000):
            if len(of_programs(server_of(session))) <= len(worker):
                break
            await asyncio.sleep(0.05)
        assert len(of_programs(server_of(session))) <= len(worker)
        await check_fine(buffer)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs Linux")
@pytest.mark.parametrize("contained", [True, False])
async def test_a_server_that_is_killed_takes_its_programs_along(contained: bool) -> None:
    async with started(options={"run": {"contained": contained}}, own_process=True) as session:
        buffer = session.open(HOSTILE + "func.func @endless() {\n  cf.br ^b\n^b:\n  cf.br ^b\n}\n")
        await buffer.diagnostics()
        await check_fine(buffer)
        asking = asyncio.create_task(buffer.run("endless", limits={"timeoutSeconds": 60}))
        family = of_programs(server_of(session))
        for _ in range(6000):
            if len(family) >= 2:
                break
            await asyncio.sleep(0.05)
            family = of_programs(server_of(session))
        assert len(family) >= 2
        os.kill(server_of(session), signal.SIGKILL)
        for _ in range(6000):
            if not any(is_running(pid) for pid in family):
                break
            await asyncio.sleep(0.05)
        assert not [pid for pid in family if is_running(pid)]
        asking.cancel()
        await session.client.stop()


async def test_messages_that_mean_harm() -> None:
    """What a broken or hostile client sends between good messages, and what it puts into them."""
    async with started(own_process=True) as session:
        writer: Any = session.client.protocol.writer
        nested = b'{"jsonrpc":"2.0","method":"x","params":' + b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"}"
        bodies = [
            b"[" * 200_000,
            nested,
            b'"' + b"a" * 500_000 + b'"',
            b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":' + b"[0," * 1000 + b"0" + b"]" * 1000 + b"}",
            b'{"jsonrpc":"2.0","method":"' + b"m" * 100_000 + b'","id":"' + b"i" * 100_000 + b'"}',
            b'{"jsonrpc":"2.0","method":"textDocument/hover","id":' + b"9" * 4000 + b',"params":{}}',
        ]
        async with attentive(session, server_of(session)):
            for body in bodies * 3:
                writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                await asyncio.sleep(0.05)
        buffer = session.open("func.func private @f() attributes { arg_attrs = [{}] }\n")
        problems = await buffer.diagnostics()
        assert any(
            "expects argument attribute array to have the same number of elements" in problem for problem in problems
        )


async def test_strangers_at_the_port() -> None:
    """Pages and port scanners come by the dozen, while an admitted client works."""
    async with listening("--ws") as server, client_of(server, "--ws") as client:
        session = Session(client, None)
        session.result = types.InitializeResult(types.ServerCapabilities())

        async def knock(number: int) -> None:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            origin = "http://evil.example" if number % 2 else "null"
            request = f"GET /?token=guess{number} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: {origin}\r\n"
            upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            writer.write(f"{request}{upgrade}Sec-WebSocket-Version: 13\r\n\r\n".encode())
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
            assert answer.startswith(b"HTTP/1.1 403"), answer
            writer.close()

        async with attentive(session, server.process.pid):
            for start in range(0, 60, 6):
                await asyncio.gather(*(knock(number) for number in range(start, start + 6)))
