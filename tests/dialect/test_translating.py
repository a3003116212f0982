"""Python that says what operations and attributes of a dialect of one's own are in LLVM IR, and in memory."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import fathom
from tests.dialect.shop import run

BITS = """
dialect = "shop"

[op.count]
operands = ["set: AnyType"]
results = ["bits: AnyType"]
traits = ["AllTypesMatch<[set, bits]>"]
syntax = "$set attr-dict `:` type($set)"

[op.note]
operands = ["what: AnyType"]
"""
CODE = """
from fathom.dialect import *

@translates("shop.count")
def count(op, rewriter):
    bits = rewriter.create("llvm.call_intrinsic", args=[op.set], intrin="llvm.ctpop", results=op.bits.type)
    rewriter.replace(op, bits)

@amends("shop.hot")
def hot(op, value, amended):
    amended.metadata["shop.hot"] = ["sold", value]

@amends("shop.cold")
def cold(op, value, amended):
    amended.attributes["cold"] = ""
    amended.attributes["shop-kind"] = value

@effects("shop.note")
def note(op):
    return [writes()] if op.what.type == rewriter_type else []

rewriter_type = None

@lowers("shop.note", into="llvm")
def lower_note(op, rewriter):
    rewriter.erase(op)
"""
PROGRAM = """
func.func @main() -> index {
  %0 = arith.constant 13 : index
  %1 = shop.count %0 : index
  "shop.note"(%1) : (index) -> ()
  return %1 : index
}
"""


def test_operations_stay_until_they_are_llvm_ir(tmp_path: Path) -> None:
    assert run(tmp_path, CODE, PROGRAM, "run", description=BITS) == (0, "3\n", "")
    status, out, error = run(tmp_path, CODE, PROGRAM, "opt", "--lower-to-llvm", description=BITS)
    assert (status, error) == (0, "")
    assert "%1 = shop.count %0 : i64\n" in out
    status, out, error = run(tmp_path, CODE, out, "translate", description=BITS)
    assert (status, error) == (0, "")
    assert "  %1 = call i64 @llvm.ctpop.i64(i64 13)\n" in out
    assert "declare i64 @llvm.ctpop.i64(i64)" in out


def test_what_stays_has_to_take_types_of_llvm(tmp_path: Path) -> None:
    narrow = BITS.replace('operands = ["set: AnyType"]', 'operands = ["set: Index"]')
    error = run(tmp_path, CODE, PROGRAM, "opt", "--lower-to-llvm", description=narrow)[2]
    assert "error: 'shop.count' op operand #0 must be index, but got 'i64'\n" in error
    assert (
        "note: it stays until it is translated to LLVM IR, with types of the LLVM dialect, which its description has "
        "to take too, shop.py:4\n" in error
    )


def test_attributes_add_metadata_and_attributes_of_functions(tmp_path: Path) -> None:
    text = """
llvm.func @f(%p: !llvm.ptr) -> i32 attributes {shop.cold = "basket", shop.hot = 5 : i32} {
  %0 = llvm.load %p {shop.hot = 7 : i32} : !llvm.ptr -> i32
  llvm.return %0 : i32
}
"""
    status, out, error = run(tmp_path, CODE, text, "translate", description=BITS)
    assert (status, error) == (0, "")
    assert "; Function Attrs: cold\ndefine i32 @f(ptr %0) #0 !shop.hot !1 {" in out
    assert "  %2 = load i32, ptr %0, align 4, !shop.hot !2\n" in out
    assert 'attributes #0 = { cold "shop-kind"="basket" }' in out
    assert '!1 = !{!"sold", i32 5}\n!2 = !{!"sold", i32 7}\n' in out
    assert "shop" not in fathom("translate", text=text)[1]


def test_what_has_no_effect_goes_if_nobody_uses_it(tmp_path: Path) -> None:
    out = run(tmp_path, CODE, PROGRAM, "opt", "--canonicalize", description=BITS)[1]
    assert "shop.note" not in out
    assert "shop.count" in out


def test_faults_are_at_their_lines(tmp_path: Path) -> None:
    code = CODE.replace("    rewriter.replace(op, bits)", "    1 / 0")
    status, out, error = run(tmp_path, code, PROGRAM, "run", description=BITS)
    assert (status, out) == (1, "")
    assert error.startswith(
        "shop.py:7:5: error: ZeroDivisionError: division by zero\n"
        "<stdin>:4:8: note: while 'shop.count' was translated to LLVM IR\n"
    )
    code = CODE.replace("    rewriter.replace(op, bits)", "    pass")
    assert (
        "'count' returned, and it neither replaced nor erased the operation"
        in (run(tmp_path, code, PROGRAM, "run", description=BITS)[2])
    )
    code = CODE.replace("[writes()] if op.what.type == rewriter_type else []", "3")
    assert (
        "'note' returned 3: a list of `reads(…)`, `writes(…)` and the like is wanted"
        in (run(tmp_path, code, PROGRAM, "opt", "--canonicalize", description=BITS)[2])
    )
