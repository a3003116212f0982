"""The recipes for a new operation and a new aspect in `docs/contributing.md`, followed to the letter: one folder, and
one file more for each dialect, and they work."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECIPE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8").partition("## A new pass")[0]

EDITOR = """
import asyncio
from fathom_server.session.session import Session

published = []
async def main():
    session = Session(lambda opened: published.append(opened), lambda opened: None)
    session.open("file:///x.mlir", 1, {text!r})
    opened = published[-1]
    print([found.message for known in opened.findings.items.values() for found in known.mistakes.all])
    session.shutdown()
asyncio.run(main())
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that has the recipes' files, and no others."""
    for path, text in re.findall(r"`lowering/fathom/([\w/.]+)`:\n\n```\w+\n(.*?)```", RECIPE, re.DOTALL):
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return tmp_path


def run(folder: Path, code: str, text: str = "", *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs code in a process of its own, which finds the modules of the folder beside those of the library."""
    begin = "import sys, fathom.dialects, fathom.rewriting\n"
    for package in ("dialects", "rewriting"):
        begin += f"fathom.{package}.__path__.append({str(folder / package)!r})\n"
    return subprocess.run(
        [sys.executable, "-c", begin + code, *arguments], input=text, capture_output=True, text=True, check=False
    )


OPT = "import fathom.cli as cli; sys.exit(cli.main(sys.argv[1:], sys.stdin, sys.stdout, sys.stderr))"


def test_the_command_line_reads_folds_and_prints_it(folder: Path) -> None:
    given, expected = re.findall(r"```mlir\n(.*?)```", RECIPE, re.DOTALL)
    process = run(folder, OPT, given, "opt", "--canonicalize", "-")
    assert process.stdout == expected, process.stderr


def test_its_mistakes_are_found(folder: Path) -> None:
    text = "func.func @f(%a: f32) {\n  %0 = tally.total of %a : f32\n  return\n}\n"
    message = "custom op 'tally.total' invalid kind of type specified: expected builtin.integer, but found 'f32'"
    assert message in run(folder, OPT, text, "opt", "-").stderr
    single = "func.func @f(%a: i32) {\n  %0 = tally.total of %a : i32\n  return\n}\n"
    assert "'tally.total' op expects several values to sum up" in run(folder, OPT, single, "opt", "-").stderr
    unknown = "%0 = tally.product : i32\n"
    assert "custom op 'tally.product' is unknown" in run(folder, OPT, unknown, "opt", "-").stderr


def test_the_editor_knows_it(folder: Path) -> None:
    given = re.findall(r"```mlir\n(.*?)```", RECIPE, re.DOTALL)[0]
    assert run(folder, EDITOR.format(text=given)).stdout == "[]\n"
    wrong = run(folder, EDITOR.format(text=given.replace("of %a, %0", "of %a, %a, %b")))
    assert "use of undeclared SSA value name" in wrong.stdout, wrong.stderr


BOUNDS = """
from fathom.context import default_context
from fathom.elaborate import load
from fathom.irdl.code import DialectCode
from fathom.irdl.dialect import Dialect
from fathom.rewriting.bounds import BOUNDS, bounds_of

context = default_context().with_dialect(Dialect("shop", aspects={BOUNDS: lambda: {"shop.count": lambda op: (0, 9)}}))
more = Dialect("tally", extends=True, aspects={BOUNDS: lambda: {"tally.more": lambda op: (1, 2)}})
text = "%0 = arith.constant 1 : i8\\n%1 = tally.total of %0, %0 : i8\\n%2 = \\"shop.count\\"() : () -> i8"
module = load(text, context).module
print([bounds_of(op.results[0], context) for op in module.walk() if op.results])
print(sorted(context.with_dialect(more).aspect(BOUNDS, "tally")), dict(context.aspect(BOUNDS, "no_such")))
most = Dialect("tally", extends=True, aspects={BOUNDS: lambda: {"tally.most": lambda op: (3, 4)}})
print(sorted(context.with_dialect(more).with_dialect(most).aspect(BOUNDS, "tally")))
"""


def test_an_aspect_is_said_by_a_file_of_the_folder_and_from_elsewhere(folder: Path) -> None:
    process = run(folder, BOUNDS)
    every = "['tally.more', 'tally.most', 'tally.total']"
    assert process.stdout == f"[None, (-128, 127), (0, 9)]\n['tally.more', 'tally.total'] {{}}\n{every}\n", (
        process.stderr
    )


PRICES = """
from fathom.context import default_context
from fathom.elaborate import load
from fathom.irdl.definition import OpDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.traits import PURE
from fathom.rewriting.prices import CODE, Priced

shop = Dialect("shop", (OpDefinition("shop.buy", traits=(PURE,)),), aspects=CODE.aspects)
context = default_context().with_dialect(shop)
text = "%0 = arith.constant 1 : i8\\n%1 = arith.addi %0, %0 : i8\\n\\"shop.buy\\"() : () -> ()"
for known in (context, default_context(), context.without_dialect("shop")):
    found = [(op, op.interface(Priced)) for op in load(text, known).module.walk()]
    print([(op.name, each.price(op)) for op, each in found if each is not None])
print(context.lookup("arith.addi").has(PURE))
"""


def test_a_dialect_gives_operations_of_others_an_interface(folder: Path) -> None:
    process = run(folder, PRICES)
    assert process.stdout == "[('arith.addi', 1), ('shop.buy', 0)]\n[]\n[]\nTrue\n", process.stderr
