"""Whatever is opened and edited, other documents are answered meanwhile, and the server lives.

A hover on another small document is asked for every 50 ms while a hostile one is opened and then edited in its middle.
How long its answer took is measured in the time for which the server has computed since it was asked, so that a busy
machine does not count. `python -m tests.server.test_hostile_documents [WORDS]` measures all at their whole size.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest

from benchmarks.client import Client
from tests.patience import PATIENCE
from tests.server.attention import MEDIAN, MEMORY, WORST, memory_of
from tests.server.client import COMMAND
from tests.server.hostile import DOCUMENTS

SHARE: Final = 40
"""The documents that a test opens are smaller by this."""
OTHER: Final = "file:///other.mlir"
SMALL: Final = "func.func @g(%x: i32) -> i32 {\n  return %x : i32\n}\n"
HOVER: Final = {"textDocument": {"uri": OTHER}, "position": {"line": 1, "character": 10}}
PUBLISH: Final = "textDocument/publishDiagnostics"


@dataclass(slots=True)
class Figures:
    """Seconds that answers took, the longest message that was published, in characters, and when the first diagnostics
    of each version came, in seconds from its sending; and the most memory that the server and its children held."""

    answers: list[float] = field(default_factory=list[float])
    published: int = 0
    first: dict[int, float] = field(default_factory=dict[int, float])
    memory: int = 0


class Pump:
    """Asks about the small document every 50 ms and notes what comes."""

    def __init__(self, client: Client, uri: str) -> None:
        self.client = client
        self.uri = uri
        self.figures = Figures()
        self._asked: dict[int, tuple[float, float]] = {}
        self._next = time.perf_counter()

    def until(self, version: int, quiet: float) -> None:
        """Goes on until a version of the hostile document has diagnostics, and for so long after the last of them, and
        all answers are there."""
        sent = last = time.perf_counter()
        while version not in self.figures.first or time.perf_counter() - last < quiet or self._asked:
            now = time.perf_counter()
            self.figures.memory = max(self.figures.memory, memory_of(self.client.pid))
            assert now - sent < PATIENCE, f"no diagnostics of version {version}, or no answer"
            if now >= self._next and (version not in self.figures.first or now - last < quiet):
                number, at = self.client.ask("textDocument/hover", HOVER)
                self._asked[number] = at, self.client.busy
                self._next = now + 0.05
            message = self.client.receive(0.01)
            if message is None:
                continue
            assert message.method not in ("window/showMessage", "window/logMessage"), message.body
            if message.method == PUBLISH and message.params["uri"] == self.uri:
                last = message.at
                self.figures.first.setdefault(message.params["version"], last - sent)
                self.figures.published = max(self.figures.published, len(str(message.params["diagnostics"])))
            elif (asked := self._asked.pop(message.body.get("id", -1), None)) is not None:
                assert message.body.get("result"), message.body
                self.figures.answers.append(min(message.at - asked[0], self.client.busy - asked[1] + 0.01))


@contextmanager
def warm_server() -> Generator[Client, None, None]:
    """A server that has loaded what it loads ahead, with a small document."""
    with Client((*COMMAND, "--stdio")) as client:
        client.initialize()
        client.open(OTHER, SMALL)
        warm_up(client)
        yield client


def measured(client: Client, name: str, text: str, quiet: float = 0.3) -> Figures:
    """What a server makes of a document and of an edit in its middle."""
    uri = f"file:///{quote(name)}.mlir"
    pump = Pump(client, uri)
    item = {"uri": uri, "languageId": "mlir", "version": 0, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})
    pump.until(0, quiet)
    client.notify("textDocument/didChange", inserted_in_the_middle(uri, text))
    pump.until(1, quiet)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    return pump.figures


def warm_up(client: Client) -> None:
    """Waits until the server has loaded what it loads ahead."""
    before = -1.0
    while client.busy - before > 0.05:
        before = client.busy
        client.request("textDocument/hover", HOVER)
        time.sleep(0.5)


def inserted_in_the_middle(uri: str, text: str) -> dict[str, Any]:
    middle = len(text) // 2
    before = text.rfind("\n", 0, middle) + 1
    place = {"line": text.count("\n", 0, middle), "character": middle - before}
    change = {"range": {"start": place, "end": place}, "text": " "}
    return {"textDocument": {"uri": uri, "version": 1}, "contentChanges": [change]}


def check_unhurt(figures: Figures) -> None:
    assert statistics.median(figures.answers) < MEDIAN
    assert max(figures.answers) < WORST
    assert figures.memory < MEMORY
    assert figures.published < 500_000


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="the system does not tell what it computed"
)


@pytest.fixture(scope="module")
def client() -> Generator[Client, None, None]:
    """One server for all of them, which are closed again."""
    with warm_server() as client:
        yield client


@needs_proc
@pytest.mark.parametrize("name", DOCUMENTS)
def test_other_documents_are_answered(client: Client, name: str) -> None:
    check_unhurt(measured(client, name, DOCUMENTS[name](SHARE)))


@needs_proc
def test_closed_documents_do_not_add_up() -> None:
    """The allocator keeps up to seven texts' worth of what the last documents were read with, in any order; so there
    are so many documents that one text kept of each stands out."""
    name = "line of 50 MB of words"
    text = DOCUMENTS[name](SHARE)
    with warm_server() as client:
        measured(client, f"{name} 0", text, quiet=0.1)
        first = memory_of(client.pid)
        for number in range(1, 25):
            measured(client, f"{name} {number}", text, quiet=0.1)
        added = memory_of(client.pid) - first
    assert added < 12 * len(text), f"24 more documents of {len(text):,} characters: {added:,} bytes are held besides"


def main(words: list[str]) -> None:
    for name, make in DOCUMENTS.items():
        if not words or any(word in name for word in words):
            with warm_server() as client:
                figures = measured(client, name, make(1), quiet=2.0)
            median, worst = statistics.median(figures.answers) * 1000, max(figures.answers) * 1000
            times = ", ".join(f"{seconds:.1f} s" for seconds in figures.first.values())
            print(f"{name:<48}{median:>8.0f}{worst:>8.0f} ms{figures.memory >> 20:>8} MB   {times}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
