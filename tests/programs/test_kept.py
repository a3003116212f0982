"""A module that was compiled before, by whatever process, is not compiled again."""

from __future__ import annotations

from pathlib import Path

import pytest

import fathom
from fathom.kept.places import SWITCH
from fathom.programs import compiling

TEXT = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"


def test_what_was_compiled_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv(SWITCH, raising=False)
    asked = list[int]()
    ask = compiling.ask

    def noted(kind: int, text: str) -> str:
        asked.append(kind)
        return ask(kind, text)

    monkeypatch.setattr(compiling, "ask", noted)
    results = [call(TEXT), call(TEXT), call(TEXT.replace("addi", "muli")), call(TEXT, optimize=0)]
    assert (results, len(asked)) == ([14, 14, 49, 14], 3)
    monkeypatch.setenv(SWITCH, "off")
    assert (call(TEXT), len(asked)) == (14, 4)


def call(text: str, optimize: int = 2) -> object:
    with fathom.compile(text, optimize=optimize) as module:
        return module.f(7)
