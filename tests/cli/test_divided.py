"""Texts that several processes read, each its share, give the same, and the same is said of them, as when one reads."""

from __future__ import annotations

from textwrap import indent

import pytest

from benchmarks.passes import FUNCTION, KERNELS, PASSES, SIX
from benchmarks.programs import repeated
from fathom.inputs.shares import shares_of
from fathom.inputs.splitting import Chunk
from tests.divided import forked, played

COMMAND = """\
import io, json, sys
from fathom.cli import main
from fathom.inputs import splitting
from fathom.pipeline import forks

text, *arguments = json.load(sys.stdin)
in_forks, made = forks.in_forks, []
forks.in_forks = lambda works: made.append(in_forks(works)) or made[-1]

def run():
    stdout, stderr = io.StringIO(), io.StringIO()
    return main(arguments, io.StringIO(text), stdout, stderr), stdout.getvalue(), stderr.getvalue()

together = run()
splitting.LEAST_LINES = 1
json.dump([together, run(), [each is not None for each in made]], sys.stdout)
"""
"""Runs a command in one process, and then in shares; and says of what was asked of forks whether it came of it."""

FUNCTIONS = """\
func.func @f(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  return %b : i32
}
func.func @g(%m: memref<?xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<?xf32>
  return %x : f32
}
func.func private @outside(i32) -> i32
// The last one calls the first one.
func.func @h(%a: i32) -> i32 {
  %b = call @f(%a) : (i32) -> i32
  return %b : i32
}
"""


def check_divided(text: str, *arguments: str, shared: bool = True) -> str:
    """What a command writes and says, which is the same in shares; and whether these came to anything."""
    together, apart, made = played(COMMAND, text, *arguments)
    assert apart == together
    assert any(made) == shared
    return together[1] + together[2]


@forked
def test_what_is_lowered() -> None:
    kernels = "\n".join(f"{FUNCTION}\n{KERNELS}".format(n=n) for n in range(2)) + "\n"
    assert "llvm.func @norm_1" in check_divided(kernels, "opt", *PASSES)
    assert "llvm.call @f" in check_divided(FUNCTIONS, "opt", "--lower-to-llvm")


@forked
def test_what_is_left_and_what_would_help() -> None:
    told = check_divided(repeated(3), "opt", *SIX)
    assert told.count("was left behind") == 12
    assert "the corrected pipeline: --lower-affine" in told


@forked
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FUNCTIONS.replace("arith.addi", "arith.addj"), "arith.addj"),
        (FUNCTIONS.replace("@f(%a)", "@nobody(%a)"), "does not reference a valid function"),
        (FUNCTIONS.replace("@g(", "@f("), "redefinition of symbol"),
        (FUNCTIONS.replace("@h(%a: i32) -> i32 {", "@h(%a: i64) -> i32 {"), "expects different type"),
        (FUNCTIONS.replace("func.func private", "memref.global @v : memref<2xf32>\nfunc.func private"), "@v"),
        (FUNCTIONS.replace("func.func @g", "module @m {\nfunc.func @g").replace("// The", "}\n// The"), "module @m"),
        (FUNCTIONS.replace("  return %b : i32\n}\nfunc.func @g", "  return %b : i32\nfunc.func @g"), "error"),
        (FUNCTIONS.replace("%b = arith.addi", '%b = "arith.addi"').replace("%a, %a :", "(%a) :"), "error"),
    ],
    ids=["unknown", "undefined", "twice", "types", "a variable", "a module", "no end", "generic"],
)
def test_what_one_process_reads(text: str, said: str) -> None:
    assert said in check_divided(text, "opt", "--convert-arith-to-llvm", shared=False)


# ---- the texts of shares


def check_shares(text: str, *expected: str) -> None:
    """Of the shares, what is not white space; each is as long as the whole, and has its lines."""
    shares = shares_of(Chunk(text, 0), 2)
    found = [share.chunk.text for share in shares.parts] if shares is not None else []
    assert tuple(" ".join(share.split()) for share in found) == expected
    for share in found:
        assert len(share) == len(text)
        assert share.count("\n") == text.count("\n")
        assert all(kept in (" ", letter) or kept == "\n" for kept, letter in zip(share, text, strict=True))


F, G, H = ("func.func @f() {\n  return\n}\n", "func.func @g() {\n  call @f() : () -> ()\n}\n", "func.func @h() {}\n")


def test_functions_with_those_that_they_name() -> None:
    check_shares(F + G + H, "func.func @f() { return }", " ".join((F + G + H).split()))
    check_shares(F + H, " ".join(F.split()), " ".join(H.split()))


def test_what_stands_around() -> None:
    f, h = " ".join(F.split()), " ".join(H.split())
    inside = indent(F + H, "  ")
    check_shares(f"// a\nmodule {{\n{inside}}}\n", f"// a module {{ {f} }}", f"// a module {{ {h} }}")
    check_shares(f"// a\n\n{F}\n// b\n{H}// c\n", f"// a {f} // b", f"// a {h} // c")


@pytest.mark.parametrize(
    "text",
    [
        F,
        F + F,
        G + F.replace("return", "call @g() : () -> ()"),
        "#a = 1\n" + F + H,
        F + H + "#a = 1\n",
        F + H + "{-#\n#-}\n",
        F + H.replace("@h", '@"h"'),
        F + "memref.global @m : memref<i32>\n" + H,
        "module {\n" + F + H,
        "",
        "\n" * 3,
        "func.func",
        "}",
        "@" * 100,
    ],
)
def test_what_is_not_divided(text: str) -> None:
    check_shares(text)
