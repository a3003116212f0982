"""Who looks on while patterns are tried: what the drivers tell, in which order, and that it is what mlir-opt does."""

from __future__ import annotations

import pytest

from fathom.ir.operation import Operation
from fathom.rewriting.observers import Gate, PatternObserver, explaining, observed_by
from tests.passes.goldens import FIXTURES, run_flags
from tests.rewriting.watching import events, plain, tried, tried_by_mlir

CHOICE = """\
func.func @f(%a: i32, %c: i1) -> i32 {
  %zero = arith.constant 0 : i32
  %same = arith.addi %a, %zero : i32
  %unused = arith.muli %same, %a : i32
  %r = scf.if %c -> i32 {
    scf.yield %same : i32
  } else {
    scf.yield %zero : i32
  }
  return %r : i32
}
"""
TWICE = """\
func.func @f(%a: index, %b: index) -> (index, index) {
  %zero = arith.constant 7 : index
  %other = arith.constant 7 : index
  %x = arith.addi %a, %zero : index
  %y = arith.addi %x, %other : index
  return %y, %b : index, index
^unreached:
  return %a, %b : index, index
}
"""
SAME_AS_MLIR = (
    "arith-emulate-wide-int/arithmetic",
    "arith-expand/divisions_and_extrema",
    "canonicalize/affine_maps",
    "canonicalize/complex",
    "canonicalize/converted_integers",
    "canonicalize/reshapes",
    "canonicalize/vector_masks",
    "convert-cf-to-llvm/asserts",
    "convert-complex-to-standard/every_op",
    "convert-index-to-llvm/casts",
    "convert-math-to-llvm/functions",
    "convert-to-llvm/everything",
    "convert-vector-to-llvm/products_neon",
    "convert-vector-to-scf/prints",
    "finalize-memref-to-llvm/access",
    "inline/recursion",
    "lower-vector-multi-reduction/inner_reduction",
    "math-expand-ops/all",
    "pipeline/memref_first",
)
"""Fixtures of passes, on whose operations mlir-opt tries the same patterns."""


def test_the_patterns_of_a_small_run() -> None:
    refused = "  no: the operation is not of this form"
    of_select = [
        *("try RedundantSelectFalse on arith.select", refused, "try RedundantSelectTrue on arith.select", refused),
        *("try SelectNotCond on arith.select", refused, "try SelectI1ToNot on arith.select", refused),
        *("try SelectToExtUI on arith.select", refused),
    ]
    assert events(CHOICE, ["--canonicalize", "--convert-arith-to-llvm"]) == [
        "canonicalize on builtin.module",
        "fold arith.addi",
        "  changes scf.yield, arith.muli; takes arith.addi",
        "drop arith.muli",
        *("try CombineIfs on scf.if", refused, "try CombineNestedIfs on scf.if", refused),
        *("try ConditionPropagation on scf.if", refused, "try ConvertTrivialIfToSelect on scf.if"),
        "  makes scf.if, arith.select, scf.yield, scf.yield; changes func.return; takes scf.yield, scf.yield, scf.if",
        *of_select,
        "drop scf.if",
        *of_select,
        "done",
        "convert-arith-to-llvm on builtin.module",
        "try ConstantOpLowering on arith.constant",
        "  makes llvm.mlir.constant; takes arith.constant",
        "try SelectOpOneToNLowering on arith.select",
        "  makes llvm.select; takes arith.select",
        "done",
    ]


def test_what_no_pattern_does() -> None:
    cast = "builtin.unrealized_conversion_cast"
    assert events(TWICE, ["--canonicalize=enable-patterns=none", "--convert-arith-to-llvm"]) == [
        "canonicalize on builtin.module",
        "simplify: changes arith.addi; takes arith.constant",
        "simplify: takes func.return",
        "done",
        "convert-arith-to-llvm on builtin.module",
        "try ConstantOpLowering on arith.constant",
        "  makes llvm.mlir.constant; takes arith.constant",
        *("try VectorConvertToLLVMPattern on arith.addi", f"  makes {cast}, llvm.add; takes arith.addi"),
        *("try VectorConvertToLLVMPattern on arith.addi", "  makes llvm.add; takes arith.addi"),
        f"settle: makes {cast}, {cast}; takes {cast}",
        "done",
    ]


@pytest.mark.parametrize("name", SAME_AS_MLIR)
def test_the_same_patterns_as_those_of_mlir(name: str) -> None:
    path = FIXTURES / f"{name}.mlir"
    text, flags = path.read_text(encoding="utf-8"), run_flags(path)
    ours, theirs = tried(text, flags), tried_by_mlir(text, flags)
    # What is a function there has no name there.
    assert [(op, plain(mine) if other else "") for (op, mine), (_, other) in zip(ours, theirs, strict=True)] == theirs


def test_reasons_are_made_for_who_overrides_what_is_told_of_them() -> None:
    class Asking(PatternObserver):
        def left(self, op: Operation, what: str, reason: str, *, goes: bool = False) -> None: ...

    for observers, wanted in (([], False), ([Gate()], False), ([Gate(), Asking()], True)):
        with observed_by(observers):
            assert (explaining() is not None) == wanted
    assert explaining() is None
