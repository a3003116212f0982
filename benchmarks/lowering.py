"""Lowering of one big function beside the typing.

After a key, two things are waited for: the warning for an operation that the pipeline leaves behind, and the preview
of LLVM IR, for which the client asks again each time that the server says that it may be another. Meanwhile a hover is
sent every 50 ms, and what is shown besides is how long the slowest of them waited.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from benchmarks.big_functions import MISTAKE, PROGRAMS, RETURN, BigFunction
from benchmarks.client import FATHOM, GIVE_UP, Client, Document, Message
from benchmarks.one_function import PUBLISH, question_about

HOVERS: Final = 0.05
"""Seconds between two hovers while lowering is waited for."""
LEFT: Final = "  %left = gpu.thread_id x"
"""What the default pipeline leaves behind; a key takes away the comment sign before it."""


@dataclass(slots=True)
class Waits:
    """Seconds from a key to what was waited for, and the longest milliseconds that a hover took meanwhile, and the
    answer to a question for the preview."""

    done: list[float] = field(default_factory=list[float])
    hover: float = 0.0
    preview: float = 0.0


class _Watch:
    """A client that sends a hover every 50 ms while it waits for something, and notes how long each answer took."""

    def __init__(self, client: Client, document: Document, function: BigFunction) -> None:
        self._client = client
        self._question = question_about(document, function, function.line, "hover")
        self._open: dict[int, float] = {}
        self.worst = 0.0

    def messages(self) -> Iterator[Message]:
        """What comes in, the answers to the hovers aside. TimeoutError when nothing else comes for too long."""
        deadline = time.perf_counter() + GIVE_UP
        following = time.perf_counter()
        while time.perf_counter() < deadline:
            if time.perf_counter() >= following:
                identifier, sent = self._client.ask(*self._question)
                self._open[identifier] = sent
                following = time.perf_counter() + HOVERS
            message = self._client.receive(max(following - time.perf_counter(), 0.001))
            if message is None:
                continue
            began = self._open.pop(message.body.get("id", -1), None) if not message.method else None
            if began is None:
                yield message
            else:
                self.worst = max(self.worst, message.at - began)
        raise TimeoutError("what lowering should give did not come")

    def finish(self) -> float:
        """Waits for the hovers that are not answered yet; the longest wait, in milliseconds."""
        while self._open:
            message = self._client.receive(GIVE_UP)
            if message is None:
                raise TimeoutError("a hover was not answered")
            began = self._open.pop(message.body.get("id", -1), None) if not message.method else None
            if began is not None:
                self.worst = max(self.worst, message.at - began)
        return self.worst * 1000


def _stalled(client: Client, document: Document, function: BigFunction, line: int, waits: Waits) -> None:
    """Takes the comment sign away before an operation that is left behind, and puts it back."""
    sent = client.edit(document, line, 0, 2, "")
    watch = _Watch(client, document, function)
    for message in watch.messages():
        is_about = message.method == PUBLISH and message.params.get("version") == document.version
        if is_about and any(param["range"]["start"]["line"] == line for param in message.params["diagnostics"]):
            waits.done.append(message.at - sent)
            break
    waits.hover = max(waits.hover, watch.finish())
    client.edit(document, line, 0, 0, "//")
    client.wait_for(PUBLISH, document.version)


def _previewed(client: Client, document: Document, line: int, number: int, function: BigFunction, waits: Waits) -> None:
    """Changes a constant; waits for the preview that has it, and asks again whenever the server says that it may."""
    constant = 100_000 + number
    text = document.text.split("\n", line + 1)[line]
    column = text.index("constant ") + len("constant ")
    sent = client.edit(document, line, column, len(text) - column - len(" : i32"), str(constant))
    question = {"textDocument": {"uri": document.uri}, "stage": "llvm-ir", "function": function.name}
    asked: dict[int, float] = {}
    watch = _Watch(client, document, function)
    for message in watch.messages():
        if message.method == "fathom/previewDidChange" and not asked:
            identifier, began = client.ask("fathom/preview", question)
            asked[identifier] = began
        began = asked.pop(message.body.get("id", -1), None) if not message.method else None
        if began is None:
            continue
        waits.preview = max(waits.preview, (message.at - began) * 1000)
        result = message.body["result"]
        if not result["stale"] and result["version"] == document.version:
            assert str(constant) in result["text"]
            waits.done.append(message.at - sent)
            break
    waits.hover = max(waits.hover, watch.finish())


def _first_preview(client: Client, document: Document, function: BigFunction) -> None:
    question = {"textDocument": {"uri": document.uri}, "stage": "llvm-ir", "function": function.name}
    while client.request("fathom/preview", question)[0]["stale"]:
        time.sleep(0.2)


def measure_lowering(function: BigFunction, rounds: int) -> tuple[Waits, Waits, float]:
    """What the warning about lowering took, what the preview of LLVM IR did, and the megabytes held at the end."""
    lines = function.text.replace(MISTAKE, RETURN).split("\n")
    lines.insert(1, f"//{LEFT}")
    lines.insert(2, "  %known = arith.constant 100000 : i32")
    lines.insert(3, "  %used = arith.addi %known, %a : i32")
    text = "\n".join(lines).replace(", %b : i32\n", ", %used : i32\n")
    function = BigFunction(function.name, text, function.line + 3, function.value)
    stalls, previews = Waits(), Waits()
    with Client(FATHOM) as client:
        client.initialize()
        document = client.open("file:///benchmark/lowering.mlir", function.text)
        client.wait_for(PUBLISH, 0)
        for _ in range(rounds):
            _stalled(client, document, function, 1, stalls)
        _first_preview(client, document, function)
        for number in range(rounds):
            _previewed(client, document, 2, number + 1, function, previews)
        return stalls, previews, client.resident


def lowering_table(programs: Sequence[str], sizes: Sequence[int], rounds: int) -> None:
    """Prints how long what lowering finds takes to be shown, and what waits meanwhile."""
    print(
        f"{rounds} keys each: seconds from the key until a warning of lowering is shown, and until the preview of\n"
        "LLVM IR is that of the version; the longest that a hover (one every 50 ms) waited meanwhile, and that the\n"
        "answer to a question for the preview took, in milliseconds; megabytes at the end\n"
    )
    print(
        f"{'function':<9}{'ops':>7}{'warning: median':>18}{'worst':>8}{'hover':>8}{'LLVM IR: median':>18}{'worst':>8}"
        f"{'hover':>8}{'answer':>8}{'memory':>8}"
    )
    for name in programs:
        for operations in sizes:
            stalls, previews, memory = measure_lowering(PROGRAMS[name](operations), rounds)
            print(
                f"{name:<9}{operations:>7}{statistics.median(stalls.done):>18.2f}{max(stalls.done):>8.2f}"
                f"{stalls.hover:>8.0f}{statistics.median(previews.done):>18.2f}{max(previews.done):>8.2f}"
                f"{previews.hover:>8.0f}{previews.preview:>8.0f}{memory:>8.0f}",
                flush=True,
            )
