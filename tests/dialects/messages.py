"""The first thing that is wrong with a text, and its line: in Fathom's words, which are to be MLIR's.

The texts stand in `tests/fixtures/dialects/messages/`, with `// -----` between them and `// error: …` in the line above
the mistake.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from fathom.context import default_context
from fathom.elaborate import load
from fathom.verify.verifier import verify
from tests.oracles import run_tool

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "dialects" / "messages"
SEPARATOR = "// -----\n"
ERROR = re.compile(r"^// error: (.*)$", flags=re.MULTILINE)


Error = tuple[int, str]
"""The line of an error, from 0, and its text."""


def fixtures() -> list[str]:
    """The names of the fixtures, which are those of dialects."""
    return sorted(path.stem for path in FIXTURES.glob("*.mlir"))


def pieces(dialect: str) -> list[tuple[str, Error]]:
    """The texts of a fixture, each with its error."""
    text = (FIXTURES / f"{dialect}.mlir").read_text(encoding="utf-8")
    found: list[tuple[str, Error]] = []
    for piece in text.split(SEPARATOR):
        error = ERROR.search(piece)
        assert error is not None, f"a piece of {dialect}.mlir says no error:\n{piece}"
        found.append((piece, (piece.count("\n", 0, error.end()) + 1, error[1])))
    return found


def first_error(text: str) -> Error | None:
    """The first error of parsing, or else of verification; None for a text without."""
    loaded = load(text)
    errors = [diagnostic for diagnostic in loaded.diagnostics if diagnostic.severity == "error"]
    if not errors:
        found = verify(loaded.module, context=default_context())
        errors += [diagnostic for diagnostic in found if diagnostic.severity == "error"]
    if not errors:
        return None
    span = errors[0].span
    return (text.count("\n", 0, span.start) if span is not None else 0), errors[0].message


def agrees_with_oracle(texts: Sequence[tuple[str, Error]]) -> None:
    """mlir-opt 22 refuses each text with its message; all of them are asked in one run."""
    options = ["--split-input-file", "--allow-unregistered-dialect"]
    answer = run_tool("mlir-opt", options, SEPARATOR.join(text for text, _ in texts))
    starts = [0]
    for text, _ in texts:
        starts.append(starts[-1] + text.count("\n") + 1)
    found: dict[int, Error] = {}
    for line, message in re.findall(r"^\S*?:(\d+):\d+: error: (.*)$", answer.stderr, flags=re.MULTILINE):
        piece = max(index for index, start in enumerate(starts) if start < int(line))
        found.setdefault(piece, (int(line) - 1 - starts[piece], message))
    assert [found.get(index) for index in range(len(texts))] == [error for _, error in texts]
