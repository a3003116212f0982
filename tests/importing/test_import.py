"""LLVM IR as the LLVM dialect: what mlir-translate makes of it."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pytest

from fathom.cli import translate
from fathom.cli.streams import Streams
from tests.importing.goldens import FIXTURES, SOURCES, golden, golden_path, options
from tests.oracles import require_tool


def imported(text: str, *arguments: str) -> tuple[str, str]:
    """What the command prints for a text, and what it says."""
    out, said = io.StringIO(), io.StringIO()
    translate.main(arguments, Streams(io.StringIO(text), out, said))
    return out.getvalue(), said.getvalue()


def in_mlirs_words(said: str) -> str:
    """What is said without Fathom's own warnings."""
    return "".join(line for line in said.splitlines(keepends=True) if "calling convention" not in line)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_fixtures(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    module, said = imported(text, *options(text))
    assert golden(module, in_mlirs_words(said)) == golden_path(source).read_text(encoding="utf-8")


def test_a_mistake_is_shown_where_it_was_made() -> None:
    text = "define i32 @f() {\n  ret i64 0\n}\n"
    _, said = imported(text, "--import-llvm")
    assert said == "<stdin>:2:7: error: value doesn't match function result type 'i32'\n  ret i64 0\n      ^\n"


def test_what_mlir_has_no_word_for_is_told() -> None:
    _, said = imported("define preserve_nonecc void @f() {\n  ret void\n}\n", "--import-llvm")
    assert said == "<unknown>:0: warning: calling convention 21 is none of MLIR's, which prints none in its place\n"


LITERALS = FIXTURES / "literals.ll"


def test_bitcode_is_imported_as_its_text(tmp_path: Path) -> None:
    file = tmp_path / "module.bc"
    subprocess.run([require_tool("llvm-as"), LITERALS, "-o", file], check=True)
    out, said = io.StringIO(), io.StringIO()
    translate.main(["--import-llvm", str(file)], Streams(io.StringIO(), out, said))
    assert (out.getvalue(), said.getvalue()) == imported(LITERALS.read_text(encoding="utf-8"), "--import-llvm")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("define i32 @f(i32 %x) {\n  %a = add i32 1, %b ; before it\n  %b = add i32 1, %x\n  ret i32 %a\n}\n", "3:3"),
        ("define void @f(ptr %p) {\n  store i32 1, ptr %p, !tbaa !0\n  ret void\n}\n\n!0 = !{!0}\n", "2:3"),
        ("@a = external global i8\n@late = ifunc void (), ptr @resolve\ndeclare ptr @resolve()\n", "2:1"),
        ("@x = external global i8\n\ndefine linkonce i8 @llvm.ctpop.i8(i8) {\n  ret i8 0\n}\n", "3:20"),
    ],
)
def test_what_the_verifier_says_is_shown_where_it_is(text: str, place: str) -> None:
    _, said = imported(text, "--import-llvm")
    assert said.startswith(f"<stdin>:{place}: error: ")


@pytest.mark.parametrize("count", [200, 100_000])
def test_more_brackets_than_are_read_are_a_mistake_where_they_stand(count: int) -> None:
    text = f"; a comment (((\n@g = global ptr {'getelementptr (i8, ptr ' * count}@g{', i64 1)' * count}\n"
    _, said = imported(text, "--import-llvm")
    assert said.startswith("<stdin>:2:2239: error: more than 96 brackets are open\n")


def test_structs_that_nest_too_deep() -> None:
    structs = "".join(f"%s{number} = type {{ %s{number - 1} }}\n" for number in range(1, 5000))
    _, said = imported(f"%s0 = type {{ i32 }}\n{structs}@g = external global %s4999\n", "--import-llvm")
    assert said == "<unknown>:0: error: types nest more than 96 deep in type '%s4999'\n"


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"b{number}:\n  br label %b{number + 1}\n" for number in range(2000)),
        f"  switch i32 %x, label %b2000 [{' '.join(f'i32 {number}, label %b2000' for number in range(2000))}]\n",
        "  store <vscale x 65536 x i32> splat (i32 7), ptr @g\n  br label %b2000\n",
    ],
    ids=["blocks", "cases", "elements"],
)
def test_much_of_something(text: str) -> None:
    module, said = imported(
        f"@g = external global i8\ndefine void @f(i32 %x) {{\n{text}b2000:\n  ret void\n}}\n", "--import-llvm"
    )
    assert not said
    assert module.endswith("    llvm.return\n  }\n}\n")
