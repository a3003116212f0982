"""`fathom cache`: where code is kept, how much of it there is, and its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.kept.folder import Kept, name_of
from fathom.kept.places import SWITCH
from tests.cli.running import fathom
from tests.cli.test_run_kept import kept

__all__ = ["kept"]


def check_said(expected: str, *arguments: str) -> None:
    assert fathom("cache", *arguments) == (0, expected, "")


def test_how_much_there_is_and_its_end(kept: Kept, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "fathom" / "code"
    check_said(f"{folder}: 0 entries, 0.0 KiB, of at most 256 MiB\n")
    kept.put(name_of("a"), bytes(2000))
    check_said(f"{folder}: 1 entry, 2.0 KiB, of at most 256 MiB\n")
    kept.put(name_of("b"), bytes(3 << 20))
    check_said(f"{folder}: 2 entries, 3.0 MiB, of at most 256 MiB\n")
    check_said(f"removed 2 entries, 3.0 MiB from {folder}\n", "--clear")
    check_said(f"{folder}: 0 entries, 0.0 KiB, of at most 256 MiB\n")


def test_why_nothing_is_kept(kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cache" / "fathom" / "code"
    folder.chmod(0o777)
    said = f"fathom cache: error: nothing is kept: the folder '{folder}' may be changed by others\n"
    assert fathom("cache") == (1, "", said)
    monkeypatch.setenv(SWITCH, "off")
    check_said("nothing is kept: FATHOM_CACHE says so\n")
