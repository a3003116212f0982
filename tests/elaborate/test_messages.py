"""Mistakes that Fathom reports where they can be mended, unlike MLIR. What both report alike is in `tests/verify`."""

from __future__ import annotations

import pytest

from fathom.diagnostics import UNCLOSED
from fathom.elaborate import load
from tests.verify.findings import findings


def test_a_region_that_stays_open_is_reported_at_its_brace() -> None:
    """MLIR reports the end of the file, where nothing can be mended."""
    message = "error: expected '}' to close the region that begins here"
    assert findings("func.func @f() {\n  return\n") == [f"1:16: {message}"]
    assert findings("module @m {\nfunc.func @f() {\n  return\n}\n") == [f"1:11: {message}"]


def test_a_body_of_which_nothing_can_be_read_is_not_called_empty() -> None:
    assert findings("func.func @f() {\n  ^^^\n}\n") == ["2:3: error: invalid block name"]


@pytest.mark.parametrize(
    "marked",
    [
        "func.func @f(%c: i1) {\n  scf.if %c <|>{\n    func.call @g() : () -> ()\n  return\n}\n",
        "func.func @f(%c: i1) {\n  scf.if %c {\n    scf.if %c <|>{\n  } else {\n  }\n  return\n}\n",
        "module {\n  func.func @f(%c: i1) {\n    scf.if %c <|>{\n    return\n  }\n}\n",
        "module {\n  module @a <|>{\n  func.func private @f()\n}\n",
        "module <|>{\nmodule @a {\nfunc.func private @f()\n}\n",
        "func.func @f(%c: i1) <|>{\nscf.if %c {\nreturn\n}\n",
    ],
)
def test_the_brace_that_is_missing_is_found_by_indentation(marked: str) -> None:
    """Where there is none, the outermost region that stays open is reported."""
    text = marked.replace("<|>", "")
    place = marked.index("<|>")
    for following in ("", "\nfunc.func @g() {\n  return\n}\n"):
        diagnostics = [d for d in load(text + following).diagnostics if d.code == UNCLOSED]
        assert [d.span and d.span.start for d in diagnostics] == [place]
