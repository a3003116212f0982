"""Fathom in a real Kate, set up as docs/editors/kate.md says: `make kate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.clients.kate import Kate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXT = """\
func.func @square(%v: i32) -> i32 {
  %w = arith.muli %v, %v : i32
  return %w : i32
}
"""


@pytest.fixture
def kate(tmp_path: Path) -> Iterator[Kate]:
    program = tmp_path / "project" / "program.mlir"
    program.parent.mkdir()
    program.write_text(TEXT, encoding="utf-8")
    (program.parent / "fathom.toml").touch()
    started = Kate(tmp_path, program)
    try:
        yield started
    finally:
        started.close()


def test_a_session(kate: Kate, tmp_path: Path) -> None:
    opened = kate.wait(lambda: kate.sent("textDocument/didOpen"), "didOpen")[0]["params"]["textDocument"]
    assert (opened["languageId"], opened["text"]) == ("mlir", TEXT)
    (initialize,) = kate.sent("initialize")
    assert initialize["params"]["rootUri"] == (tmp_path / "project").as_uri()
    kate.wait(lambda: kate.told("textDocument/publishDiagnostics"), "diagnostics")
    assert kate.diagnostics() == []

    # A mistake that is typed is reported.
    kate.move_to("i32\n  return", 3)
    kate.press("Return")
    kate.type("%s  =  arith.ad")
    (mistake,) = kate.wait(kate.diagnostics, "the mistake")
    assert (mistake["message"].split("\n")[0], mistake["range"]["start"]) == (
        "custom op 'arith.ad' is unknown",
        {"line": 2, "character": 9},
    )

    # What is completed takes the place of what was typed.
    kate.await_window()
    assert "arith.addi" in [item["label"] for item in kate.answer("textDocument/completion")["items"]]
    kate.press("Return")
    kate.wait(lambda: "\n  %s  =  arith.addi\n" in kate.text(), "what was completed")
    kate.type(" %w, %w : i32")
    kate.wait(lambda: "%w, %w : i32" in kate.text() and not kate.diagnostics(), "no mistake")

    # What is formatted and renamed is what the server says.
    kate.press("Escape", "ctrl+t", "f")
    kate.wait(lambda: "\n  %s = arith.addi %w, %w : i32\n" in kate.text(), "the format")
    kate.move_to("%w = ", 1)
    kate.press("ctrl+alt+l")
    assert [place["range"]["start"]["line"] for place in kate.answer("textDocument/references")] == [1, 2, 2, 3]
    kate.press("F2")
    kate.await_window()
    kate.press("ctrl+a")
    kate.type("product")
    kate.press("Return")
    added = "  %s = arith.addi %w, %w : i32\n  return"
    kate.wait(lambda: kate.text() == TEXT.replace("  return", added).replace("%w", "%product"), "the new name")
