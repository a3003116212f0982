"""A module that several processes lower is the same, and the same is said of it, as when one does."""

from __future__ import annotations

import pytest

from benchmarks.passes import FUNCTION, KERNELS, PASSES, SIX
from benchmarks.programs import repeated
from tests.divided import forked, played

pytestmark = forked

COMMAND = """\
import io, json, sys
from fathom.cli import main
from fathom.pipeline import divided

text, *flags = json.load(sys.stdin)
lowered, found = divided.lowered_divided, []
divided.LEAST = 1
divided.lowered_divided = lambda *given, **named: found.append(lowered(*given, **named)) or found[-1]

def opt(*more):
    stdout, stderr = io.StringIO(), io.StringIO()
    return main(["opt", *flags, *more], io.StringIO(text), stdout, stderr), stdout.getvalue(), stderr.getvalue()

together, apart = opt("--mlir-disable-threading"), opt()
json.dump([together, apart, any(made is not None for made in found)], sys.stdout)
"""
"""Runs passes in one process and in two, which no thread stands beside; and says whether there were two."""
TO_LLVM = "--lower-to-llvm"


def check_divided(text: str, *flags: str, divided: bool = True) -> str:
    """Both give the same text and messages; those of the command."""
    together, apart, was_divided = played(COMMAND, text, *flags)
    assert apart == together
    assert was_divided == divided
    _, written, told = together
    return written + told


def test_fourteen_passes() -> None:
    kernels = "\n".join(f"{FUNCTION}\n{KERNELS}".format(n=n) for n in range(2)) + "\n"
    assert "llvm.func @norm_1" in check_divided(kernels, *PASSES)


def test_what_is_left_and_what_would_help() -> None:
    told = check_divided(repeated(3), *SIX)
    assert told.count("was left behind") == 12
    assert "the corrected pipeline: --lower-affine" in told


def test_a_pass_that_only_one_function_needs() -> None:
    text = """\
func.func @plain(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  return %b : i32
}
func.func @memory(%m: memref<?xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<?xf32>
  return %x : f32
}
"""
    assert "llvm.load" in check_divided(text, TO_LLVM)


def test_what_passes_declare_comes_once_and_in_order() -> None:
    text = """\
func.func @f(%a: f32) -> f32 {
  %x = math.cbrt %a : f32
  %y = math.erf %a : f32
  return %x : f32
}
func.func @g(%a: f32, %m: memref<4xf32>) -> f32 {
  %x = math.erf %a : f32
  %y = math.cbrt %x : f32
  %z = memref.alloc() : memref<4xf32>
  memref.copy %m, %z : memref<4xf32> to memref<4xf32>
  return %y : f32
}
"""
    written = check_divided(text, TO_LLVM)
    assert written.count("llvm.func @cbrtf(f32)") == 1
    assert "@malloc" in written


def test_functions_that_call_each_other() -> None:
    text = """\
func.func @f(%a: i32, %m: memref<2xf32>) -> i32 {
  %b = call @g(%a, %m) : (i32, memref<2xf32>) -> i32
  return %b : i32
}
func.func private @outside(i32) -> i32
func.func @g(%a: i32, %m: memref<2xf32>) -> i32 {
  %b = call @f(%a, %m) : (i32, memref<2xf32>) -> i32
  %c = call @outside(%b) : (i32) -> i32
  return %c : i32
}
"""
    assert "llvm.call @g(" in check_divided(text, TO_LLVM)


@pytest.mark.parametrize(
    "text",
    [
        "memref.global @v : memref<2xf32>\nfunc.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}\n",
        "func.func @f() attributes {llvm.emit_c_interface} {\n  return\n}\nfunc.func @g() {\n  return\n}\n",
        "func.func @f(%a: f32) -> f32 {\n  %b = math.tan %a : f32\n  return %b : f32\n}\n"
        "func.func @tanf(%a: f32) -> f32 {\n  return %a : f32\n}\n",
        'func.func @f(%a: !llvm.struct<"s", (i32)>) {\n  return\n}\nfunc.func @g(%a: !llvm.struct<"s", (i32)>) {\n'
        "  return\n}\n",
        "#loop = #llvm.loop_annotation<disableNonforced = true>\n"
        "func.func @f() {\n  cf.br ^bb1 {loop_annotation = #loop}\n^bb1:\n  return\n}\nfunc.func @g() {\n  return\n}\n",
        "func.func @f(%a: index) {\n  cf.br ^bb1(%a : index)\n^bb1(%b: index):\n  return\n}\n"
        'func.func @g() attributes {llvm.linkage = "no"} {\n  return\n}\n',
    ],
    ids=["a variable", "a wrapper", "an own function", "a type with a name", "an alias", "a mistake"],
)
def test_what_follows_from_the_whole(text: str) -> None:
    check_divided(text, "--convert-math-to-libm", "--convert-func-to-llvm", divided=False)


def test_what_is_only_one_function() -> None:
    check_divided("func.func @f() {\n  return\n}\n", TO_LLVM, divided=False)


def test_what_somebody_looks_on_at() -> None:
    text = "func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}\n"
    assert "IR Dump After" in check_divided(text, TO_LLVM, "--mlir-print-ir-after-all", divided=False)
