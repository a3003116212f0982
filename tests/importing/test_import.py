"""LLVM IR as the LLVM dialect: what mlir-translate makes of it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from fathom.cli import translate
from fathom.cli.streams import Streams
from tests.importing.goldens import SOURCES, golden, golden_path, options


def imported(text: str, *arguments: str) -> tuple[str, str]:
    """What the command prints for a text, and what it says."""
    out, said = io.StringIO(), io.StringIO()
    translate.main(arguments, Streams(io.StringIO(text), out, said))
    return out.getvalue(), said.getvalue()


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_fixtures(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    assert golden(*imported(text, *options(text))) == golden_path(source).read_text(encoding="utf-8")


def test_a_mistake_is_shown_where_it_was_made() -> None:
    text = "define i32 @f() {\n  ret i64 0\n}\n"
    _, said = imported(text, "--import-llvm")
    assert said == "<stdin>:2:7: error: value doesn't match function result type 'i32'\n  ret i64 0\n      ^\n"
