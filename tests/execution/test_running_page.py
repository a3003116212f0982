"""The examples of docs/running.md print what is shown there."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest

from fathom.cli import main

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = re.findall(
    r"^```\n\$ fathom (.*)\n((?:.*\n)*?)```$", (ROOT / "docs" / "running.md").read_text(encoding="utf-8"), re.MULTILINE
)


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_example(command: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    stdout, stderr = io.StringIO(), io.StringIO()
    status = main(shlex.split(command), io.StringIO(), stdout, stderr)
    assert (status, stdout.getvalue(), stderr.getvalue()) == (0, shown, "")


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 3
