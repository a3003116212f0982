"""Keys in one big function: from a key to the diagnostics of its version that are complete, and a request sent with it.

Both servers get the same text and the same keys: one makes a type error in the middle of the function (`i32` to `i3`),
one breaks the line above it, one joins the lines again, and one mends the type. The text has another mistake in its
last statement, which only verification finds, so that each version's diagnostics tell when they are complete: the
clock stops at the first `textDocument/publishDiagnostics` of that version that says what its last one says. With each
key goes a hover, a question for the definition or one for the references of a value; what is counted is how long after
the complete diagnostics the answer came.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.big_functions import PROGRAMS, BigFunction
from benchmarks.client import FATHOM, GIVE_UP, PEER, Client, Document, Message

PUBLISH: Final = "textDocument/publishDiagnostics"
QUIET: Final = 0.3
"""Seconds of silence after which the last diagnostics of a version are taken to be the last."""
ERROR: Final = 1

Found = list[tuple[int, int, str]]
"""What diagnostics say: line, column and message of each error, in order."""


def errors_of(message: Message) -> Found:
    errors = [param for param in message.params["diagnostics"] if param.get("severity", ERROR) == ERROR]
    starts = [(error["range"]["start"], error["message"]) for error in errors]
    return [(start["line"], start["character"], text) for start, text in starts]


@dataclass(slots=True)
class Settled:
    """The diagnostics of one version: when the first came, when the complete ones did, and what those say. `answered`
    is when the request was answered that was sent with the key."""

    first: float
    complete: float
    found: Found
    answered: float


def settle(client: Client, version: int, request: int | None, is_complete: Callable[[Found], bool]) -> Settled:
    """Waits until the diagnostics are complete, and nothing more comes, and the request is answered."""
    published: list[tuple[float, Found]] = []
    answered = 0.0
    deadline = time.perf_counter() + GIVE_UP
    while time.perf_counter() < deadline:
        message = client.receive(QUIET)
        if message is None:
            if published and is_complete(published[-1][1]) and (request is None or answered):
                break
            continue
        if message.method == PUBLISH and message.params.get("version") == version:
            published.append((message.at, errors_of(message)))
        elif not message.method and message.body.get("id") == request:
            answered = message.at
    else:
        raise TimeoutError(f"no complete diagnostics of version {version}: {published[-1:]}")
    last = published[-1][1]
    complete = next(at for at, diagnostics in published if diagnostics == last)
    return Settled(published[0][0], complete, last, answered)


# ---- keys


@dataclass(slots=True)
class Times:
    """What was measured of one server: milliseconds, and megabytes."""

    opened: float = 0.0
    resident: float = 0.0
    empty: float = 0.0
    shown: list[float] = field(default_factory=list[float])
    gone: list[float] = field(default_factory=list[float])
    moved: list[float] = field(default_factory=list[float])
    requests: dict[str, list[float]] = field(default_factory=dict[str, list[float]])

    @property
    def keys(self) -> list[float]:
        return [*self.shown, *self.gone, *self.moved]

    @property
    def answers(self) -> list[float]:
        return [duration for several in self.requests.values() for duration in several]


REQUESTS: Final = ("hover", "definition", "references")


def question_about(document: Document, function: BigFunction, line: int, what: str) -> tuple[str, dict[str, Any]]:
    """The method and the parameters of a request about the function's value, which stands in a line."""
    position = {"line": line, "character": function.value_column}
    params: dict[str, Any] = {"textDocument": {"uri": document.uri}, "position": position}
    if what == "references":
        params["context"] = {"includeDeclaration": True}
    return f"textDocument/{what}", params


def measure(command: Sequence[str], function: BigFunction, edits: int, options: dict[str, Any] | None) -> Times:
    """Opens the function in a fresh server, and types."""
    times = Times(requests={what: [] for what in REQUESTS})
    with Client(command) as client:
        client.initialize(options)
        times.empty = client.resident
        document = client.open("file:///benchmark/function.mlir", function.text)
        at_the_end = function.last_line

        def is_whole(diagnostics: Found) -> bool:
            return any(line == at_the_end for line, _, _ in diagnostics)

        opened = settle(client, 0, None, is_whole)
        times.opened = (opened.complete - document.sent) * 1000
        times.resident = client.resident
        mistaken = -1

        def is_mistaken(diagnostics: Found) -> bool:
            if mistaken < 0:
                return any(line != at_the_end for line, _, _ in diagnostics)
            return any(line == mistaken for line, _, _ in diagnostics)

        for number in range(edits):
            step, what = number % 4, REQUESTS[(number // 4 + number) % len(REQUESTS)]
            if step == 0:
                sent = client.edit(document, function.line, function.digit, 1, "")
            elif step == 1:
                sent, mistaken = _break(client, document, function.line), mistaken + 1
            elif step == 2:
                sent, mistaken = _join(client, document, function.line), mistaken - 1
            else:
                sent = client.edit(document, function.line, function.digit, 0, "2")
            place = function.line + (step == 1)
            identifier, _ = client.ask(*question_about(document, function, place, what))
            settled = settle(client, document.version, identifier, is_whole if step == 3 else is_mistaken)
            kind = (times.shown, times.moved, times.moved, times.gone)[step]
            kind.append((settled.complete - sent) * 1000)
            times.requests[what].append(max(settled.answered - settled.complete, 0.0) * 1000)
            if step == 0:
                mistaken = next(line for line, _, _ in settled.found if line != at_the_end)
        assert document.text == function.text
    return times


def _break(client: Client, document: Document, line: int) -> float:
    """An empty line comes before a line."""
    return client.edit(document, line, 0, 0, "\n")


def _join(client: Client, document: Document, line: int) -> float:
    """The empty line goes."""
    return client.edit(document, line, 0, 1, "")


def row(function: str, operations: int, server: str, times: Times) -> str:
    keys = [
        f"{statistics.median(measured):>9.2f}{max(measured):>9.2f}"
        for measured in (times.keys, times.shown, times.gone)
    ]
    answers = f"{statistics.median(times.answers):>9.2f}{max(times.answers):>9.2f}"
    memory = f"{times.resident:>8.0f}{times.empty:>8.0f}"
    return f"{function:<9}{operations:>7}  {server:<16}{times.opened:>9.1f}{''.join(keys)}{answers}{memory}"


def keys_table(programs: Sequence[str], sizes: Sequence[int], edits: int, options: dict[str, Any] | None) -> None:
    """Prints what keys in each function cost in both servers."""
    print(
        f"{edits} keys in one function, milliseconds to complete diagnostics (median, worst); a hover, definition or\n"
        "references request sent with the key, milliseconds after these; megabytes after opening, and empty\n"
    )
    print(
        f"{'function':<9}{'ops':>7}  {'server':<16}{'open':>9}{'all keys':>18}{'error shown':>18}{'error gone':>18}"
        f"{'request after':>18}{'memory':>8}{'empty':>8}"
    )
    for name in programs:
        for operations in sizes:
            function = PROGRAMS[name](operations)
            if PEER.exists():
                peer = measure([str(PEER)], function, edits, None)
                print(row(name, operations, "mlir-lsp-server", peer), flush=True)
            fathom = measure(FATHOM, function, edits, options)
            print(row(name, operations, "Fathom", fathom), flush=True)
