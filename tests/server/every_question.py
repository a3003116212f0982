"""All that a client can ask of a document, at several places of it, and how the server bears it.

While it is asked, a hover on another small document is answered again and again. How long that takes is counted in the
time for which the server has computed since it was asked, where that is less, so that a busy machine does not count.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest

from benchmarks.client import Client, ServerEnded
from fathom.records import field, record
from fathom_server.lsp.table import REQUESTS
from tests.processes import descendants

OTHER: Final = "file:///other.mlir"
SMALL: Final = "func.func @g(%x: i32) -> i32 {\n  return %x : i32\n}\n"
HOVER: Final = {"textDocument": {"uri": OTHER}, "position": {"line": 1, "character": 10}}
PUBLISH: Final = "textDocument/publishDiagnostics"
FOLLOWS: Final[dict[str, tuple[str, ...]]] = {
    "textDocument/codeAction": ("codeAction/resolve",),
    "textDocument/codeLens": ("codeLens/resolve",),
    "textDocument/completion": ("completionItem/resolve",),
    "textDocument/inlayHint": ("inlayHint/resolve",),
    "textDocument/prepareCallHierarchy": ("callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"),
}
"""What is asked about something in an answer."""
MOST_FOLLOWED: Final = 3
"""So many things of an answer are asked about."""
STAGES: Final = ("source", "llvm-dialect", "llvm-ir", "llvm-optimized", "assembly")
ABOUT_STAGES: Final = frozenset(f"fathom/{name}" for name in ("difference", "blame", "life", "steps", "step", "whyNot"))
SUFFIXES: Final[dict[str, str]] = {"mlir": ".mlir", "tablegen": ".td"}
PAUSE: Final = 0.05
"""Seconds between two hovers."""
ABOUT_PLACES: Final = frozenset(
    f"textDocument/{name}"
    for name in (
        *("hover", "definition", "declaration", "implementation", "typeDefinition", "references", "rename"),
        *("prepareRename", "prepareCallHierarchy", "completion", "signatureHelp", "documentHighlight"),
        *("linkedEditingRange", "selectionRange", "onTypeFormatting", "codeAction"),
    )
)


@record(frozen=False)
class Borne:
    """What a document was to a server."""

    hovers: list[float] = field(default_factory=list[float])
    """Seconds for which the other document waited, each time."""
    slowest: str = ""
    """What was asked when it waited longest."""
    server: int = 0
    """The most bytes of memory that the server held."""
    beside: int = 0
    """The most that one of the processes beside it held."""
    computed: float = 0.0
    """Seconds for which the server computed."""
    refused: list[str] = field(default_factory=list[str])
    """Answers that say that something went wrong in the server, and what it showed."""
    longest: int = 0
    """The characters of the longest answer or message."""
    longest_of: str = ""


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="the system does not tell what processes hold"
)


class Asking:
    """Asks a server about a document, at many places or `few`, and about the other one meanwhile."""

    def __init__(
        self, client: Client, name: str, text: str, patience: float, *, few: bool = False, language: str = "mlir"
    ) -> None:
        self.client = client
        self.text = text
        self.language = language
        self.uri = f"file:///{quote(name)}{SUFFIXES[language]}"
        self.borne = Borne()
        self._patience = patience
        self._few = few
        self._asked: dict[int, tuple[str, float, float]] = {}
        self._found: dict[str, list[Any]] = {}
        self._next = 0.0
        self._last = time.perf_counter()
        self._is_published = False

    def all(self) -> Borne:
        """Opens the document, asks everything, edits it, asks for diagnostics again, and closes it."""
        began = self.client.busy
        try:
            item = {"uri": self.uri, "languageId": self.language, "version": 0, "text": self.text}
            self.client.notify("textDocument/didOpen", {"textDocument": item})
            self._until(lambda: self._is_published, "no diagnostics")
            self._rest()
            for method, params in self._questions():
                self._ask(method, params)
                for answer in self._found.pop(method, [])[:MOST_FOLLOWED]:
                    for follow in FOLLOWS[method]:
                        self._ask(follow, {"item": answer} if follow.startswith("callHierarchy") else answer)
            self._is_published = False
            middle = self.text.find("\n", len(self.text) // 2) + 1
            place = {"line": self.text.count("\n", 0, middle), "character": 0}
            change = {"range": {"start": place, "end": place}, "text": " "}
            about = {"uri": self.uri, "version": 1}
            self.client.notify("textDocument/didChange", {"textDocument": about, "contentChanges": [change]})
            self._until(lambda: self._is_published, "no diagnostics after an edit")
            self._rest()
            self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})
        except (TimeoutError, ServerEnded) as problem:
            self.borne.refused.append(str(problem))
        self._measure()
        self.borne.computed = self.client.busy - began
        return self.borne

    # ---- what is asked

    def _questions(self) -> Iterator[tuple[str, dict[str, Any]]]:
        lines = self.text.split("\n")
        document: dict[str, Any] = {"textDocument": {"uri": self.uri}}
        end = {"line": len(lines) - 1, "character": 0}
        whole = {"start": {"line": 0, "character": 0}, "end": end}
        methods = [request.method for request in REQUESTS if not request.method.endswith(("/resolve", "ingCalls"))]
        rest = {"options": {"tabSize": 2, "insertSpaces": True}, "previousResultId": "none", "newName": "%new"}
        for method in methods:
            if method in ABOUT_PLACES:
                continue
            if method == "fathom/preview":
                for stage in STAGES:
                    yield method, {**document, "stage": stage, "function": "f"}
                    yield method, {**document, "stage": stage}
                continue
            if method == "fathom/graph":
                for kind, stage in (
                    ("cfg", "source"),
                    ("cfg", "llvm-ir"),
                    ("data-flow", "source"),
                    ("calls", "source"),
                ):
                    yield method, {**document, "kind": kind, "stage": stage, "function": "f"}
                continue
            if method in ABOUT_STAGES:
                about = {
                    "stage": "llvm-dialect",
                    "before": "source",
                    "after": "llvm-dialect",
                    "number": 1,
                    "position": end,
                }
                yield method, {**document, **about, "function": "f"}
                yield method, {**document, **about, "position": {"line": 1, "character": 4}}
                continue
            yield method, {**document, **rest, "range": whole, "function": "f"}
        for command in ("fathom.lowerFunction",):
            yield "workspace/executeCommand", {"command": command, "arguments": [self.uri, "f"]}
        for place in places(lines)[:: 3 if self._few else 1]:
            context = {"diagnostics": [], "includeDeclaration": True, "triggerKind": 1}
            span = {"start": place, "end": place}
            params = {**document, **rest, "position": place, "positions": [place], "range": span, "context": context}
            for method in methods:
                if method in ABOUT_PLACES:
                    yield method, {**params, "ch": "}"}

    def _ask(self, method: str, params: dict[str, Any]) -> None:
        number, at = self.client.ask(method, params)
        self._asked[number] = method, at, self.client.busy
        self._until(lambda: number not in self._asked, f"no answer to {method} {str(params)[:300]}")

    # ---- what comes

    def _rest(self) -> None:
        """Waits until nothing has come for a while."""
        self._until(lambda: time.perf_counter() - self._last > 1.5 and not self._is_busy_beside(), "no rest")

    def _is_busy_beside(self) -> bool:
        before = sum(map(computed, self._processes()))
        time.sleep(0.05)
        return sum(map(computed, self._processes())) > before

    def _processes(self) -> set[int]:
        return {self.client.pid, *descendants(self.client.pid)}

    def _until(self, is_over: Any, what: str) -> None:
        began = time.perf_counter()
        while not is_over() or any(method == "" for method, _, _ in self._asked.values()):
            now = time.perf_counter()
            if now - began > self._patience:
                waiting = [method for method, _, _ in self._asked.values() if method]
                raise TimeoutError(f"{what}; waiting for {waiting}")
            if now >= self._next and not any(method == "" for method, _, _ in self._asked.values()):
                number, at = self.client.ask("textDocument/hover", HOVER)
                self._asked[number] = "", at, self.client.busy
                self._next = now + PAUSE
                self._measure()
            self._take(what)

    def _take(self, what: str) -> None:
        message = self.client.receive(0.01)
        if message is None:
            return
        length = len(str(message.body))
        method = message.method or self._asked.get(message.body.get("id", -1), ("",))[0]
        if length > self.borne.longest:
            self.borne.longest, self.borne.longest_of = length, method
        if message.method in ("window/showMessage", "window/logMessage") and message.params["type"] == 1:
            self.borne.refused.append(f"shown: {message.params['message'][:200]}")
        elif message.method == PUBLISH and message.params["uri"] == self.uri:
            self._last, self._is_published = message.at, True
        elif (asked := self._asked.pop(message.body.get("id", -1), None)) is not None:
            self._note(asked, message.body, message.at, what)

    def _note(self, asked: tuple[str, float, float], body: dict[str, Any], at: float, what: str) -> None:
        method, sent, busy = asked
        if not method:
            waited = min(at - sent, self.client.busy - busy + 0.01)
            if waited > max(self.borne.hovers, default=0.0):
                self.borne.slowest = what
            self.borne.hovers.append(waited)
        elif (error := body.get("error")) is not None:
            if error["code"] in (-32603, -32000):
                self.borne.refused.append(f"{method}: {str(error)[:200]}")
        elif method in FOLLOWS:
            result = body.get("result") or []
            self._found[method] = result["items"] if isinstance(result, dict) else result

    def _measure(self) -> None:
        for pid in self._processes():
            held = resident(pid)
            if pid == self.client.pid:
                self.borne.server = max(self.borne.server, held)
            else:
                self.borne.beside = max(self.borne.beside, held)


def places(lines: list[str]) -> list[dict[str, int]]:
    """Positions in the first lines, in the middle and at the end: at the beginning, in the middle, before the end."""
    last = len(lines) - 1
    numbers = sorted({0, min(1, last), last // 2, max(0, last - 2)})
    positions: list[dict[str, int]] = []
    for number in numbers:
        length = len(lines[number])
        columns = {min(3, length), length // 2, max(0, length - 4)}
        positions += [{"line": number, "character": column} for column in sorted(columns)]
    return positions


def resident(pid: int) -> int:
    """The most bytes of memory that a process has held, 0 where it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0
    held = next((line for line in lines if line.startswith("VmHWM:")), "VmHWM: 0 kB")
    return int(held.split()[1]) << 10


def computed(pid: int) -> float:
    """Ticks for which a process has computed, 0 where it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


@contextmanager
def warm_server(command: Sequence[str]) -> Generator[Client, None, None]:
    """A server that has loaded what it loads ahead, with the other document open."""
    with Client((*command, "--stdio")) as client:
        client.initialize()
        client.open(OTHER, SMALL)
        before = -1.0
        while client.busy - before > 0.05:
            before = client.busy
            client.request("textDocument/hover", HOVER)
            time.sleep(0.5)
        yield client
