"""mlir-opt 22 as a stranger gives the stages and maps of our own passes; `tests/hunts/strangers.py` has many more."""

from __future__ import annotations

import pytest

from tests.hunts.strangers import FEWER, PIPELINES, differences
from tests.oracles import require_tool
from tests.server.client import ROOT


def check_same(name: str, pipeline: str) -> None:
    text = (ROOT / "examples" / name).read_text("utf-8")
    found = [*differences(name, text, pipeline, require_tool("mlir-opt"))]
    assert len(found) > 2
    assert not [difference for difference in found if difference is not None and difference.kind != FEWER]


@pytest.mark.parametrize(
    ("name", "pipeline"), [("gcd.mlir", PIPELINES[1]), ("saxpy.mlir", PIPELINES[5]), ("gcd.mlir", PIPELINES[0])]
)
def test_a_stranger_gives_the_same(name: str, pipeline: str) -> None:
    check_same(name, pipeline)
