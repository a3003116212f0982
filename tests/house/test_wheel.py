"""The wheel contains all that Fathom needs: it works from an empty environment, outside of the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.oracles import missing

ROOT = Path(__file__).resolve().parents[2]
SAXPY = ROOT / "examples" / "saxpy.mlir"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def run(*command: str | Path, cwd: Path, text: str = "") -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(command, cwd=cwd, input=text, capture_output=True, encoding="utf-8", timeout=300, check=False)
    assert done.returncode == 0, f"{command}: exit status {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, as `python -m build` makes it: from the source archive, not from the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    assert len(list(folder.glob("fathom_mlir-*.tar.gz"))) == 1
    (built,) = folder.glob("fathom_mlir-*.whl")
    return built


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment in which the wheel, and what it asks for, are installed."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    binaries = folder / "bin"
    python = binaries / "python"
    # The lock file says which versions of what the wheel asks for; an index of packages must be in reach for them.
    done = subprocess.run(
        [*PIP, "--python", python, "install", "--quiet", "--no-compile", "--constraint", _constraints(folder), wheel],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode and "No matching distribution" in done.stderr:
        missing("an index of Python packages")
    assert done.returncode == 0, done.stderr
    return binaries


def _constraints(folder: Path) -> Path:
    """The versions of the lock file, without hashes: a wheel just built has none there."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(line.rstrip(" \\") for line in lines if "==" in line), encoding="utf-8")
    return constraints


def test_data_files_are_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    packages = (ROOT / "lowering" / "fathom", ROOT / "server" / "fathom_server")
    for package in packages:
        for path in package.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert str(path.relative_to(package.parent)) in names
    assert "fathom/examples/saxpy.mlir" in names
    assert not any(name.startswith(("tests", "benchmarks")) for name in names)


@pytest.mark.parametrize("command", ["opt", "translate", "run", "lsp", "demo"])
def test_every_command_shows_an_example(scripts: Path, tmp_path: Path, command: str) -> None:
    assert f"fathom {command}" in run(scripts / "fathom", command, "--help", cwd=tmp_path)


def test_help_names_the_commands(scripts: Path, tmp_path: Path) -> None:
    text = run(scripts / "fathom", "--help", cwd=tmp_path)
    assert all(command in text for command in ("opt", "translate", "run", "lsp", "demo"))


def test_opt_lowers(scripts: Path, tmp_path: Path) -> None:
    text = run(
        scripts / "fathom",
        "opt",
        "--convert-arith-to-llvm",
        cwd=tmp_path,
        text="func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n",
    )
    assert "llvm.add %arg0, %arg0 : i32" in text


def test_run_runs(scripts: Path, tmp_path: Path) -> None:
    (tmp_path / "saxpy.mlir").write_text(SAXPY.read_text(encoding="utf-8"), encoding="utf-8")
    assert float(run(scripts / "fathom", "run", "saxpy.mlir", cwd=tmp_path)) == 93.0


def test_demo_ends_quietly_when_nobody_reads(scripts: Path, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [scripts / "fathom", "demo"]
    done = subprocess.run(
        command, cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, encoding="utf-8", timeout=300, check=False
    )
    os.close(writing)
    assert "Traceback" not in done.stderr


def test_demo_plays(scripts: Path, tmp_path: Path) -> None:
    assert "saxpy" in run(scripts / "fathom", "demo", cwd=tmp_path)
