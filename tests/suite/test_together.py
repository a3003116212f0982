"""mlir-opt's answers about many files at once are those about each alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracles import require_tool
from tests.suite.answers import ALLOW, Piece, answers, is_remembered, split
from tests.suite.together import ask_together

FORMS = {"custom": [ALLOW, "--cse", "--mlir-disable-threading"]}
RIGHT = "func.func private @f()\n// -----\n#map = affine_map<(d0) -> (d0)>\nfunc.func private @g(memref<4xf32, #map>)\n"
WRONG = "func.func private @f()\n// -----\nfunc.func @g() {\n  return %x : i32\n}\n"
NAMED = 'func.func private @f(!llvm.struct<"a", (i32)>)\n'


def files() -> list[list[Piece]]:
    return [split(f"{number}.mlir", text) for number, text in enumerate((RIGHT, WRONG, NAMED, RIGHT + "\n"))]


def test_answers_about_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_tool("mlir-opt")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "alone"))
    alone = [answers(pieces, FORMS) for pieces in files()]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "together"))
    ask_together(files(), FORMS)
    # A named type would be the same for all.
    assert [is_remembered(pieces, FORMS) for pieces in files()] == [True, True, False, True]
    assert [answers(pieces, FORMS) for pieces in files()] == alone
