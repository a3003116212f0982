"""What people write goes through LLVM; what is wrong with it has a place."""

from __future__ import annotations

import subprocess

import pytest

from fathom.llvmir.loading import Problem, load
from fathom.llvmir.module import Module
from fathom.llvmir.writer import write
from tests.oracles import require_tool

SUM = "define i32 @sum(i32 %a, i32 %b) {\n%c = add i32 %a, %b ; both\nret i32 %c\n}\n"
LOADED = "\ndefine i32 @sum(i32 %a, i32 %b) {\n  %c = add i32 %a, %b\n  ret i32 %c\n}\n"


def check_loads(source: str | bytes, expected: str) -> None:
    module = load(source)
    assert isinstance(module, Module)
    assert write(module) == expected


def test_text() -> None:
    check_loads(SUM, LOADED)
    check_loads(SUM.encode(), LOADED)


def test_bitcode() -> None:
    tool = require_tool("llvm-as")
    done = subprocess.run([tool, "-", "-o", "-"], input=SUM.encode(), capture_output=True, check=True)
    check_loads(done.stdout, f'source_filename = "<stdin>"\n{LOADED}')


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("define void @f() {\n  ret i32 0\n}\n", Problem("value doesn't match function result type 'void'", 2, 7)),
        (
            'define void @"é"() { ret i32 0 }\n',
            Problem("value doesn't match function result type 'void'", 1, 26),
        ),
        ("garbage", Problem("expected top-level entity", 1, 1)),
        (b"BC\xc0\xde00", Problem("Invalid bitcode signature")),
        ("define void @f() {\n  br label %x\n}\n", Problem("use of undefined value '%x'", 2, 12)),
    ],
)
def test_problems(source: str | bytes, problem: Problem) -> None:
    assert load(source) == [problem]


def test_what_is_not_sound() -> None:
    found = load("define void @f() {\n  br label %x\nx:\n  %p = phi i32 [0, %x]\n  ret void\n}\n")
    assert isinstance(found, list)
    assert found[0].message.startswith("PHI node entries do not match predecessors!")


@pytest.mark.parametrize("opening", ["@x = global ", "@x = global i8 ", "!0 = !"])
def test_deep_ones_end_nothing_but_llvm(opening: str) -> None:
    assert isinstance(load(opening + "{" * 100_000), list)
