"""What `source.fixAll` makes where a document has more mistakes than it tries fixes for."""

from __future__ import annotations

import pytest

from fathom_server.features.assists import fix_all
from fathom_server.features.edits import Refusal, edited
from tests.server.fixture import snapshot_of

SUM = "func.func @{0}(%a: i32) -> i32 {{\n  %b = arith.addi %a %a : i32\n  return %b : i32\n}}\n"
OLD = "func.func @old(%a: f32) -> f32 {\n  %b = arith.maxf %a, %a : f32\n  return %b : f32\n}\n"
TEXT = SUM.format("f") + SUM.format("g") + OLD


def fixed(text: str) -> str:
    made = fix_all.fixed(snapshot_of(text))
    assert not isinstance(made, Refusal)
    return edited(text, made)


def test_the_first_are_mended_and_what_a_table_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fix_all, "MOST_FIXED", len(SUM) + len(SUM) // 2)
    first = fixed(TEXT)
    assert (first.count("%a, %a : i32"), first.count("maximumf")) == (1, 1)
    assert fixed(first) == TEXT.replace("%a %a", "%a, %a").replace("maxf", "maximumf")
