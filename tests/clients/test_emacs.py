"""Fathom in a real Emacs, set up as docs/editors/emacs.md says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.oracles import missing, require_program

REPOSITORY = Path(__file__).parents[2]
TEXT = """\
func.func @square(%v: f32) -> f32 {
  %w = arith.mulf %v, %v : f32
  return %w : f32
}
"""


def init() -> str:
    """The first example of the page."""
    page = (REPOSITORY / "docs" / "editors" / "emacs.md").read_text(encoding="utf-8")
    match = re.search(r"^```elisp\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert match is not None
    return match[1]


def played(directory: Path) -> dict[str, Any]:
    """What each step of the session said."""
    emacs = require_program("emacs")
    has_eglot = [emacs, "--batch", "--eval", "(require 'eglot)"]
    if subprocess.run(has_eglot, capture_output=True, check=False).returncode != 0:
        missing("Eglot (Emacs 29, or Debian's elpa-eglot)")
    (directory / "init.el").write_text(init(), encoding="utf-8")
    program = directory / "program.mlir"
    program.write_text(TEXT, encoding="utf-8")
    command = directory / "bin" / "fathom"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m fathom.cli "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    environment = {
        **os.environ,
        "HOME": str(directory),
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(str(REPOSITORY / root) for root in ("lowering", "server")),
    }
    session = REPOSITORY / "tests" / "clients" / "session.el"
    done = subprocess.run(
        [emacs, "--batch", "-l", str(directory / "init.el"), "-l", str(session), str(program)],
        cwd=directory,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said: dict[str, Any] = {}
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            said |= json.loads(line)
    return said


def test_a_session_with_eglot(tmp_path: Path) -> None:
    said = played(tmp_path)
    assert said["mode"] == "mlir-mode"
    assert said["definition"] == 2
    assert "f32" in said["hover"]
    assert said["completion"] is True
    assert said["completed"] == ["  %x = arith.remui", "  %x = arith.add", "  return"]
    assert said["renamed"] == said["formatted"] == TEXT.replace("%w", "%renamed")
    assert any("arith.mulg" in message for message in said["diagnostics"])
