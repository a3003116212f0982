"""What assists make of the fixtures in `tests/fixtures/features/assists` is the same program for mlir-opt, and has all
comments that the text had."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fathom_server.features.actions import LOWER, actions_at, edit_of
from fathom_server.features.edits import Refusal, edited
from tests.oracles import run_tool
from tests.server.fixture import marked_snapshot
from tests.server.goldens import FOLDER

GENERIC = ("--split-input-file", "--allow-unregistered-dialect", "--mlir-print-op-generic", "--mlir-print-local-scope")
OTHER_PROGRAMS = ("splitDocument", "joinParts")
"""Assists that change what belongs together, which the tool prints."""


@pytest.mark.parametrize("path", sorted((FOLDER / "assists").glob("*.mlir")), ids=lambda path: path.stem)
def test_the_program_and_its_comments_stay(path: Path) -> None:
    snapshot, offsets = marked_snapshot(path.read_text(encoding="utf-8"))
    text = snapshot.tree.text
    before = run_tool("mlir-opt", GENERIC, text)
    for start, end in zip(offsets[::2], offsets[1::2], strict=True):
        for action in actions_at(snapshot, start, end, ()):
            if action.later is None or action.later.name == LOWER:
                continue
            made = edit_of(snapshot, action.later)
            if isinstance(made, Refusal):
                continue
            assert made == sorted(made, key=lambda each: each.start)
            after = edited(text, made)
            if action.later.name not in ("splitDocument", "joinParts", "fixAll"):
                assert comments(after) == comments(text), action.title
            if before.status == 0 and action.later.name not in OTHER_PROGRAMS:
                answer = run_tool("mlir-opt", GENERIC, after)
                assert (answer.status, answer.stdout) == (0, before.stdout), f"{action.title}: {after}{answer.stderr}"


def comments(text: str) -> list[str]:
    return sorted(re.findall(r"// ?[^\n]*", text))
