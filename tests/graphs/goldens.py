"""The graphs of the fixtures in `tests/fixtures/graphs`, as text and in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.cli.running import fathom

FOLDER: Final = Path(__file__).resolve().parents[1] / "fixtures" / "graphs"
ASKED: Final[dict[str, tuple[str, ...]]] = {
    "branches.source.txt": ("branches.mlir", "--format=text"),
    "branches.source.dot": ("branches.mlir",),
    "branches.llvm-dialect.txt": ("branches.mlir", "--format=text", "--stage=llvm-dialect"),
    "branches.llvm-ir.txt": ("branches.mlir", "--format=text", "--stage=llvm-ir"),
    "structured.source.txt": ("structured.mlir", "--format=text"),
    "structured.source.dot": ("structured.mlir",),
    "structured.loops.txt": ("structured.mlir", "--format=text", "--kind=loops"),
    "structured.data-flow.txt": ("structured.mlir", "--format=text", "--kind=data-flow"),
    "model.data-flow.txt": ("model.mlir", "--format=text", "--kind=data-flow"),
    "model.data-flow.json": ("model.mlir", "--format=json", "--kind=data-flow"),
    "accesses.txt": ("accesses.mlir", "--format=text", "--kind=access"),
    "calls.source.txt": ("calls.mlir", "--format=text", "--kind=calls"),
}
"""The words of `fathom graph` that make each file."""


def made(name: str) -> str:
    """What the command prints for a golden."""
    file, *words = ASKED[name]
    status, stdout, stderr = fathom("graph", str(FOLDER / file), *words)
    assert (status, stderr) == (0, ""), stderr
    return stdout


def goldens() -> Iterator[tuple[Path, str]]:
    for name in ASKED:
        yield FOLDER / name, made(name)
