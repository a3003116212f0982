"""Other names for those in the examples and fixtures, as `tests.suite.rename` gives them in MLIR's own tests."""

from __future__ import annotations

from tests.oracles import require_tool
from tests.server.client import ROOT
from tests.suite.rename import measure

FOLDERS = ("examples", "tests/fixtures/passes", "tests/fixtures/dialects")


def test_mlir_opt_reads_what_comes_of_other_names() -> None:
    require_tool("mlir-opt")
    paths = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.mlir"))
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    outcomes = list(measure(texts, 20, seed=1))
    assert len(outcomes) == 20
    assert [outcome for outcome in outcomes if outcome.reason] == []
