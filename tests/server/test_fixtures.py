"""Each feature on marked texts, held against the answers beside them; `make goldens` rewrites these."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom_server.lsp.table import REQUESTS
from tests.server.answers import AT_MARKS, OF_TEXTS
from tests.server.goldens import FOLDER, answer_to, fixtures, golden_of

OTHERWISE = {"lower": "actions", "actions_with_edits": "actions", "document_symbols": "outline", "across": "navigation"}
"""Features that are checked with another one."""


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_fixture(path: Path) -> None:
    assert golden_of(path).exists(), "there is no answer beside it: make goldens"
    assert answer_to(path) == golden_of(path).read_text(encoding="utf-8")


def test_every_feature_has_fixtures_and_every_answer_a_fixture() -> None:
    features = {row.module.rpartition(".")[2] for row in REQUESTS}
    assert {OTHERWISE.get(name, name) for name in features} <= {*AT_MARKS, *OF_TEXTS}
    assert {path.parent.name for path in fixtures()} == {*AT_MARKS, *OF_TEXTS}
    assert {golden_of(path) for path in fixtures()} == set(FOLDER.glob("*/*.expected"))
