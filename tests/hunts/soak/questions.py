"""What a client may ask of a document, at random: all requests that the server's table has."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from random import Random
from typing import Any, Final, cast

from fathom_server.lsp.table import REQUESTS

METHODS: Final = tuple(request.method for request in REQUESTS)

FOLLOWS: Final[Mapping[str, str]] = {
    "codeAction/resolve": "textDocument/codeAction",
    "codeLens/resolve": "textDocument/codeLens",
    "completionItem/resolve": "textDocument/completion",
    "inlayHint/resolve": "textDocument/inlayHint",
    "documentLink/resolve": "textDocument/documentLink",
    "callHierarchy/incomingCalls": "textDocument/prepareCallHierarchy",
    "callHierarchy/outgoingCalls": "textDocument/prepareCallHierarchy",
}
"""The requests about something that another one has answered."""

SHARED: Final = frozenset({"textDocument/references", "textDocument/rename", "textDocument/implementation"})
"""Their answers are about other documents too."""

REMEMBERED: Final = frozenset({"fathom/preview", "textDocument/diagnostic", "textDocument/semanticTokens/full/delta"})
"""Their answers depend on what was answered before."""

STAGES: Final = ("source", "convert-func-to-llvm", "llvm-dialect", "llvm-ir", "nosuch")
NAMES: Final = ("f", "inner::@f", "f#2", "no such")
NEW_NAMES: Final = ("%new", "new", "@new", "%0", "^bb9", "", "a b", "#new", "9", "%x#1")


class Questions:
    """Makes requests; remembers some of what was answered, to ask about it."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._found: dict[str, deque[Any]] = {method: deque(maxlen=30) for method in FOLLOWS.values()}
        self._results: deque[str] = deque(["nosuch"], maxlen=30)

    def note(self, method: str, result: Any) -> None:
        """Takes notice of an answer."""
        fields = cast("dict[str, Any]", result) if isinstance(result, dict) else {}
        if method in self._found:
            results = cast("list[Any]", (fields.get("items") if fields else result) or [])
            self._found[method].extend(results[:3])
        if isinstance(fields.get("resultId"), str):
            self._results.append(fields["resultId"])

    def a_question(self, uri: str, text: str) -> tuple[str, dict[str, Any]]:
        """A method and its parameters."""
        method = self._chance.choice(METHODS)
        before = FOLLOWS.get(method)
        if before is not None:
            earlier = self._found[before]
            if not earlier:
                return before, self._about(uri, text)
            item = self._chance.choice(earlier)
            return method, {"item": item} if method.startswith("callHierarchy") else item
        return method, self._about(uri, text)

    def _about(self, uri: str, text: str) -> dict[str, Any]:
        """Parameters that hold all that a request about a place may want to know."""
        chance = self._chance
        lines = text.split("\n")
        place = a_position(lines, chance)
        ends = sorted((place, a_position(lines, chance)), key=lambda end: (end["line"], end["character"]))
        return {
            "textDocument": {"uri": uri},
            "position": place,
            "positions": [place, ends[1]],
            "range": {"start": ends[0], "end": ends[1]},
            "context": {"diagnostics": [], "includeDeclaration": chance.random() < 0.5, "triggerKind": 1},
            "options": {"tabSize": 2, "insertSpaces": True},
            "ch": chance.choice("}\n"),
            "newName": chance.choice(NEW_NAMES),
            "previousResultId": chance.choice(self._results),
            "query": chance.choice(NAMES),
            "stage": chance.choice(STAGES),
            **({"function": chance.choice(NAMES)} if chance.random() < 0.5 else {}),
        }


def a_position(lines: list[str], chance: Random) -> dict[str, int]:
    """A position in a text, now and then one beyond it."""
    line = chance.randrange(len(lines) + (chance.random() < 0.02))
    length = len(lines[line].encode("utf-16-le", "surrogatepass")) // 2 if line < len(lines) else 0
    return {"line": line, "character": chance.randrange(length + 1 + (chance.random() < 0.05))}
