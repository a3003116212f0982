"""What the section about the editor says, and where it stands in its page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.suite import editor
from tests.suite.answers import Answer, Piece
from tests.suite.editor import Found, known_section, section, write_section

OWN = Answer("", '"func.func"() : () -> ()\n')
FOREIGN = Answer("", '"func.func"() : () -> ()\n"foo.bar"() : () -> ()\n')
REJECTED = Answer(None, None, 1, "no")


def found(answer: Answer, error: str = "") -> Found:
    return Found(Piece("a.mlir", 0, 0, "text"), answer, 1, error)


def test_pieces_are_counted_by_what_mlir_opt_says_of_them() -> None:
    lines = section(
        [found(OWN), found(OWN, "use of '%a'"), found(FOREIGN), found(REJECTED, "no")],
        [found(OWN), found(OWN), found(FOREIGN, "unknown"), found(REJECTED)],
    )
    assert [line for line in lines if line.startswith("| ")][1:] == [
        "| `mlir-opt` accepts, of these dialects alone | 2 | 1 | 0 |",
        "| `mlir-opt` accepts, with other dialects | 1 | 0 | 1 |",
        "| `mlir-opt` rejects | 1 | 1 | 0 |",
        "| pieces | first error |",
        "| 1 | use of '…' |",
    ]


def test_section_stands_before_the_folders_and_takes_the_place_of_the_former(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "suite.md"
    monkeypatch.setattr(editor, "PAGE", page)
    page.write_text("# Tests\n\n## By folder\n\n| a |\n")
    assert known_section() == []
    for number in (1, 2):
        new = [editor.TITLE, "", f"{number} files", ""]
        write_section(new)
        assert known_section() == new
        assert page.read_text() == f"# Tests\n\n{editor.TITLE}\n\n{number} files\n\n## By folder\n\n| a |\n"
