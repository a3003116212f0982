"""The first thing that is wrong with a text, and its line: in Fathom's words, which are to be MLIR's.

The texts stand in `tests/fixtures/dialects/messages/`, with `// -----` between them and `// error: …` in the line above
the mistake.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from tests.verify.findings import SEPARATOR, findings, oracle_findings

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "dialects" / "messages"
ERROR = re.compile(r"^// error: (.*)$", flags=re.MULTILINE)


Error = tuple[int, str]
"""The line of an error, from 0, and its text."""


def fixtures() -> list[str]:
    """The names of the fixtures, which are those of dialects for the most part."""
    return sorted(path.stem for path in FIXTURES.glob("*.mlir"))


def pieces(dialect: str) -> list[tuple[str, Error]]:
    """The texts of a fixture, each with its error."""
    text = (FIXTURES / f"{dialect}.mlir").read_text(encoding="utf-8")
    pairs: list[tuple[str, Error]] = []
    for piece in text.split(SEPARATOR):
        error = ERROR.search(piece)
        assert error is not None, f"a piece of {dialect}.mlir says no error:\n{piece}"
        pairs.append((piece, (piece.count("\n", 0, error.end()) + 1, error[1].rstrip())))
    return pairs


def first_error(text: str) -> Error | None:
    """The first error of parsing, or else of verification; None for a text without."""
    return _error(findings(text))


def agrees_with_oracle(texts: Sequence[tuple[str, Error]]) -> None:
    """mlir-opt 22 refuses each text with its message; all of them are asked in one run."""
    of_oracle = oracle_findings([text for text, _ in texts])
    assert [_error(lines) for lines in of_oracle] == [error for _, error in texts]


def _error(lines: Sequence[str]) -> Error | None:
    """The first of some findings, `2:8: error: …`."""
    if not lines:
        return None
    line, _, rest = lines[0].partition(":")
    return int(line) - 1, rest.partition(": error: ")[2]
