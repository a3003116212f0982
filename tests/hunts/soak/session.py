"""A long session with the real server: random edits and requests, which overtake each other, are cancelled, and concern
versions that are gone when they are answered.

What must hold: each request is answered, by a result or by an error that the protocol has for its case; an answer is
that of the version that was asked about, as another server gives it that sees this version only; nothing is logged as a
fault; and memory does not grow.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, cast

from benchmarks.client import Client, Document, Message
from tests.hunts.fuzz.buffers import an_edit
from tests.hunts.soak.questions import FOLLOWS, REMEMBERED, SHARED, Questions
from tests.server.client import COMMAND

DOCUMENTS: Final = 8
MOST_OPEN: Final = 24
"""So many requests wait for their answers at a time."""
LONGEST: Final = 12_000
"""A document that has grown beyond so many characters begins anew."""
PATIENCE: Final = 120.0
WITNESSED: Final = 0.05
"""The share of requests whose answers are compared with those of a fresh server."""
CANCELLED, MODIFIED, FAILED, INVALID = -32800, -32801, -32803, -32602
RUN: Final = {"timeoutSeconds": 0.2}


@dataclass(slots=True)
class Asked:
    """A request that was sent: of which document, and of which text if its answer is to be compared."""

    method: str
    params: dict[str, Any]
    uri: str
    text: str | None
    version: int
    is_cancelled: bool = False


@dataclass(slots=True)
class Outcome:
    """What came of a session. `memory` holds the megabytes of the server at each rest."""

    steps: int = 0
    answers: Counter[str] = field(default_factory=Counter[str])
    compared: int = 0
    failures: list[str] = field(default_factory=list[str])
    memory: list[float] = field(default_factory=list[float])


class Soak:
    """One session. Its steps are those of a seed; what overtakes what is up to the machine."""

    def __init__(self, texts: Sequence[str], seed: int) -> None:
        self.chance = Random(seed)
        self.texts = texts
        self.questions = Questions(self.chance)
        self.outcome = Outcome()
        self._asked: dict[int, Asked] = {}
        self._documents: list[Document] = []
        self._steps: tuple[tuple[Callable[[], None], int], ...] = (
            (self._edit, 30),
            (self._ask, 60),
            (self._cancel, 5),
            (self._race, 3),
            (self._reopen, 1),
            (self._run, 1),
        )

    def run(self, steps: int, rests: int = 10) -> Outcome:
        """Does so many steps; rests now and then, with all documents as they were in the beginning."""
        with Client((*COMMAND, "--stdio")) as self.client, Client((*COMMAND, "--stdio")) as self.witness:
            for client in (self.client, self.witness):
                client.initialize()
            self._documents = [self._opened(index) for index in range(DOCUMENTS)]
            makes, weights = zip(*self._steps, strict=True)
            for step in range(steps):
                self.chance.choices(makes, weights)[0]()
                self.outcome.steps += 1
                self._take(0.0 if len(self._asked) < MOST_OPEN else None)
                if (step + 1) % max(steps // rests, 1) == 0:
                    self._rest()
        return self.outcome

    # ---- steps

    def _text(self, index: int) -> str:
        """What a document begins with: some texts in parts."""
        return "// -----\n".join(self.texts[(index * 3 + part) % len(self.texts)] for part in range(3))

    def _opened(self, index: int) -> Document:
        return self.client.open(f"file:///soak/{index}.mlir", self._text(index))

    def _edit(self) -> None:
        document = self.chance.choice(self._documents)
        first, last, inserted = an_edit(document.text, self.texts, self.chance)
        text = document.text[:first] + inserted + document.text[last:]
        self._change(document, [(first, last, inserted)] if len(text) < LONGEST else None)

    def _change(self, document: Document, edits: list[tuple[int, int, str]] | None) -> None:
        """Edits a document by ranges, or, without, puts its first text back."""
        changes: list[dict[str, Any]] = []
        for first, last, inserted in edits or ():
            ends = [position(document.text, offset) for offset in (first, last)]
            changes.append({"range": {"start": ends[0], "end": ends[1]}, "text": inserted})
            document.text = document.text[:first] + inserted + document.text[last:]
        if edits is None:
            document.text = self._text(self._documents.index(document))
            changes.append({"text": document.text})
        document.version += 1
        about = {"uri": document.uri, "version": document.version}
        self.client.notify("textDocument/didChange", {"textDocument": about, "contentChanges": changes})

    def _ask(self) -> None:
        document = self.chance.choice(self._documents)
        method, params = self.questions.a_question(document.uri, document.text)
        is_compared = (
            method not in FOLLOWS
            and method not in SHARED
            and method not in REMEMBERED
            and self.chance.random() < WITNESSED
        )
        self._send(method, params, document, document.text if is_compared else None)

    def _send(self, method: str, params: dict[str, Any], document: Document, text: str | None = None) -> None:
        number, _ = self.client.ask(method, params)
        self._asked[number] = Asked(method, params, document.uri, text, document.version)

    def _cancel(self) -> None:
        if self._asked:
            number = self.chance.choice(list(self._asked))
            self._asked[number].is_cancelled = True
            self.client.notify("$/cancelRequest", {"id": number})

    def _race(self) -> None:
        """A question, edits of its document before the answer can be there, and the question again."""
        document = self.chance.choice(self._documents)
        for _ in range(3):
            method, params = self.questions.a_question(document.uri, document.text)
            self._send(method, params, document)
            first, last, inserted = an_edit(document.text, self.texts, self.chance)
            self._change(document, [(first, last, inserted)] if len(document.text) < LONGEST else None)

    def _reopen(self) -> None:
        index = self.chance.randrange(DOCUMENTS)
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self._documents[index].uri}})
        self._documents[index] = self._opened(index)

    def _run(self) -> None:
        document = self.chance.choice(self._documents)
        run = {"uri": document.uri, "function": "f", "arguments": [1], "limits": RUN}
        self._send("workspace/executeCommand", {"command": "fathom.runFunction", "arguments": [run]}, document)

    def _rest(self) -> None:
        """Waits for all answers, puts the first texts back, and notes how much memory that leaves."""
        self._take(None, until=0)
        for document in self._documents:
            self._change(document, None)
            self._send("textDocument/hover", {"textDocument": {"uri": document.uri}, "position": ORIGIN}, document)
        self._take(None, until=0)
        quiet = time.perf_counter()
        while time.perf_counter() - quiet < 1.0:
            if self._receive(0.2) is not None:
                quiet = time.perf_counter()
        self.outcome.memory.append(self.client.resident)

    # ---- answers

    def _take(self, timeout: float | None, until: int = MOST_OPEN // 2) -> None:
        """Takes the messages that are there; without a time, until only so many answers are missing."""
        began = time.perf_counter()
        while True:
            message = self._receive(0.5 if timeout is None else timeout)
            if message is not None:
                began = time.perf_counter()
            if timeout is None and len(self._asked) <= until:
                return
            if timeout is not None and message is None:
                return
            if time.perf_counter() - began > PATIENCE:
                waiting = [(asked.method, asked.params) for asked in self._asked.values()]
                raise TimeoutError(f"after {self.outcome.steps} steps no answer to {waiting}")

    def _receive(self, timeout: float) -> Message | None:
        message = self.client.receive(timeout)
        if message is None:
            return None
        # A warning that is shown says why an action that was chosen is not possible.
        wrong = {"window/showMessage": 1, "window/logMessage": 2}.get(message.method, 0)
        if wrong and message.params["type"] <= wrong:
            self._fail(f"{message.method}: {message.params['message']}")
        asked = self._asked.pop(message.body.get("id", -1), None) if not message.method else None
        if asked is not None:
            self._look(asked, message.body)
        return message

    def _look(self, asked: Asked, body: dict[str, Any]) -> None:
        """Whether an answer is one that the request may have."""
        error = body.get("error")
        self.outcome.answers[asked.method] += 1
        if error is None:
            self.questions.note(asked.method, body.get("result"))
            if asked.text is not None and not self._is_of_another(asked, body.get("result")):
                self._compare(asked, body.get("result"))
        elif error["code"] not in (MODIFIED, FAILED, INVALID, *([CANCELLED] if asked.is_cancelled else [])):
            self._fail(f"{asked.method} {asked.params}: {error}")

    def _is_of_another(self, asked: Asked, result: Any) -> bool:
        """Whether an answer says that it is about another version, since the document was edited meanwhile."""
        is_edited = any(each.uri == asked.uri and each.version != asked.version for each in self._documents)
        return is_edited and isinstance(result, dict) and result.get("version", asked.version) != asked.version

    def _compare(self, asked: Asked, result: Any) -> None:
        """Whether a server that knows only the version that was asked about says the same."""
        self.outcome.compared += 1
        item = {"uri": asked.uri, "languageId": "mlir", "version": asked.version, "text": asked.text}
        self.witness.notify("textDocument/didOpen", {"textDocument": item})
        expected, _, _ = self.witness.request(asked.method, asked.params)
        self.witness.notify("textDocument/didClose", {"textDocument": {"uri": asked.uri}})
        if comparable(result) != comparable(expected):
            self._fail(f"{asked.method} {asked.params}\nof {asked.text!r}\nis {result}\nand not {expected}")

    def _fail(self, what: str) -> None:
        self.outcome.failures.append(f"after {self.outcome.steps} steps: {what}")


ORIGIN: Final = {"line": 0, "character": 0}


def position(text: str, offset: int) -> dict[str, int]:
    """The position of an offset, in UTF-16 units; lines end as the protocol has it."""
    lines = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return {"line": len(lines) - 1, "character": len(lines[-1].encode("utf-16-le", "surrogatepass")) // 2}


_OF_A_SERVER: Final = frozenset({"resultId", "milliseconds"})


def comparable(result: Any) -> Any:
    """An answer without the names that servers give to answers, how long things took, and the action that is offered
    where a mistake with one fix is known already: a server may be asked before it has looked."""
    if isinstance(result, dict):
        fields = cast("dict[str, Any]", result)
        return {key: comparable(value) for key, value in fields.items() if key not in _OF_A_SERVER}
    if isinstance(result, list):
        return [comparable(element) for element in cast("list[Any]", result) if not is_known_late(element)]
    return result


def is_known_late(result: Any) -> bool:
    return isinstance(result, dict) and cast("dict[str, Any]", result).get("kind") == "source.fixAll"
