"""What holds for the files of the project themselves."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [path for folder in ("lowering", "server") for path in sorted((ROOT / folder).rglob("*.py"))]


def pinned(lock: str) -> set[str]:
    """The names of the packages that a lock file pins."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return {match[1].lower().replace("_", "-") for match in re.finditer(r"^([\w.-]+)==", text, re.MULTILINE)}


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-check.lock"])
def test_lock_files_name_no_index(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index-url" not in text
    assert all("--hash=sha256:" in block for block in re.split(r"\n(?=\S)", text.strip()))


def test_lock_files_pin_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    wanted = {
        "requirements.lock": project["project"]["dependencies"] + groups["test"],
        "requirements-check.lock": groups["check"],
    }
    for lock, requirements in wanted.items():
        names = {re.split(r"[^\w.-]", requirement)[0].lower() for requirement in requirements}
        assert names <= pinned(lock)


def test_nothing_is_a_stub() -> None:
    unfinished = re.compile(r"NotImplementedError|\b(TODO|FIXME|XXX)\b")
    assert [path for path in SOURCES if unfinished.search(path.read_text(encoding="utf-8"))] == []


def test_every_module_opens_with_its_promise() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        if (text := path.read_text(encoding="utf-8").strip()) and not text.startswith(('"""', 'r"""'))
    ]
    assert silent == []


def test_continuous_integration_is_executable() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
