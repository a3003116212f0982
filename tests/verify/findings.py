"""The first mistake of a text with the notes on it, as lines `2:8: error: …`, by Fathom and by mlir-opt 22."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from fathom.context import default_context
from fathom.diagnostics import Diagnostic
from fathom.elaborate import load
from fathom.ir.operation import Span
from fathom.verify import verify
from tests.oracles import run_tool

SEPARATOR = "// -----\n"
_FINDING = re.compile(r"^[^:\n]*:(\d+):(\d+): (error|note): (.*)$", re.MULTILINE)


def pieces(text: str) -> list[str]:
    """The texts between `// -----` lines."""
    return text.split(SEPARATOR)


def findings(text: str) -> list[str]:
    """What Fathom says first: a mistake of parsing or, where there is none, of verification."""
    loaded = load(text)
    errors = [d for d in loaded.diagnostics if d.severity == "error"] or verify(
        loaded.module, context=default_context()
    )
    return _lines(text, errors[0]) if errors else []


def problems(text: str) -> list[str]:
    """All messages of the verifier about a text, also where it has mistakes of names or types."""
    return [diagnostic.message for diagnostic in verify(load(text).module)]


def _lines(text: str, error: Diagnostic) -> list[str]:
    notes = [f"{_position(text, note.span or error.span)}: note: {_first_line(note.message)}" for note in error.notes]
    return [f"{_position(text, error.span)}: error: {_first_line(error.message)}", *notes]


def _first_line(message: str) -> str:
    return message.partition("\n")[0].rstrip()


def _position(text: str, span: Span | None) -> str:
    start = span.start if span is not None else 0
    return f"{text.count(chr(10), 0, start) + 1}:{start - text.rfind(chr(10), 0, start)}"


def oracle_findings(texts: Sequence[str]) -> list[list[str]]:
    """The same for each text by mlir-opt 22, all in one run; the operation that it prints with each is left out."""
    options = ["--split-input-file", "--allow-unregistered-dialect", "--mlir-disable-threading"]
    answer = run_tool("mlir-opt", options, SEPARATOR.join(texts))
    starts = [0, *accumulate(text.count("\n") + 1 for text in texts)]
    by_piece: list[list[str]] = [[] for _ in texts]
    for line, column, kind, message in _FINDING.findall(answer.stderr):
        piece = bisect_right(starts, int(line) - 1) - 1
        is_next = kind == "error" and bool(by_piece[piece])
        if not is_next and not message.startswith("see current operation"):
            by_piece[piece].append(f"{int(line) - starts[piece]}:{column}: {kind}: {message.rstrip()}")
    return by_piece
