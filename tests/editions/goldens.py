"""What becomes of the examples of old documents: Fathom's own answers, which the tests hold against MLIR's tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.editions.documents import EXAMPLES, example, lowered_path, lowered_text, modernised_text


def goldens() -> Iterator[tuple[Path, str]]:
    for path in EXAMPLES:
        of = example(path)
        yield path.with_suffix(".out"), modernised_text(of.text)
        yield lowered_path(path, of), lowered_text(of)
