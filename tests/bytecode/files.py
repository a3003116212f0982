"""Files of bytecode: those at hand, and what mlir-opt makes of a text."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

from fathom.cli import main
from tests.oracles import require_tool

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "bytecode"
SAMPLE = FIXTURES / "sample.mlir"
ALLOW = "--allow-unregistered-dialect"


def fathom(*arguments: str, data: bytes = b"") -> tuple[int, str, str]:
    """The status, output and messages of a command with some bytes as its standard input."""
    output, errors = io.StringIO(), io.StringIO()
    status = main(arguments, io.StringIO(data.decode("utf-8", "surrogateescape")), output, errors)
    return status, output.getvalue(), errors.getvalue()


def real(data: bytes, *arguments: str) -> bytes:
    """What mlir-opt makes of an input."""
    return subprocess.run([require_tool("mlir-opt"), *arguments], input=data, capture_output=True, check=True).stdout
