"""The process that reads traces for the server, `python -m fathom_server.lsp.trace_reader`.

A question comes on a line of standard input, `[path, question, encoding]`; a line goes to standard output for it: the
answer as JSON in the protocol's terms, or `"…"`, the reason why there is none. A trace may be anything: what is too
much for this process takes it down, and not the server.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.ir.operation import Span
from fathom.recording.trace_reading import Trace, TracePart, Unreadable, opened
from fathom.records import record
from fathom_server.features.traces import Question, answered, stage_ids
from fathom_server.lsp import timelines
from fathom_server.lsp.convert import TextPositions
from fathom_server.lsp.encoded import Encoded, encoded
from fathom_server.session.line_answers import answer_lines, stand_back

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lsprotocol import types

    from fathom.text.encodings import Encoding

NICE: Final = 2
"""How far it stands back where processors are scarce."""
MOST_TEXT: Final = 1 << 25
"""An answer of more characters is not given: no editor shows such a text."""
Stamp: TypeAlias = "tuple[int, int, int]"


class _Side:
    """What answers are written with: the source of a part, in which places are told."""

    version = 0

    def __init__(self, part: TracePart, encoding: Encoding) -> None:
        self.encoding: Encoding = encoding
        self._positions = TextPositions(part.text, encoding)

    def range(self, start: int, end: int) -> types.Range:
        return self._positions.range(Span(start, end))


_ANSWERS: Final[Mapping[str, Callable[..., Encoded]]] = {
    "timeline": timelines.timeline,
    "difference": timelines.difference,
    "blame": timelines.blame,
    "life": timelines.life,
    "steps": timelines.steps,
    "step": timelines.difference,
    "whyNot": timelines.why_not,
}


@record
class _Kept:
    """The trace that was asked about last, as it was then."""

    path: str
    stamp: Stamp | None
    trace: Trace


class Reader:
    """Answers questions. It keeps the last trace."""

    def __init__(self) -> None:
        self._kept: _Kept | None = None

    def answer(self, line: bytes) -> str:
        path, asked, encoding = json.loads(line)
        trace = self._read(path)
        if isinstance(trace, Unreadable):
            return json.dumps(trace.reason)
        answer = _answer(trace, asked, encoding)
        return answer.json if len(answer.json) <= MOST_TEXT else json.dumps("the answer is too long to be shown")

    def _read(self, path: str) -> Trace | Unreadable:
        stamp, kept = _stamp(path), self._kept
        if kept is not None and (kept.path, kept.stamp) == (path, stamp):
            return kept.trace
        self._kept = None
        trace = opened(path)
        if isinstance(trace, Trace):
            self._kept = _Kept(path, stamp, trace)
        return trace


def _answer(trace: Trace, asked: dict[str, Any], encoding: Encoding) -> Encoded:
    if "question" not in asked:
        return encoded({"name": trace.name, "parts": [_part(part) for part in trace.parts]})
    number: int = asked["part"]
    if number >= len(trace.parts):
        return encoded(f"there is no part {number + 1}; there are {len(trace.parts)}")
    part = trace.parts[number]
    if asked["question"] == "source":
        return encoded({"text": part.text})
    write = _ANSWERS.get(asked["question"])
    if write is None:
        return encoded(f"there is no question {asked['question'][:40]!r}")
    names = ("stage", "before", "after", "run", "number")
    at = asked.get("target") or asked.get("position")
    given = {name: asked[name] for name in names if name in asked}
    target, in_source = tuple(at) if at else None, "target" not in asked
    question = Question(asked["question"], target=target, in_source=in_source, units=encoding, **given)
    return write(_Side(part, encoding), None, answered(part, question))


def _part(part: TracePart) -> dict[str, object]:
    return {"pipeline": part.pipeline, "stages": stage_ids(part)}


def _stamp(path: str) -> Stamp | None:
    """What tells whether a file is another now; None of what cannot be looked at."""
    try:
        state = Path(path).stat()
    except (OSError, ValueError):
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def main() -> None:
    stand_back(NICE)
    answer_lines(Reader().answer)


if __name__ == "__main__":
    main()
