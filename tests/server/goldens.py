"""The goldens of features: what each answers about the fixtures in `tests/fixtures/features/FEATURE/`.

They hold Fathom's own answers, since there is no other tool to ask: read the diff as a person who asks would.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.server import llvm_answers
from tests.server.answers import AT_MARKS, OF_TEXTS, render

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "features"


def fixtures() -> list[Path]:
    """The marked texts; each stands in the folder of the feature that is asked about it."""
    texts = [path for feature in (*AT_MARKS, *OF_TEXTS) for path in (FOLDER / feature).glob("*.mlir")]
    llvm_ir = [path for feature in llvm_answers.FEATURES for path in (FOLDER / feature).glob("*.ll")]
    return sorted((*texts, *llvm_ir))


def golden_of(path: Path) -> Path:
    """The file beside a fixture with what is answered."""
    return path.with_suffix(".expected")


def answer_to(path: Path) -> str:
    if path.suffix == ".ll":
        return llvm_answers.render(path.parent.name, path.read_text(encoding="utf-8"))
    return render(path.parent.name, path.read_text(encoding="utf-8"))


def goldens() -> Iterator[tuple[Path, str]]:
    for path in fixtures():
        yield golden_of(path), answer_to(path)
