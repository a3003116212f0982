"""What mlir-opt 22 says of each piece of a file: its text in both forms, or its first error. Asked once, then kept in
the user's cache, outside the repository.

A file is asked about whole, with `--split-input-file`; only where the parts of the answer cannot be told apart, its
pieces are asked about one by one. So is a piece whose answer tells lines of the file, since what the piece is compared
with counts its own.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.oracles import find_tool, tool_version
from tests.suite.source import cache_home

ALLOW = "--allow-unregistered-dialect"
SEPARATOR = "// -----"
INPUT = "<stdin>"
"""What the text of an answer calls the file, where it tells a line of it."""

TIMEOUT = 20.0
"""Seconds; mlir-opt takes less than one for a file, or does not come to an end."""

FORMS: dict[str, list[str]] = {"custom": [ALLOW], "generic": [ALLOW, "--mlir-print-op-generic"]}
"""The options for each form."""

_ERROR = re.compile(r"^(?:<stdin>:(\d+):\d+|[^\n]*?): error: (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A text between two separators; `file` is relative to the suite, `line` counts from 0, `number` too."""

    file: str
    number: int
    line: int
    text: str

    @property
    def name(self) -> str:
        return f"{self.file}#{self.number}"


@dataclass(frozen=True, slots=True)
class Answer:
    """The texts of a piece that mlir-opt accepts. Of one that it does not: the line of the first error, from 1 within
    the piece (0 where the error is about none), and the first line of its text."""

    custom: str | None
    generic: str | None = None
    line: int = 0
    error: str = ""


def split(file: str, text: str) -> list[Piece]:
    """The pieces of a file, as `--split-input-file` cuts it, empty ones too."""
    line = 0
    pieces: list[Piece] = []
    for number, part in enumerate(text.split(SEPARATOR)):
        pieces.append(Piece(file, number, line, part))
        line += part.count("\n")
    return pieces


def answers(pieces: list[Piece], forms: Mapping[str, list[str]] = FORMS, tool: str = "") -> list[Answer]:
    """mlir-opt's answer for each of the pieces of a file, with the options of each form; `custom` decides what it
    accepts, and `generic` may be left out. `tool` is another mlir-opt than that of LLVM 22."""
    given = _remembered(pieces, forms, tool)
    if len(pieces) == 1:
        return given
    return [
        _remembered([Piece(piece.file, 0, 0, piece.text)], forms, tool)[0] if tells_lines(answer) else answer
        for piece, answer in zip(pieces, given, strict=True)
    ]


def tells_lines(answer: Answer) -> bool:
    """Whether the text tells lines of the file that was asked about."""
    return answer.custom is not None and INPUT in answer.custom


def _remembered(pieces: list[Piece], forms: Mapping[str, list[str]], tool: str) -> list[Answer]:
    kept = _place(pieces, forms, tool)
    if kept.exists():
        return [Answer(**load) for load in json.loads(kept.read_text(encoding="utf-8"))]
    text = SEPARATOR.join(piece.text for piece in pieces)
    given = ask_whole(text, pieces, forms, tool) or [_ask_alone(piece, forms, tool) for piece in pieces]
    remember(pieces, forms, given, tool)
    return given


def is_remembered(pieces: list[Piece], forms: Mapping[str, list[str]]) -> bool:
    """Whether mlir-opt has been asked about the pieces of a file."""
    return _place(pieces, forms).exists()


def remember(pieces: list[Piece], forms: Mapping[str, list[str]], given: Sequence[Answer], tool: str = "") -> None:
    """Keeps what mlir-opt says of the pieces of a file."""
    kept = _place(pieces, forms, tool)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps([asdict(answer) for answer in given]), encoding="utf-8")


def _place(pieces: list[Piece], forms: Mapping[str, list[str]], tool: str = "") -> Path:
    """The file in the user's cache."""
    text = SEPARATOR.join(piece.text for piece in pieces)
    key = hashlib.sha256(
        json.dumps([tool or tool_version("mlir-opt"), list(forms.values()), text]).encode()
    ).hexdigest()
    return cache_home() / "fathom" / "pieces" / key[:2] / f"{key}.json"


def _run(text: str, options: list[str], tool: str | None) -> subprocess.CompletedProcess[str]:
    tool = tool or find_tool("mlir-opt")
    assert tool, "the measure needs mlir-opt 22"
    return subprocess.run(
        [tool, *options],
        input=text,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=TIMEOUT,
        check=False,
    )


def ask_whole(text: str, pieces: list[Piece], forms: Mapping[str, list[str]], tool: str = "") -> list[Answer] | None:
    """The answers to the pieces of a text; None where they cannot be told apart."""
    texts: dict[str, list[str]] = {}
    errors: dict[int, tuple[int, str]] = {}
    for form, options in forms.items():
        try:
            done = _run(text, [*options, "--split-input-file"], tool)
        except subprocess.TimeoutExpired:
            return None
        parts = done.stdout.split(f"{SEPARATOR}\n")
        if len(parts) != len(pieces) or done.returncode not in (0, 1):
            return None
        texts[form] = parts
        if form == "custom":
            errors = dict(_errors_by_piece(done.stderr, pieces))
    given: list[Answer] = []
    for piece, printed in zip(pieces, zip(*texts.values(), strict=True), strict=True):
        if all(printed):
            given.append(_texts(printed))
        elif piece.number in errors:
            given.append(Answer(None, None, *errors[piece.number]))
        else:
            given.append(_ask_alone(piece, forms, tool))
    return given


def _errors_by_piece(stderr: str, pieces: list[Piece]) -> Iterator[tuple[int, tuple[int, str]]]:
    """The first error of each piece that has one."""
    seen: set[int] = set()
    for line, text in errors_in(stderr):
        piece = next((piece for piece in reversed(pieces) if piece.line < line), None)
        if piece is not None and piece.number not in seen:
            seen.add(piece.number)
            yield piece.number, (line - piece.line, text)


def _texts(printed: Sequence[str]) -> Answer:
    return Answer(printed[0], printed[1] if len(printed) > 1 else None)


def _ask_alone(piece: Piece, forms: Mapping[str, list[str]], tool: str = "") -> Answer:
    texts: list[str] = []
    for options in forms.values():
        try:
            done = _run(piece.text, options, tool)
        except subprocess.TimeoutExpired:
            return Answer(None, None, 0, "")
        if done.returncode:
            return Answer(None, None, *next(errors_in(done.stderr), (0, "")))
        texts.append(done.stdout)
    return _texts(texts)


def errors_in(stderr: str) -> Iterator[tuple[int, str]]:
    """Line (from 1, 0 where there is none) and text of each error, in mlir-opt's form."""
    for match in _ERROR.finditer(stderr):
        yield int(match[1] or 0), match[2]
