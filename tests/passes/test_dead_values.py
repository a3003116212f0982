"""What `remove-dead-values` leaves is valid where mlir-opt's would not be."""

from __future__ import annotations

from textwrap import dedent

from fathom.ir.printer import print_module
from fathom.verify.verifier import verify
from tests.passes.running import lower


def check_left(before: str, after: str) -> None:
    """What the pass makes of the functions of a text."""
    module, said = lower("remove-dead-values", dedent(before))
    assert not said
    assert not list(verify(module))
    printed = print_module(module).split("\n")[1:]
    assert dedent("\n".join(printed[: printed.index("}")])) == dedent(after).strip("\n")


def test_an_argument_that_matters_to_nobody_goes_from_all_branches() -> None:
    check_left(
        """
        func.func @f(%c: i1, %a: i32) -> i32 {
          %x = arith.addi %a, %a : i32
          cf.cond_br %c, ^bb1(%x : i32), ^bb1(%a : i32)
        ^bb1(%y: i32):
          return %a : i32
        }
        """,
        """
        func.func @f(%arg0: i1, %arg1: i32) -> i32 {
          cf.cond_br %arg0, ^bb1, ^bb1
        ^bb1:  // 2 preds: ^bb0, ^bb0
          return %arg1 : i32
        }
        """,
    )


def test_a_function_that_somebody_has_hold_of_keeps_its_signature() -> None:
    check_left(
        """
        func.func private @f(%a: i32) -> i32 {
          %c = arith.constant 1 : i32
          return %c : i32
        }
        func.func @g() -> ((i32) -> i32) {
          %f = constant @f : (i32) -> i32
          return %f : (i32) -> i32
        }
        """,
        """
        func.func private @f(%arg0: i32) -> i32 {
          %c1_i32 = arith.constant 1 : i32
          return %c1_i32 : i32
        }
        func.func @g() -> ((i32) -> i32) {
          %f = constant @f : (i32) -> i32
          return %f : (i32) -> i32
        }
        """,
    )


def test_a_function_of_llvm_loses_arguments_and_no_result() -> None:
    check_left(
        """
        llvm.func @f(%a: i32, %b: i32) -> i32 attributes {sym_visibility = "private"} {
          llvm.return %a : i32
        }
        llvm.func @g(%a: i32, %b: i32) -> i32 {
          %0 = llvm.call @f(%a, %b) : (i32, i32) -> i32
          llvm.return %0 : i32
        }
        """,
        """
        llvm.func @f(%arg0: i32) -> i32 attributes {sym_visibility = "private"} {
          llvm.return %arg0 : i32
        }
        llvm.func @g(%arg0: i32, %arg1: i32) -> i32 {
          %0 = llvm.call @f(%arg0) : (i32) -> i32
          llvm.return %0 : i32
        }
        """,
    )


def test_a_region_that_does_not_come_to_its_end() -> None:
    check_left(
        """
        func.func @f() {
          %0 = scf.execute_region -> i32 {
            llvm.unreachable
          }
          return
        }
        """,
        """
        func.func @f() {
          llvm.unreachable
        ^bb1(%0: i32):  // no predecessors
          return
        }
        """,
    )


def test_what_an_unreachable_block_passes_says_nothing() -> None:
    check_left(
        """
        func.func @f(%x: i32, %m: memref<i32>) {
          cf.br ^bb1(%x : i32)
        ^bb1(%y: i32):
          memref.store %y, %m[] : memref<i32>
          return
        ^bb2:
          %z = arith.addi %x, %x : i32
          cf.br ^bb1(%z : i32)
        }
        """,
        """
        func.func @f(%arg0: i32, %arg1: memref<i32>) {
          cf.br ^bb1(%arg0 : i32)
        ^bb1(%0: i32):  // 2 preds: ^bb0, ^bb2
          memref.store %0, %arg1[] : memref<i32>
          return
        ^bb2:  // no predecessors
          %1 = ub.poison : i32
          cf.br ^bb1(%1 : i32)
        }
        """,
    )
