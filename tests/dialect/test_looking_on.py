"""The IR before and after the passes of a dialect of one's own, as the command line asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import fathom
from tests.dialect.shop import TOTAL, run

CODE = """
from fathom.dialect import lowers

@lowers("shop.total", into="arith")
def total(op, rewriter):
    rewriter.replace(op, rewriter.create("arith.addi", op.left, op.right))
"""
HEAD = "// -----// IR Dump {} LowerDialectPass (lower-shop) //----- //"


@pytest.mark.parametrize("when", ["Before", "After"])
def test_passes_of_ones_own_are_named(tmp_path: Path, when: str) -> None:
    option = f"--mlir-print-ir-{when.lower()}=lower-shop,canonicalize"
    status, _, error = run(tmp_path, CODE, TOTAL, "opt", option, "--lower-shop")
    assert (status, error.splitlines()[0]) == (0, HEAD.format(when))


def test_they_are_known_wherever_the_dialect_stands(tmp_path: Path) -> None:
    run(tmp_path, CODE, TOTAL, "opt")
    dialect = [f"--dialect={tmp_path / name}" for name in ("shop.toml", "shop.py")]
    status, _, error = fathom("opt", "--mlir-print-ir-after=lower-shop", *dialect, "--lower-shop", text=TOTAL)
    assert (status, error.splitlines()[0]) == (0, HEAD.format("After"))


def test_a_name_that_no_pass_has(tmp_path: Path) -> None:
    wrong = "fathom opt: for the --mlir-print-ir-after option: Cannot find option named 'lower-shops'!\n"
    option = "--mlir-print-ir-after=lower-shops"
    assert run(tmp_path, CODE, TOTAL, "opt", option) == (1, "", wrong)
    assert fathom("opt", option, text="") == (1, "", wrong)
