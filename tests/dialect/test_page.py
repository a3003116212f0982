"""`docs/own-dialect.md`, followed to the letter: its files are written, its commands run, and each says what the page
shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.running import fathom

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "own-dialect.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"([Ff]ile|Add to)\s+`([\w.]+)`")
MISTAKE = re.compile(r"Write\s+`([^`]+)` in place of `([^`]+)`")


def shown(command: str) -> str:
    """What a command prints, without blanks at the ends of lines."""
    _, out, error = fathom(*command.split()[1:])
    return "".join(f"{line.rstrip()}\n" for line in (out.rstrip("\n") + "\n" + error).strip("\n").splitlines())


def check_block(folder: Path, before: str, kind: str, block: str) -> None:
    """One block of the page, with the text that stands before it."""
    if kind != "console":
        how, name = FILE.findall(before)[-1]
        file = folder / name
        file.write_text(block if how != "Add to" else f"{file.read_text('utf-8')}\n\n{block}", encoding="utf-8")
        return
    command, _, expected = block.partition("\n")
    for wrong, right in MISTAKE.findall(before):
        code = (folder / "toy.py").read_text("utf-8")
        assert right in code
        (folder / "toy.py").write_text(code.replace(right, wrong), encoding="utf-8")
    assert shown(command.removeprefix("$ ")) == expected


def test_the_page_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    start = 0
    blocks = list(BLOCK.finditer(PAGE))
    for block in blocks:
        check_block(tmp_path, PAGE[start : block.start()], block[1], block[2])
        start = block.end()
    assert sum(block[1] == "console" for block in blocks) == 8
