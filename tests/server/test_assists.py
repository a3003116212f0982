"""What assists make of the fixtures in `tests/fixtures/features/assists` is the same program for mlir-opt, and has all
comments that the text had; what they write for other tools, these accept."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from fathom.pipeline.run_lines import run_lines
from fathom_server.features.actions import LOWER, Action, actions_at, edit_of
from fathom_server.features.edits import Refusal, edited
from tests.oracles import Answer, require_tool, run_tool
from tests.server.fixture import marked_snapshot
from tests.server.goldens import FOLDER

PARTS = ("--split-input-file", "--allow-unregistered-dialect")
GENERIC = (*PARTS, "--mlir-print-op-generic", "--mlir-print-local-scope")
OTHER_TEXTS = ("lowerHere", "removeUnused", "splitDocument", "joinParts", "extractFunction", "inlineCall")
"""Assists after which the tool prints another text, though the program does the same."""
OTHER_COMMENTS = ("removeUnused", "splitDocument", "joinParts", "fixAll", "inlineCall", "expectedChecks", "writeChecks")

FIXTURES = pytest.mark.parametrize("path", sorted((FOLDER / "assists").glob("*.mlir")), ids=lambda path: path.stem)


def made_of(path: Path) -> Iterator[tuple[str, Action, str]]:
    """The text of a fixture, each assist that is offered at its marks, and the text after it."""
    snapshot, offsets = marked_snapshot(path.read_text(encoding="utf-8"))
    text = snapshot.tree.text
    for number, (start, end) in enumerate(zip(offsets[::2], offsets[1::2], strict=True)):
        for action in actions_at(snapshot, start, end, ("refactor", "quickfix") if number else ()):
            if action.later is None or action.later.name == LOWER:
                continue
            made = edit_of(snapshot, action.later)
            if not isinstance(made, Refusal):
                assert made == sorted(made, key=lambda replacement: replacement.start)
                yield text, action, edited(text, made)


def name_of(action: Action) -> str:
    return action.later.name if action.later is not None else ""


@cache
def before_of(text: str) -> Answer:
    """What mlir-opt says of a text, which several assists change."""
    return run_tool("mlir-opt", GENERIC, text)


@FIXTURES
def test_the_program_and_its_comments_stay(path: Path) -> None:
    for text, action, after in made_of(path):
        name = name_of(action)
        if name not in OTHER_COMMENTS:
            assert comments(after) == comments(text), action.title
        before = before_of(text)
        if before.status == 0:
            answer = run_tool("mlir-opt", GENERIC, after)
            assert answer.status == 0, f"{action.title}: {after}{answer.stderr}"
            assert name in OTHER_TEXTS or answer.stdout == before.stdout, f"{action.title}: {after}"


def comments(text: str) -> list[str]:
    return sorted(re.findall(r"// ?[^\n]*", text))


def texts_after(name: str, fixture: str) -> list[str]:
    results = [after for _, action, after in made_of(FOLDER / "assists" / fixture) if name_of(action) == name]
    assert results
    return results


def test_expectations_are_those_of_mlir_opt() -> None:
    for after in texts_after("expectedChecks", "expected.mlir"):
        answer = run_tool("mlir-opt", ("--split-input-file", "--verify-diagnostics"), after)
        assert answer.status == 0, answer.stderr


def test_checks_pass_with_mlir_opt(tmp_path: Path) -> None:
    tools = {"mlir-opt": require_tool("mlir-opt"), "FileCheck": require_tool("FileCheck")}
    for after in texts_after("writeChecks", "checks.mlir"):
        file = tmp_path / "checks.mlir"
        file.write_text(after, encoding="utf-8")
        (line,) = run_lines(after.splitlines(keepends=True))
        printed = b""
        for command in line.commands:
            words = [str(file) if word.text == "%s" else word.text for word in command.words]
            words[0] = tools[words[0]]
            done = subprocess.run(words, input=printed, capture_output=True, check=False)
            assert done.returncode == 0, done.stderr.decode()
            printed = done.stdout
