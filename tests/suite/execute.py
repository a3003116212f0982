"""Runs tests of MLIR's suite by lit, with Fathom's tools (or the real ones) under the names of MLIR's."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.suite import definitions

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LLVM = Path("/usr/lib/llvm-22")
STAND_INS = ("fathom", "mlir-opt", "mlir-translate", "mlir-runner", "mlir-cat")
PREFIXES = ("mlir-", "tblgen-")
"""How the names of MLIR's own tools begin: those that Fathom does not stand in for are there in the real run alone."""
TIMEOUT = 60
REAL_TIMEOUT = 600
"""Seconds for one test, all its commands together; MLIR's own tools are not to lose one because the machine is busy."""
WORKERS = 2


class NoTools(Exception):
    """A tool that the suite needs is not installed."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a test, and for one that fails what lit printed of it."""

    test: str
    passed: bool
    output: str
    seconds: float


def run(mlir: Path, tests: Sequence[str], *, real: bool = False, workers: int = WORKERS) -> list[Result]:
    """A result for each of `tests` that lit finds, in their order. `real` takes MLIR's own tools.

    Raises NoTools where LLVM's tools are missing.
    """
    for tool in ("FileCheck", "not", "count", "split-file"):
        if not (LLVM / "bin" / tool).exists():
            raise NoTools(f"the suite needs {tool} of LLVM 22 (Debian's llvm-22-tools)")
    with tempfile.TemporaryDirectory(prefix="fathom-suite-") as folder:
        work = Path(folder)
        tools = work / "tools"
        tools.mkdir()
        for tool in (LLVM / "bin").iterdir():
            if real or not tool.name.startswith(PREFIXES):
                (tools / tool.name).symlink_to(tool)
        with contextlib.nullcontext() if real else stand_ins(work, tools, definitions.options(mlir)):
            return _lit(mlir, tests, work, workers, REAL_TIMEOUT if real else TIMEOUT)


@contextlib.contextmanager
def stand_ins(work: Path, tools: Path, options: Sequence[str] = ()) -> Iterator[None]:
    """The clients in `tools`, and their warm parent for as long as they are used. The options are those of each call of
    mlir-opt."""
    address = work / "parent"
    text = (HERE / "client.py").read_text(encoding="utf-8")
    for name in STAND_INS:
        client = tools / name
        filled = text.replace("{address}", str(address)).replace("{command}", name)
        client.write_text(f"#!{Path(sys.executable).resolve()} -ISE\n{filled}", encoding="utf-8")
        client.chmod(0o755)
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "tests.suite.warm", str(address), *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment) as parent:
        assert parent.stdin is not None and parent.stdout is not None
        if parent.stdout.readline() != b"ready\n":
            raise RuntimeError("the warm parent did not start")
        try:
            yield
        finally:
            parent.stdin.close()


def _lit(mlir: Path, tests: Sequence[str], work: Path, workers: int, timeout: int) -> list[Result]:
    report = work / "results.json"
    command = [sys.executable, str(HERE / "launch.py"), str(mlir), "--verbose", "--ignore-fail", "--no-progress-bar"]
    command += ["--timeout", str(timeout), "--workers", str(workers), "--output", str(report)]
    for name, value in {"mlir": mlir, "llvm": LLVM, "work": work, "tools": work / "tools"}.items():
        command += ["--param", f"{name}={value}"]
    command += [str(mlir / "test" / test) for test in tests]
    with (work / "lit.log").open("w") as log:
        done = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=False)
    if not report.exists():
        shutil.copyfileobj((work / "lit.log").open(), sys.stderr)
        raise RuntimeError(f"lit ended with {done.returncode} and no results")
    entries = {
        entry["name"].partition(" :: ")[2]: entry for entry in json.loads(report.read_text(encoding="utf-8"))["tests"]
    }
    return [
        Result(test, entry["code"] == "PASS", entry["output"], entry["elapsed"] or 0.0)
        for test in tests
        if (entry := entries.get(test)) is not None
    ]
