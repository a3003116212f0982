"""`fathom timeline`: what is listed of a log, and what is shown of one dump."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import fathom

LOG = """\
building
// -----// IR Dump After Canonicalizer (canonicalize) //----- //
func.func @f() {
  return
}

// -----// IR Dump After CSE (cse) //----- //
func.func @f() {
  return
}

// -----// IR Dump After Inliner Failed (inline) //----- //
func.func @f() {
  func.return
}
"""


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "log.txt"
    path.write_text(LOG)
    return str(path)


def check_timeline(arguments: list[str], status: int, stdout: str, stderr: str = "", text: str = "") -> None:
    ended, out, err = fathom("timeline", *arguments, text=text)
    assert (ended, [line.split() for line in out.splitlines()], err) == (
        status,
        [line.split() for line in stdout.splitlines()],
        stderr,
    )


def test_passes_that_changed_nothing_are_folded_away(log: str) -> None:
    first = "1 canonicalize func.func @f line 2\n"
    last = "3 inline func.func @f failed, line 12\n"
    check_timeline([log], 0, f"{first}1 that changed nothing\n{last}")
    check_timeline(["--all", log], 0, f"{first}2 cse func.func @f unchanged, line 7\n{last}")
    check_timeline([], 0, f"{first}1 that changed nothing\n{last}", text=LOG)


def test_one_dump_is_shown_or_what_differs_in_it(log: str) -> None:
    check_timeline(["--show=2", log], 0, "func.func @f() {\n  return\n}\n")
    check_timeline(
        ["--diff=3", "--since=1", log],
        0,
        "--- dump 1\n+++ dump 3\n@@ -1,3 +1,3 @@\n func.func @f() {\n-  return\n+  func.return\n }\n",
    )
    check_timeline(["--diff=3", "--since=1", "--by-operation", log], 0, "changed\n  - return\n  + func.return\n")
    check_timeline(
        ["--diff=3", log],
        0,
        "--- dump 2\n+++ dump 3\n@@ -1,3 +1,3 @@\n func.func @f() {\n-  return\n+  func.return\n }\n",
    )
    check_timeline(["--diff=2", log], 0, "")


def test_a_list_for_programs(log: str) -> None:
    _, out, _ = fathom("timeline", "--json", log)
    rows = [json.loads(line) for line in out.splitlines()]
    assert [(row["number"], row["pass"], row["outcome"], row["changed"], row["line"]) for row in rows] == [
        (1, "canonicalize", "", True, 2),
        (2, "cse", "unchanged", False, 7),
        (3, "inline", "failed", True, 12),
    ]


def test_what_is_wrong_is_said(log: str, tmp_path: Path) -> None:
    check_timeline(["--show=4", log], 1, "", f"fathom timeline: {log}: there is no dump 4; there are 3\n")
    check_timeline([], 1, "", "fathom timeline: <stdin>: there is no dump of IR\n", text="nothing")
    gone = str(tmp_path / "gone")
    check_timeline([gone], 1, "", f"cannot open input file '{gone}': No such file or directory\n")
