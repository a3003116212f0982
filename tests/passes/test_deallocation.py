"""What `ownership-based-buffer-deallocation` cannot go by, it reports in MLIR's words, at its place."""

from __future__ import annotations

from typing import Final

from tests.passes.test_reports import check_report, function

PASS: Final = "ownership-based-buffer-deallocation"
EFFECTS: Final = "ops with unknown memory side effects are not supported"


def test_branches_that_lead_back() -> None:
    check_report(
        "<|>func.func @f(%c: i1) {<|>\n  cf.br ^bb1\n^bb1:\n  cf.cond_br %c, ^bb1, ^bb2\n^bb2:\n  return\n}\n",
        PASS,
        "Only structured control-flow loops are supported.",
    )


def test_what_is_freed_already() -> None:
    frees = "memory free side-effect on MemRef value not supported!"
    check_report(function("<|>memref.dealloc %m : memref<4xf32><|>", "%m: memref<4xf32>"), PASS, frees)
    present = "No deallocation operations must be present when running this pass!"
    dealloc = "<|>bufferization.dealloc (%m : memref<4xf32>) if (%c)<|>"
    check_report(function(dealloc, "%m: memref<4xf32>, %c: i1"), PASS, present)


def test_effects_that_nobody_knows() -> None:
    check_report(function('<|>"shop.fill"(%m) : (memref<4xf32>) -> ()<|>', "%m: memref<4xf32>"), PASS, EFFECTS)


def test_branches_of_several_ways() -> None:
    switch = "<|>cf.switch %f : i32, [\n    default: ^bb1(%m : memref<4xf32>),\n    1: ^bb1(%m : memref<4xf32>)\n  ]<|>"
    check_report(
        f"func.func @f(%f: i32, %m: memref<4xf32>) {{\n  {switch}\n^bb1(%x: memref<4xf32>):\n  return\n}}\n",
        PASS,
        "Terminators with more than one successor are not supported!",
    )


def test_a_buffer_of_which_nobody_knows_who_owns_it() -> None:
    check_report(
        """func.func @f() {
  %a = <|>memref.alloc() : memref<4xf32><|>
  cf.br ^bb1(%a : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  return
}
""",
        PASS,
        "MemRef value does not have valid ownership",
    )
