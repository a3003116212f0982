"""What `fathom opt` does without when it starts, and `fathom run` of a program that is kept: these modules take longer
to import than a small file to lower."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fathom.kept.places import SWITCH
from tests.conformance.corpus import ROOT

NEVER = (
    # The server and what it speaks.
    "asyncio",
    "fathom_server",
    "lsprotocol",
    "pygls",
    # What translates, compiles and runs.
    "fathom.execution",
    "fathom.translation",
    "llvmlite",
    # The maker of the grammar's tables, which stand beside it.
    "fathom.syntax.lalr",
    "lark",
    # What help, colours and suggestions need.
    "argparse",
    "difflib",
    "fathom.passes.suggestions",
    "rich",
    # What these would bring along, and others of their weight.
    "hashlib",
    "importlib.resources",
    "logging",
    "subprocess",
    "tempfile",
    "typing_extensions",
)
LIST_MODULES = """\
import sys
from fathom.cli import main
status = main(sys.argv[1:], sys.stdin, sys.stdout, sys.stderr)
print(*sys.modules, file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.parametrize("options", [[], ["--convert-scf-to-cf", "--mlir-print-op-generic"], ["--verify-diagnostics"]])
def test_opt_starts_without_what_it_does_not_need(options: list[str]) -> None:
    command = [sys.executable, "-c", LIST_MODULES, "opt", str(ROOT / "examples" / "gcd.mlir"), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    assert sorted(set(done.stderr.split()) & set(NEVER)) == []


NOT_FOR_WHAT_IS_KEPT = (
    # What lowers, and what is lowered.
    "fathom.bufferization",
    "fathom.context",
    "fathom.dialects",
    "fathom.elaborate",
    "fathom.ir.operation",
    "fathom.irdl",
    "fathom.messages",
    "fathom.passes",
    "fathom.pipeline",
    "fathom.programs",
    "fathom.syntax",
    "fathom.tablegen",
    "fathom.translation",
    "fathom.verify",
    # What only the worker has.
    "fathom.execution.compiler",
    "fathom.execution.worker",
    "llvmlite",
    # What starts the worker where it is no fork.
    "pathlib",
    "subprocess",
    "tempfile",
    # The server and what it speaks.
    *("asyncio", "fathom_server", "lsprotocol", "pygls"),
)


def test_run_starts_without_what_made_a_program_that_is_kept(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_STATE_HOME": str(tmp_path / "state")}
    environment.pop(SWITCH, None)
    called = ["run", str(ROOT / "examples" / "gcd.mlir"), "--entry=gcd", "--args", "12", "18"]
    command = [sys.executable, "-c", LIST_MODULES, *called]
    told = list[tuple[str, set[str]]]()
    for _ in range(2):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=600)
        told.append((done.stdout, set(done.stderr.split()) & set(NOT_FOR_WHAT_IS_KEPT)))
    assert told[1] == ("6\n", set())
    assert "fathom.passes" in told[0][1]
