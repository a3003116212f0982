"""Operations on data in OpenACC are calls of a runtime library, and data regions blocks of their function."""

from __future__ import annotations

import io

from fathom.cli import main
from tests.oracles import mlir_translate

PROGRAM = """\
llvm.func @regions(%n: i64, %p: !llvm.ptr, %q: !llvm.ptr, %c: i1) -> i64 {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%c0 : i64)
^loop(%i: i64):
  %0 = acc.copyin varPtr(%p : !llvm.ptr) varType(f32) -> !llvm.ptr
  acc.data dataOperands(%0 : !llvm.ptr) {
    %1 = acc.create varPtr(%q : !llvm.ptr) varType(f32) -> !llvm.ptr
    acc.data dataOperands(%1 : !llvm.ptr) {
      llvm.store %i, %q : i64, !llvm.ptr
      llvm.cond_br %c, ^a, ^b
    ^a:
      llvm.store %i, %p : i64, !llvm.ptr
      llvm.br ^b
    ^b:
      acc.terminator
    }
    acc.terminator
  }
  %next = llvm.add %i, %c1 : i64
  %more = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  llvm.return %next : i64
}
llvm.func @alone(%p: !llvm.ptr, %q: !llvm.ptr) {
  %0 = acc.create varPtr(%p : !llvm.ptr) varType(f32) -> !llvm.ptr
  acc.enter_data dataOperands(%0 : !llvm.ptr)
  %1 = acc.update_device varPtr(%q : !llvm.ptr) varType(f32) -> !llvm.ptr
  %2 = acc.getdeviceptr varPtr(%p : !llvm.ptr) varType(f32) -> !llvm.ptr
  acc.update dataOperands(%2 : !llvm.ptr)
  %3 = acc.getdeviceptr varPtr(%q : !llvm.ptr) varType(f32) -> !llvm.ptr
  acc.exit_data dataOperands(%3, %2 : !llvm.ptr, !llvm.ptr)
  acc.delete accPtr(%3 : !llvm.ptr)
  acc.copyout accPtr(%2 : !llvm.ptr) to varPtr(%p : !llvm.ptr) varType(f32)
  llvm.return
}
"""

PLACED = """\
#file = #llvm.di_file<"a.c" in "/src">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C,
  file = #file, isOptimized = false, emissionKind = Full>
#type = #llvm.di_subroutine_type<types = #llvm.di_null_type>
#f = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f",
  file = #file, line = 1, scopeLine = 1, subprogramFlags = Definition, type = #type>
llvm.func @f(%p: !llvm.ptr) {
  %c = llvm.mlir.constant(1 : i32) : i32 loc("a.c":2:1)
  llvm.store %c, %p : i32, !llvm.ptr loc("a.c":3:1)
  %0 = acc.create varPtr(%p : !llvm.ptr) varType(f32) -> !llvm.ptr loc("a.c":4:1)
  acc.data dataOperands(%0 : !llvm.ptr) {
    llvm.store %c, %p : i32, !llvm.ptr loc("a.c":6:1)
    acc.terminator loc("a.c":7:1)
  } loc("a.c":5:1)
  llvm.return loc("a.c":8:1)
} loc(fused<#f>["a.c":1:1])
"""


def printed(text: str) -> tuple[int, str, str]:
    """What the command line makes of a program: the status, the text and the messages."""
    stdout, stderr = io.StringIO(), io.StringIO()
    return main(["translate", "-"], io.StringIO(text), stdout, stderr), stdout.getvalue(), stderr.getvalue()


def check_same(text: str) -> None:
    assert printed(text) == (0, mlir_translate(text), "")


def test_regions_and_operations_alone() -> None:
    check_same(PROGRAM)


def test_lines_of_the_source() -> None:
    """Memory at the entry is in the line of what was first there; the calls are in none."""
    check_same(PLACED)


def test_nothing_to_map() -> None:
    region = "acc.data {\n    acc.terminator\n  } attributes {defaultAttr = #acc<defaultvalue none>}"
    check_same(f"llvm.func @f() {{\n  {region}\n  llvm.return\n}}\n")


def test_what_flows_into_a_block_of_a_region() -> None:
    """Which `mlir-translate` leaves out, so that LLVM refuses it."""
    text = """\
llvm.func @f(%p: !llvm.ptr, %c: i1, %a: i32, %b: i32) {
  %0 = acc.create varPtr(%p : !llvm.ptr) varType(f32) -> !llvm.ptr
  acc.data dataOperands(%0 : !llvm.ptr) {
    llvm.cond_br %c, ^x(%a : i32), ^x(%b : i32)
  ^x(%y: i32):
    llvm.store %y, %p : i32, !llvm.ptr
    acc.terminator
  }
  llvm.return
}
"""
    status, output, _ = printed(text)
    assert status == 0
    assert "%11 = phi i32 [ %12, %acc.data2 ], [ %2, %acc.data ]" in output
    assert "%12 = phi i32 [ %3, %acc.data ]" in output


def test_other_operations_have_no_translation() -> None:
    text = "llvm.func @f() {\n  acc.parallel {\n    acc.yield\n  }\n  llvm.return\n}\n"
    status, _, errors = printed(text)
    assert (status, "acc.parallel" in errors.splitlines()[0]) == (1, True)
