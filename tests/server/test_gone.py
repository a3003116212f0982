"""A client that is gone: the server ends, whatever its event loop is doing, and so does all that runs beside it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchmarks.client import Client
from tests.patience import PATIENCE
from tests.processes import descendants, is_running
from tests.server.client import COMMAND, environment
from tests.server.test_transports import Listening, framed, listening

BUSY = """\
import sys, time
from fathom.cli import main
from fathom_server.lsp import configuration

def register(server, former=configuration.register):
    former(server)

    @server.feature("fathom/busy")
    def busy(params):
        while True:
            pass

configuration.register = register
main(["lsp", *sys.argv[1:]], sys.stdin, sys.stdout, sys.stderr)
"""
"""The server with a notification that it is at for ever."""

TEXT = """\
func.func @f(%a: vector<64x64xf32>) -> vector<64x64xf32> {
  return %a : vector<64x64xf32>
}

func.func @g(%a: f32) -> f32 {
  return %a : f32
}
"""
INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {}}


def message(method: str, params: object, identifier: int | None = None) -> bytes:
    named = {"id": identifier} if identifier is not None else {}
    return framed({"jsonrpc": "2.0", **named, "method": method, "params": params})


@contextmanager
def serving(*, busy: bool, process: int | None = None) -> Generator[subprocess.Popen[bytes], None, None]:
    """A server that was initialized, by a client of this process; `busy` for ever if it is to be."""
    command = (sys.executable, "-c", BUSY) if busy else COMMAND
    server = subprocess.Popen(
        [*command, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        server.stdin.write(message("initialize", {**INITIALIZE, "processId": process}, 1))
        server.stdin.flush()
        while server.stdout.readline().strip():
            pass
        if busy:
            server.stdin.write(message("initialized", {}) + message("fathom/busy", {}))
            server.stdin.flush()
            computes(server.pid)
        yield server
    finally:
        server.kill()
        server.wait()


def computes(pid: int) -> None:
    """Waits until a process has computed for longer than it takes to take messages."""
    before = ticks(pid)
    eventually(lambda: ticks(pid) > before + 30)


def ticks(pid: int) -> int:
    """Hundredths of seconds for which a process has computed."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def eventually(is_so: Callable[[], bool]) -> None:
    """Waits until something is so, for as long as a slow machine may need."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("busy", "ends"), [(False, ["stdout"]), (True, ["stdin"]), (True, ["stdout"]), (True, ["stdin", "stdout"])]
)
def test_pipes_that_are_closed(busy: bool, ends: list[str]) -> None:
    with serving(busy=busy) as server:
        for end in ends:
            getattr(server, end).close()
        server.wait(PATIENCE)
        assert server.stderr is not None
        assert b"Traceback" not in server.stderr.read()


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "busy"])
def test_the_process_of_the_client_is_over(busy: bool) -> None:
    with (
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client,
        serving(busy=busy, process=client.pid) as server,
    ):
        client.kill()
        client.wait()
        server.wait(PATIENCE)


def test_a_client_that_was_over_before() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as client:
        client.wait()
        with serving(busy=False, process=client.pid) as server:
            server.wait(PATIENCE)


@pytest.mark.parametrize("how", ["killed", "left"])
def test_what_runs_beside_the_server_ends_with_it(how: str) -> None:
    with Client((*COMMAND, "--stdio")) as client:
        client.initialize()
        # A big vector is lowered in the process beside the server; a program runs in another.
        client.open("file:///a.mlir", TEXT)
        call = {"uri": "file:///a.mlir", "function": "g", "arguments": [1.0]}
        client.request("workspace/executeCommand", {"command": "fathom.runFunction", "arguments": [call]})
        preview = {"textDocument": {"uri": "file:///a.mlir"}, "stage": "llvm-ir", "function": "f"}
        client.request("fathom/preview", preview)
        beside = descendants(client.pid)
        assert beside
        if how == "killed":
            os.kill(client.pid, signal.SIGKILL)
        else:
            client._process.stdin.close()  # pyright: ignore[reportOptionalMemberAccess]
        eventually(lambda: not any(map(is_running, beside)))


def test_answers_that_nobody_reads_are_not_logged() -> None:
    with serving(busy=False) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdout.close()
        hover = {"textDocument": {"uri": "file:///a.mlir"}, "position": {"line": 0, "character": 0}}
        try:
            for number in range(2, 1000):
                server.stdin.write(message("textDocument/hover", hover, number))
                server.stdin.flush()
        except BrokenPipeError:
            pass
        server.wait(PATIENCE)
        assert len(server.stderr.read()) < 10_000


@pytest.mark.asyncio
async def test_a_socket_that_is_closed_while_the_server_is_busy() -> None:
    async with listening("--tcp", command=(sys.executable, "-c", BUSY)) as server:
        writer = await _initialized(server)
        writer.write(message("initialized", {}) + message("fathom/busy", {}))
        await writer.drain()
        await asyncio.to_thread(computes, server.process.pid)
        writer.close()
        await asyncio.wait_for(server.process.wait(), PATIENCE)


async def _initialized(server: Listening) -> asyncio.StreamWriter:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    params: dict[str, Any] = {**INITIALIZE, "initializationOptions": {"token": server.token}}
    writer.write(message("initialize", params, 1))
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
    length = next(line for line in head.splitlines() if line.lower().startswith(b"content-length"))
    assert "result" in json.loads(await reader.readexactly(int(length.split(b":")[1])))
    return writer
