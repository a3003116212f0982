"""Which library of MLIR defines a function: held against the libraries, where they are installed."""

from __future__ import annotations

import subprocess

import pytest

from fathom.execution.libraries import library_of
from tests.oracles import LLVM_HOME, missing, require_program


@pytest.mark.parametrize("library", ["mlir_c_runner_utils", "mlir_runner_utils"])
def test_what_a_library_defines(library: str) -> None:
    path = LLVM_HOME.parent / "lib" / f"lib{library}.so"
    if not path.exists():
        missing(f"lib{library}")
    listed = subprocess.run(
        [require_program("nm"), "-D", "--defined-only", path], capture_output=True, encoding="utf-8", check=True
    ).stdout
    names = {line.split()[-1].partition("@")[0] for line in listed.splitlines() if line}
    functions = {name for name in names if not name.startswith(("_Z", "_init", "_fini", "__"))}
    assert functions
    assert {name for name in functions if library_of(name) != library} == set()


def test_what_no_library_of_mlir_defines() -> None:
    assert [library_of(name) for name in ("malloc", "printf", "main", "helper")] == [None] * 4
