"""What `fathom opt` does without when it starts: these modules take longer to import than a small file to lower."""

from __future__ import annotations

import subprocess
import sys

import pytest

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
