"""The real MLIR 22 tools, wherever they are installed, as functions from text to text.

A test that needs one calls `require_tool` (or a function below, which does): where the tool is missing the test is
skipped and says so, unless FATHOM_REQUIRE_ORACLES=1 is set, as `.ci/run` does; then it fails.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

LLVM_HOME = Path("/usr/lib/llvm-22/bin")
"""Where Debian puts the tools whose names carry no version."""

MARKER = "// -----\n"
TIMEOUT = 600.0
"""Seconds after which a tool is given up."""

PASSES = (
    "convert-scf-to-cf",
    "convert-arith-to-llvm",
    "convert-cf-to-llvm",
    "finalize-memref-to-llvm",
    "convert-func-to-llvm",
    "reconcile-unrealized-casts",
)
"""The lowering, in the order that leaves nothing behind."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool printed, and its exit status."""

    stdout: str
    stderr: str
    status: int


@functools.cache
def find_tool(name: str) -> str | None:
    """The path of `name` of LLVM 22 (`mlir-opt`, `FileCheck`, …), None where it is not installed."""
    versioned = shutil.which(f"{name}-22")
    if versioned:
        return versioned
    unversioned = LLVM_HOME / name
    return str(unversioned) if unversioned.exists() else None


@functools.cache
def tool_version(name: str) -> str | None:
    """The version that a tool says it has (`22.1.8`), None where it is not installed."""
    tool = find_tool(name)
    if tool is None:
        return None
    text = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    return text.partition("LLVM version ")[2].split()[0]


def oracles_required() -> bool:
    return os.environ.get("FATHOM_REQUIRE_ORACLES", "") not in ("", "0")


def missing(what: str) -> NoReturn:
    """Skip the running test for want of `what`, or fail it where all oracles must be present."""
    if oracles_required():
        pytest.fail(f"{what} is missing, and FATHOM_REQUIRE_ORACLES is set", pytrace=False)
    pytest.skip(f"needs {what}, which is not installed")


def require_tool(name: str) -> str:
    """The path of a tool of LLVM 22, for a test that cannot do without."""
    path = find_tool(name)
    if path is None:
        missing(f"{name} 22")
    return path


def require_program(name: str) -> str:
    """The path of any other program (`nvim`, `node`), for a test that cannot do without."""
    path = shutil.which(name)
    if path is None:
        missing(name)
        raise AssertionError("unreachable: missing() does not return")
    return path


def run_tool(name: str, arguments: Sequence[str], text: str, timeout: float = TIMEOUT) -> Answer:
    """`text` through the standard input of a tool of LLVM 22."""
    done = subprocess.run(
        [require_tool(name), *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )
    return Answer(done.stdout, done.stderr, done.returncode)


def mlir_opt(text: str, *arguments: str) -> str:
    """What mlir-opt prints for a text that it accepts."""
    return _printed(run_tool("mlir-opt", arguments, text))


def mlir_translate(text: str, *arguments: str) -> str:
    """LLVM IR for a module of the LLVM dialect."""
    return _printed(run_tool("mlir-translate", ["--mlir-to-llvmir", *arguments], text))


def each_by_one(tool: Callable[..., str], texts: Iterable[str], *arguments: str) -> tuple[str, ...]:
    """What a tool prints for each of some texts without a split of their own: one process reads them all, for it takes
    longer to start than to read a text."""
    printed = tool(MARKER.join(texts), "--split-input-file", f"--output-split-marker={MARKER.strip()}", *arguments)
    return tuple(printed.split(MARKER))


def mlir_runner(text: str, entry: str, result: str) -> str:
    """What mlir-runner prints for `entry` of a module of the LLVM dialect; `result` is i32, i64, f32 or void."""
    return _printed(run_tool("mlir-runner", ["-e", entry, f"-entry-point-result={result}"], text))


def flags(passes: Sequence[str]) -> list[str]:
    """Names of passes as options of a command line."""
    return [f"--{name}" for name in passes]


def _printed(answer: Answer) -> str:
    if answer.status != 0:
        raise AssertionError(f"the oracle refused the text (status {answer.status}):\n{answer.stderr}")
    return answer.stdout
