"""A second `fathom run` of the same: nothing is lowered or compiled, and all that is told is the same."""

from __future__ import annotations

import os
import pickle
import re
from pathlib import Path

import pytest

from fathom.cli import run_kept, run_program
from fathom.execution.kept_code import Code
from fathom.kept import here
from fathom.kept.folder import Kept
from fathom.kept.places import SWITCH
from fathom.records import replace
from tests.cli.running import fathom

ROOT = Path(__file__).resolve().parents[2]
GCD = str(ROOT / "examples" / "gcd.mlir")
SAXPY = str(ROOT / "examples" / "saxpy.mlir")
ADD = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"
LOAD = """\
func.func @f(%m: memref<4xi32>, %i: index) -> i32 {
  %0 = memref.load %m[%i] : memref<4xi32>
  return %0 : i32
}
"""
FOUR = "module {\n  func.func @four() -> i32 {\n    %0 = arith.constant 4 : i32\n    return %0 : i32\n  }\n}\n"
PRINTS = """\
func.func private @nosuch()
func.func @prints() {
  %0 = arith.constant 4 : i32
  vector.print %0 : i32
  return
}
func.func @misses() {
  func.call @nosuch() : () -> ()
  return
}
func.func @asserts(%c: i1) {
  cf.assert %c, "it must be so"
  return
}
"""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv(SWITCH, raising=False)
    kept = here()
    assert kept is not None
    return kept


class Lowered(AssertionError):
    """A program was made that was to be known."""


def run(*arguments: str, text: str = "") -> tuple[int, str, str]:
    """What `fathom run` says, but for the times."""
    status, out, err = fathom("run", *arguments, text=text)
    return status, re.sub(r'("(?:call|compile)Seconds"): [\d.e-]+', r"\1: 0", out), err


def is_known(*arguments: str, text: str = "") -> bool:
    """Whether a run lowers nothing."""
    with pytest.MonkeyPatch.context() as patched:

        def prepared(*_: object) -> None:
            raise Lowered

        patched.setattr(run_program, "prepared", prepared)
        _, _, err = fathom("run", *arguments, text=text)
    return "Lowered" not in err


def check_the_same(kept: Kept, *arguments: str, text: str = "") -> tuple[int, str, str]:
    """Runs without anything kept, when it is kept, and when it was."""
    plain = run(*arguments, "--no-cache", text=text)
    assert kept.usage().entries == 0
    assert not is_known(*arguments, text=text)
    assert run(*arguments, text=text) == plain
    assert is_known(*arguments, text=text)
    assert run(*arguments, text=text) == plain
    return plain


def test_a_function(kept: Kept) -> None:
    assert check_the_same(kept, GCD, "--entry", "gcd", "--args", "1071", "462") == (0, "21\n", "")
    assert is_known(GCD, "--entry", "gcd", "--args", "12", "18")
    assert run(GCD, "--entry", "gcd", "--args", "12", "18", "--timeout", "100") == (0, "6\n", "")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([SAXPY, "--entry=saxpy", "--args", "2.0, [1, 2, 3], {shape: [3], fill: 10}"], ""),
        ([SAXPY, "--entry=saxpy", "--json", "--args", "2.0, [1, 2, 3], {shape: [3], fill: 10}"], ""),
        ([SAXPY], ""),
        (["-e", "four", "--entry-point-result=i32", "--no-implicit-module"], FOUR),
        (["--entry=f", "--check", "--args", "[1, 2, 3, 4], 9"], LOAD),
        (["--entry=f", "--check", "--json", "--args", "[1, 2, 3, 4], 9"], LOAD),
        (["--entry=f", "--check", "--args", "[1, 2, 3, 4], 3"], LOAD),
        (["--entry=prints", "-O0"], PRINTS),
        (["--entry=misses"], PRINTS),
        (["--entry=misses", "--json", "--shared-libs=nosuch.so"], PRINTS),
        (["--entry=asserts", "--args", "0"], PRINTS),
        (["--entry=f", "--args", "4", "--convert-arith-to-llvm", "--convert-func-to-llvm"], ADD),
        (["--entry=f", "--args", "4", "-p", "builtin.module(convert-arith-to-llvm,convert-func-to-llvm)"], ADD),
    ],
)
def test_all_that_is_told(kept: Kept, arguments: list[str], text: str) -> None:
    check_the_same(kept, *arguments, text=text)


def test_warnings(kept: Kept) -> None:
    """A pipeline that lowers no checks: the run is not checked, which is said each time."""
    passes = ["--finalize-memref-to-llvm", "--convert-func-to-llvm", "--reconcile-unrealized-casts"]
    _, out, err = check_the_same(kept, "--entry=f", "--check", *passes, "--args", "[1, 2, 3, 4], 3", text=LOAD)
    assert "warning: the run is not checked" in err
    assert out.startswith("4\n")


def test_arguments_that_do_not_fit(kept: Kept) -> None:
    plain = run("--entry=f", "--args", "x", "--no-cache", text=ADD)
    assert run("--entry=f", "--args", "x", text=ADD) == plain
    assert not is_known("--entry=f", "--args", "x", text=ADD)
    assert run("--entry=f", "--args", "2", text=ADD) == (0, "4\n", "")
    assert is_known("--entry=f", "--args", "x", text=ADD)
    assert run("--entry=f", "--args", "x", text=ADD) == plain
    assert run("--entry=f", "--args", "1", "2", text=ADD) == run(
        "--entry=f", "--args", "1", "2", "--no-cache", text=ADD
    )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], ADD.replace("addi", "muli")),
        ([], ADD + "\n"),
        (["-O0"], ADD),
        (["--check"], ADD),
        (["--convert-arith-to-llvm", "--convert-func-to-llvm"], ADD),
        (["--matrix-default-layout=row-major"], ADD),
        (["--no-implicit-module"], f"module {{\n{ADD}}}"),
    ],
)
def test_what_another_program_is(kept: Kept, arguments: list[str], text: str) -> None:
    run("--entry=f", "--args", "3", text=ADD)
    assert not is_known("--entry=f", "--args", "3", *arguments, text=text)
    assert run("--entry=f", "--args", "3", *arguments, text=text)[0] == 0


def test_another_name_is_another_program(kept: Kept, tmp_path: Path) -> None:
    """Messages have it."""
    for name in ("a.mlir", "b.mlir"):
        (tmp_path / name).write_text(ADD, encoding="utf-8")
        assert not is_known(str(tmp_path / name), "--entry=f", "--args", "3")
        run(str(tmp_path / name), "--entry=f", "--args", "3")
    assert is_known(str(tmp_path / "a.mlir"), "--entry=f", "--args", "3")


def test_another_fathom_makes_another_program(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    run("--entry=f", "--args", "3", text=ADD)
    assert is_known("--entry=f", "--args", "3", text=ADD)
    monkeypatch.setattr(run_kept, "stamp", lambda: "another")
    assert not is_known("--entry=f", "--args", "3", text=ADD)


@pytest.mark.parametrize("switch", ["option", "environment"])
def test_switched_off(kept: Kept, monkeypatch: pytest.MonkeyPatch, switch: str) -> None:
    if switch == "environment":
        monkeypatch.setenv(SWITCH, "off")
    for _ in range(2):
        assert run("--entry=f", "--args", "3", *(["--no-cache"] * (switch == "option")), text=ADD) == (0, "6\n", "")
    assert kept.usage().entries == 0


def test_dialects_of_ones_own(kept: Kept, tmp_path: Path) -> None:
    """What describes them makes the program."""
    described = tmp_path / "own.toml"
    described.write_text('dialect = "own"\n', encoding="utf-8")
    for options in (["--dialect", str(described)], ["--dialect-path", str(tmp_path)]):
        arguments = ["--entry=f", "--args", "3", *options]
        assert run(*arguments, text=ADD) == (0, "6\n", "")
        assert is_known(*arguments, text=ADD)
    described.write_text('dialect = "own"  # another\n', encoding="utf-8")
    for options in (["--dialect", str(described)], ["--dialect-path", str(tmp_path)]):
        assert not is_known("--entry=f", "--args", "3", *options, text=ADD)
    described.unlink()
    assert run("--entry=f", "--args", "3", "--dialect", str(described), text=ADD)[0] == 1


OWN = """\
include "parts/base.td"
def Own : Dialect { let name = "own"; let cppNamespace = "own"; }
"""
BASE = """\
class Dialect { string name; string cppNamespace; }
"""
CODE = """\
from __future__ import annotations

from collections.abc import Sequence

from fathom.dialect import lowers


@lowers("own.twice", into="arith")
def twice(op, rewriter):
    rewriter.replace(op, rewriter.create("arith.addi", op.a, op.a))
"""


def test_dialects_of_tablegen(kept: Kept, tmp_path: Path) -> None:
    """What they include makes the program too, and where it is found."""
    described, near, far = tmp_path / "own.td", tmp_path / "parts", tmp_path / "far" / "parts"
    far.mkdir(parents=True)
    described.write_text(OWN, encoding="utf-8")
    (far / "base.td").write_text(BASE, encoding="utf-8")
    arguments = ["--entry=f", "--args", "3", "--dialect", str(described), "-I", str(tmp_path / "far")]

    def check() -> None:
        assert not is_known(*arguments, text=ADD)
        assert run(*arguments, text=ADD) == (0, "6\n", "")
        assert is_known(*arguments, text=ADD)

    check()
    (far / "base.td").write_text(f"{BASE}class Other;\n", encoding="utf-8")
    check()
    near.mkdir()
    (near / "base.td").write_text(BASE, encoding="utf-8")
    check()
    described.write_text(f'{OWN}// {{include "nowhere.td"}}\n', encoding="utf-8")
    check()
    (tmp_path / "nowhere.td").write_text("", encoding="utf-8")
    check()


def test_code_of_dialects(kept: Kept, tmp_path: Path) -> None:
    described, code = tmp_path / "own.toml", tmp_path / "own.py"
    described.write_text('dialect = "own"\n[op.twice]\noperands = ["a: I32"]\nresults = ["b: I32"]\n', encoding="utf-8")
    text = 'func.func @f(%a: i32) -> i32 {\n  %0 = "own.twice"(%a) : (i32) -> i32\n  return %0 : i32\n}\n'
    arguments = ["--entry=f", "--args", "3", "--dialect", str(described), "--dialect", str(code)]
    for source, result in ((CODE, "6\n"), (CODE.replace("addi", "muli"), "9\n")):
        code.write_text(source, encoding="utf-8")
        assert not is_known(*arguments, text=text)
        assert run(*arguments, text=text) == (0, result, "")
        assert is_known(*arguments, text=text)
        assert run(*arguments, text=text) == (0, result, "")


@pytest.mark.parametrize(
    "line",
    [
        "import os",
        "import time as math",
        "from pathlib import Path",
        "from . import other",
        "import fathom",
        "from fathom import execution",
        "from fathom.text.files import read_bytes",
        "text = open(__file__).read()",
        "print('loaded')",
        "__import__('os')",
        "where = twice.__globals__",
    ],
)
def test_code_that_reads_or_prints_is_run_each_time(kept: Kept, tmp_path: Path, line: str) -> None:
    described, code = tmp_path / "own.toml", tmp_path / "own.py"
    described.write_text('dialect = "own"\n[op.twice]\noperands = ["a: I32"]\nresults = ["b: I32"]\n', encoding="utf-8")
    code.write_text(f"{CODE}\n\n{line}\n", encoding="utf-8")
    arguments = ["--entry=f", "--args", "3", "--dialect", str(described), "--dialect", str(code)]
    first = run(*arguments, text=ADD)
    assert not is_known(*arguments, text=ADD)
    assert run(*arguments, text=ADD) == first


def test_what_may_read_other_files_is_lowered_each_time(kept: Kept, tmp_path: Path) -> None:
    library = tmp_path / "library.mlir"
    library.write_text("module {}\n", encoding="utf-8")
    preload = f"builtin.module(transform-preload-library{{transform-library-paths={library}}},lower-to-llvm)"
    arguments = ["--entry=f", "--args", "3", "-p", preload]
    first = run(*arguments, text=ADD)
    assert not is_known(*arguments, text=ADD)
    assert run(*arguments, text=ADD) == first


def test_object_files_are_written_each_time(kept: Kept, tmp_path: Path) -> None:
    file = tmp_path / "f.o"
    for _ in range(2):
        run("--entry=f", "--args", "3", "--dump-object-file", f"--object-filename={file}", text=ADD)
        assert file.exists()
        file.unlink()


# ---- what is kept, in the hands of others


def entries(kept: Kept) -> list[Path]:
    """The entries, that which is known of the run first."""
    folder = Path(os.environ["XDG_CACHE_HOME"]) / "fathom" / "code"
    return sorted(folder.iterdir(), key=lambda path: b"run_kept" not in path.read_bytes())


def test_code_that_is_gone_is_made_again(kept: Kept) -> None:
    run("--entry=f", "--args", "3", text=ADD)
    for entry in entries(kept)[1:]:
        entry.unlink()
    assert not is_known("--entry=f", "--args", "3", text=ADD)
    check = run("--entry=f", "--args", "3", text=ADD)
    assert (check, is_known("--entry=f", "--args", "3", text=ADD)) == ((0, "6\n", ""), True)


def test_entries_of_two_programs_that_are_swapped(kept: Kept) -> None:
    run("--entry=f", "--args", "3", text=ADD)
    first = {path.name: path.read_bytes() for path in entries(kept)}
    run("--entry=f", "--args", "3", text=ADD.replace("addi", "muli"))
    others = [path for path in entries(kept) if path.name not in first]
    for path, data in zip(others, first.values(), strict=False):
        path.write_bytes(data)
    assert run("--entry=f", "--args", "3", text=ADD.replace("addi", "muli")) == (0, "9\n", "")


class Calls:
    """What an entry may not hold."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (f"{os.environ['XDG_CACHE_HOME']}/made",)


@pytest.mark.parametrize("data", [b"", b"nonsense", pickle.dumps(5), pickle.dumps(("a", "b")), None])
def test_an_entry_that_makes_no_sense(kept: Kept, data: bytes | None) -> None:
    """As of one that another version put there."""
    run("--entry=f", "--args", "3", text=ADD)
    name = entries(kept)[0].name
    kept.put(name, pickle.dumps((Calls(), "x")) if data is None else data)
    assert not is_known("--entry=f", "--args", "3", text=ADD)
    assert run("--entry=f", "--args", "3", text=ADD) == (0, "6\n", "")
    assert not (Path(os.environ["XDG_CACHE_HOME"]) / "made").exists()


def test_code_for_another_computer_is_made_again(kept: Kept) -> None:
    run("--entry=f", "--args", "3", text=ADD)
    for entry in entries(kept)[1:]:
        code = Code.from_bytes(kept.get(entry.name) or b"")
        if code is not None:
            kept.put(entry.name, replace(code, target="another").to_bytes())
    assert not is_known("--entry=f", "--args", "3", text=ADD)
    assert run("--entry=f", "--args", "3", text=ADD) == (0, "6\n", "")
    assert is_known("--entry=f", "--args", "3", text=ADD)
