"""The first thing that is wrong with a text: in Fathom's words, which are to be MLIR's.

The texts stand in `tests/fixtures/dialects/messages/`, with `// -----` between them and `// error: …` inside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from fathom.elaborate import load
from fathom.verify.verifier import verify
from tests.oracles import run_tool

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "dialects" / "messages"
SEPARATOR = "// -----\n"
ERROR = re.compile(r"^// error: (.*)$", flags=re.MULTILINE)


def pieces(dialect: str) -> list[tuple[str, str]]:
    """The texts of a fixture, each with its message."""
    text = (FIXTURES / f"{dialect}.mlir").read_text(encoding="utf-8")
    found: list[tuple[str, str]] = []
    for piece in text.split(SEPARATOR):
        error = ERROR.search(piece)
        assert error is not None, f"a piece of {dialect}.mlir says no error:\n{piece}"
        found.append((piece, error[1]))
    return found


def first_message(text: str) -> str:
    """The first error of parsing, or else of verification; empty for a text with none."""
    loaded = load(text)
    errors = [diagnostic for diagnostic in loaded.diagnostics if diagnostic.severity == "error"]
    errors += [] if errors else [found for found in verify(loaded.module) if found.severity == "error"]
    return errors[0].message if errors else ""


def agrees_with_oracle(texts: Sequence[tuple[str, str]]) -> None:
    """mlir-opt 22 refuses each text with its message; all of them are asked in one run."""
    answer = run_tool("mlir-opt", ["--split-input-file"], SEPARATOR.join(text for text, _ in texts))
    starts = [0]
    for text, _ in texts:
        starts.append(starts[-1] + text.count("\n") + 1)
    found: dict[int, str] = {}
    for line, message in re.findall(r"^\S*?:(\d+):\d+: error: (.*)$", answer.stderr, flags=re.MULTILINE):
        piece = max(index for index, start in enumerate(starts) if start < int(line))
        found.setdefault(piece, message)
    assert [found.get(index, "") for index in range(len(texts))] == [message for _, message in texts]
