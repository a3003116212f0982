"""Of which class a piece is that is brought to LLVM IR, and what is told of one that is not."""

from __future__ import annotations

import pytest

from tests.oracles import mlir_opt
from tests.suite.answers import Piece
from tests.suite.reach import OPTIONS, class_of, reached_by_fathom


def piece(text: str) -> Piece:
    return Piece("a.mlir", 0, 0, text)


@pytest.mark.parametrize("name", OPTIONS)
def test_mlir_opt_has_the_passes(name: str) -> None:
    assert "llvm.func @f" in mlir_opt("func.func @f(%a: f32) -> f32 { return %a : f32 }", *OPTIONS[name])


def test_the_class_is_that_of_the_code() -> None:
    assert class_of(piece("func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) { return }")) == "tensors"
    assert class_of(piece("func.func @f(%m: memref<4xf32>) { return } // tensor<4xf32>")) == "memrefs"
    assert class_of(piece("// memref<4xf32>\nfunc.func @f(%a: f32) { return }")) == "scalars"


def test_what_is_brought_to_llvm_ir_has_no_problem() -> None:
    assert not reached_by_fathom(piece("func.func @f(%a: f32) -> f32 { return %a : f32 }")).problem


def test_what_is_in_the_way_is_the_first_error() -> None:
    left = reached_by_fathom(piece('func.func @f() {\n  "gpu.barrier"() : () -> ()\n  return\n}'))
    assert "gpu.barrier" in left.problem
