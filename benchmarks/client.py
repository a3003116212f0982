"""A minimal client of the Language Server Protocol over stdio, which notes when each message came in.

It follows what the server announces: whole texts go to a server that wants whole texts, and changes to one that takes
changes. Messages are encoded before the clock starts, so that the client's own work is not counted.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

PEER = Path("/usr/lib/llvm-22/bin/mlir-lsp-server")
"""The server of the MLIR project, where Debian puts it."""

_INSTALLED = Path(sys.executable).with_name("fathom")
_COMMAND = [str(_INSTALLED)] if _INSTALLED.exists() else [sys.executable, "-c", "from fathom.cli import entry; entry()"]
FATHOM = (*_COMMAND, "lsp", "--stdio")
"""Fathom's server: the installed command, or the checkout on the path."""

GIVE_UP = 120.0
"""Seconds without the awaited message after which a measurement is abandoned."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the server, and the time at which it had been read, in seconds of `time.perf_counter`."""

    body: dict[str, Any]
    at: float

    @property
    def method(self) -> str:
        return self.body.get("method", "")

    @property
    def params(self) -> dict[str, Any]:
        return self.body.get("params") or {}


@dataclass(slots=True)
class Document:
    """An open document: the text that the server has, its version, and when it was sent."""

    uri: str
    text: str
    version: int = 0
    starts: list[int] = field(default_factory=list[int])
    sent: float = 0.0


class ServerEnded(RuntimeError):
    """The server did not survive what it was sent."""


class Client:
    """A server process, and a thread that reads from it."""

    def __init__(self, command: Sequence[str]) -> None:
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._incoming: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._identifier = 0
        self._incremental = False
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while True:
            length = 0
            while (header := stream.readline()) not in (b"\r\n", b""):
                name, _, value = header.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                self._incoming.put(None)
                return
            body = stream.read(length)
            at = time.perf_counter()
            self._incoming.put(Message(json.loads(body), at))

    def _write(self, data: bytes) -> float:
        """Send an encoded message; the time at which sending began."""
        stream = self._process.stdin
        assert stream is not None
        start = time.perf_counter()
        try:
            stream.write(data)
            stream.flush()
        except BrokenPipeError:
            raise ServerEnded("the server ended") from None
        return start

    def receive(self, timeout: float) -> Message | None:
        """The next message, None after `timeout` seconds without one. Questions of the server are answered here."""
        try:
            message = self._incoming.get(timeout=timeout)
        except queue.Empty:
            return None
        if message is None:
            raise ServerEnded("the server ended")
        if message.method and "id" in message.body:
            self._answer(message)
        return message

    def _answer(self, message: Message) -> None:
        items = message.params.get("items", [])
        result = [None] * len(items) if message.method == "workspace/configuration" else None
        self._write(encode({"jsonrpc": "2.0", "id": message.body["id"], "result": result}))

    def wait_for(self, method: str, version: int | None = None) -> Message:
        """The next notification of that name, about that version of its document if one is given."""
        deadline = time.perf_counter() + GIVE_UP
        while (left := deadline - time.perf_counter()) > 0:
            message = self.receive(left)
            if message is None or message.method != method:
                continue
            about = message.params.get("version", message.params.get("textDocument", {}).get("version"))
            if version is None or about == version:
                return message
        raise TimeoutError(f"no {method} for version {version} within {GIVE_UP:.0f} s")

    def notify(self, method: str, params: dict[str, Any]) -> float:
        return self._write(encode({"jsonrpc": "2.0", "method": method, "params": params}))

    def ask(self, method: str, params: dict[str, Any]) -> tuple[int, float]:
        """Sends a request and does not wait; the number that its answer will have, and when it was sent."""
        self._identifier += 1
        request = {"jsonrpc": "2.0", "id": self._identifier, "method": method, "params": params}
        return self._identifier, self._write(encode(request))

    def request(self, method: str, params: dict[str, Any]) -> tuple[Any, float, float]:
        """The result, when the request was sent, and when it was answered."""
        identifier, sent = self.ask(method, params)
        deadline = time.perf_counter() + GIVE_UP
        while (left := deadline - time.perf_counter()) > 0:
            message = self.receive(left)
            if message is None or message.method or message.body.get("id") != identifier:
                continue
            if "error" in message.body:
                raise RuntimeError(f"{method}: {message.body['error']}")
            return message.body.get("result"), sent, message.at
        raise TimeoutError(f"{method} was not answered within {GIVE_UP:.0f} s")

    def initialize(self, options: dict[str, Any] | None = None, folder: Path | None = None) -> float:
        """The handshake, with settings of Fathom's if any, and a workspace if there is a folder for one; the time from
        the start of the process to the answer, in seconds."""
        capabilities = {
            "general": {"positionEncodings": ["utf-16"]},
            # To one that says nothing of completion, only what it can put in its own words is offered.
            # An edit is made when an action is chosen, as editors have it.
            "textDocument": {
                "publishDiagnostics": {"versionSupport": True},
                "completion": {},
                "codeAction": {
                    "dataSupport": True,
                    "disabledSupport": True,
                    "resolveSupport": {"properties": ["edit"]},
                },
            },
        }
        root = folder.as_uri() if folder is not None else None
        params: dict[str, Any] = {"processId": None, "rootUri": root, "capabilities": capabilities}
        if options is not None:
            params["initializationOptions"] = options
        result, _, answered = self.request("initialize", params)
        self.capabilities = result["capabilities"]
        synchronisation = self.capabilities.get("textDocumentSync", 1)
        kind = synchronisation if isinstance(synchronisation, int) else synchronisation.get("change", 1)
        self._incremental = kind == 2
        self.notify("initialized", {})
        return answered - self.started

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self._process.pid

    @property
    def resident(self) -> float:
        """The memory that the server's process holds now, in megabytes; 0 where the system does not tell."""
        status = Path(f"/proc/{self._process.pid}/status")
        if not status.exists():
            return 0.0
        held = next((line for line in status.read_text().splitlines() if line.startswith("VmRSS:")), "VmRSS: 0 kB")
        return int(held.split()[1]) / 1024

    @property
    def busy(self) -> float:
        """Seconds for which the server's process has computed, to a hundredth; 0 where the system does not tell."""
        status = Path(f"/proc/{self._process.pid}/stat")
        if not status.exists():
            return 0.0
        # The name, which may hold anything, ends with the last parenthesis.
        fields = status.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def at_work(self) -> float:
        """Seconds for which the threads of the server have computed, or waited for a processor: on a busy machine far
        more than `busy`. 0 where the system does not tell."""
        spent = 0
        for times in Path(f"/proc/{self._process.pid}/task").glob("*/schedstat"):
            with suppress(OSError):  # A thread may end.
                spent += sum(map(int, times.read_text().split()[:2]))
        return spent / 1e9

    @property
    def synchronisation(self) -> str:
        """How this server wants to be told of a change."""
        return "the change" if self._incremental else "the whole text"

    def open(self, uri: str, text: str) -> Document:
        document = Document(uri, text)
        item = {"uri": uri, "languageId": "mlir", "version": 0, "text": text}
        document.sent = self.notify("textDocument/didOpen", {"textDocument": item})
        return document

    def edit(self, document: Document, line: int, column: int, removed: int, inserted: str) -> float:
        """Replace `removed` characters at a place (ASCII, ended by `\\n`); the time at which sending began."""
        start = line_start(document, line) + column
        gone = document.text[start : start + removed].split("\n")
        end = (line + len(gone) - 1, len(gone[-1]) + (column if len(gone) == 1 else 0))
        document.text = document.text[:start] + inserted + document.text[start + removed :]
        document.starts = []
        document.version += 1
        change: dict[str, Any] = {"text": document.text}
        if self._incremental:
            ends = [{"line": row, "character": character} for row, character in ((line, column), end)]
            change = {"range": {"start": ends[0], "end": ends[1]}, "text": inserted}
        identifier = {"uri": document.uri, "version": document.version}
        params = {"textDocument": identifier, "contentChanges": [change]}
        return self.notify("textDocument/didChange", params)


def line_start(document: Document, line: int) -> int:
    """The offset of a line."""
    if not document.starts:
        document.starts = [0]
        for length in map(len, document.text.split("\n")):
            document.starts.append(document.starts[-1] + length + 1)
    return document.starts[line]


def encode(message: dict[str, Any]) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
