"""The recipe for a new operation in `docs/contributing.md`, followed to the letter: one folder, and it works."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECIPE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8").partition("## A new pass")[0]

EDITOR = """
import asyncio
from fathom_server.session.session import Session

published = []
async def main():
    session = Session(lambda opened: published.append(opened), lambda opened: None)
    session.open("file:///x.mlir", 1, {text!r})
    opened = published[-1]
    print([found.message for known in opened.findings.mistakes.values() for found in known.all])
    session.shutdown()
asyncio.run(main())
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of dialects that has the recipe's files, and no others."""
    for path, text in re.findall(r"`lowering/fathom/dialects/([\w/.]+)`:\n\n```\w+\n(.*?)```", RECIPE, re.DOTALL):
        target = tmp_path / path
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return tmp_path


def run(folder: Path, code: str, text: str = "", *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs code in a process of its own, which finds the dialects of the folder beside those of the library."""
    begin = f"import sys, fathom.dialects as d; d.__path__.append({str(folder)!r})\n"
    return subprocess.run(
        [sys.executable, "-c", begin + code, *arguments], input=text, capture_output=True, text=True, check=False
    )


OPT = "import fathom.cli as cli; sys.exit(cli.main(sys.argv[1:], sys.stdin, sys.stdout, sys.stderr))"


def test_the_command_line_reads_folds_and_prints_it(folder: Path) -> None:
    given, expected = re.findall(r"```mlir\n(.*?)```", RECIPE, re.DOTALL)
    found = run(folder, OPT, given, "opt", "--canonicalize", "-")
    assert found.stdout == expected, found.stderr


def test_its_mistakes_are_found(folder: Path) -> None:
    text = "func.func @f(%a: f32) {\n  %0 = tally.total of %a : f32\n  return\n}\n"
    message = "custom op 'tally.total' invalid kind of type specified: expected builtin.integer, but found 'f32'"
    assert message in run(folder, OPT, text, "opt", "-").stderr
    single = "func.func @f(%a: i32) {\n  %0 = tally.total of %a : i32\n  return\n}\n"
    assert "'tally.total' op expects several values to sum up" in run(folder, OPT, single, "opt", "-").stderr
    unknown = "%0 = tally.product : i32\n"
    assert "custom op 'tally.product' is unknown" in run(folder, OPT, unknown, "opt", "-").stderr


def test_the_editor_knows_it(folder: Path) -> None:
    given = re.findall(r"```mlir\n(.*?)```", RECIPE, re.DOTALL)[0]
    assert run(folder, EDITOR.format(text=given)).stdout == "[]\n"
    wrong = run(folder, EDITOR.format(text=given.replace("of %a, %0", "of %a, %a, %b")))
    assert "use of undeclared SSA value name" in wrong.stdout, wrong.stderr
