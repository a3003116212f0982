"""The stand-ins behave as the programs do: descriptors, folder, arguments and exit status are the caller's."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.suite import execute


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    work = tmp_path_factory.mktemp("suite")
    (work / "tools").mkdir()
    with execute.stand_ins(work, work / "tools"):
        yield work / "tools"


def call(tool: Path, *arguments: str, text: str = "", folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [tool, *arguments], input=text, capture_output=True, text=True, cwd=folder, check=False, timeout=600
    )


def test_text_goes_in_and_out(tools: Path) -> None:
    done = call(tools / "mlir-opt", text="func.func private @f()")
    assert (done.stdout, done.stderr, done.returncode) == ("module {\n  func.func private @f()\n}\n\n", "", 0)


def test_a_refusal_is_told_with_its_status(tools: Path) -> None:
    done = call(tools / "mlir-opt", text="func.func")
    assert done.returncode == 1
    assert done.stdout == "" and "error: " in done.stderr


def test_files_are_looked_for_in_the_folder_of_the_caller(tools: Path, tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text("module @here {\n}\n")
    assert "module @here" in call(tools / "mlir-cat", "a.mlir", folder=tmp_path).stdout


def test_each_tool_is_fathoms(tools: Path) -> None:
    for tool, command in (("mlir-opt", "opt"), ("mlir-translate", "translate"), ("mlir-runner", "run")):
        assert f"usage: fathom {command}" in call(tools / tool, "--help").stdout


def test_a_crash_is_no_refusal(tools: Path) -> None:
    """A call that the parent does not know ends its child with an exception."""
    client = tools / "unknown"
    client.write_text((tools / "mlir-opt").read_text().replace('"mlir-opt"', '"unknown"'))
    client.chmod(0o755)
    done = call(client)
    assert done.returncode < 0
    assert "KeyError: 'unknown'" in done.stderr
