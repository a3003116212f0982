"""What `ownership-based-buffer-deallocation` cannot go by, it reports in MLIR's words, at its place; and what dialects
of one's own say of buffers, the passes go by."""

from __future__ import annotations

from typing import Final

from fathom.bufferization.allocations import ALLOCATIONS, Allocation
from fathom.bufferization.ownership import DEALLOCATION, Deallocating, Ownership, constant
from fathom.bufferization.view_flow import VIEW_FLOW
from fathom.context import Context
from fathom.elaborate import load
from fathom.ir.operation import Operation, Value
from fathom.ir.printer import print_module
from fathom.irdl.definition import OpDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.interfaces import Effect, EffectKind, MemoryEffects
from fathom.irdl.traits import PURE
from fathom.rewriting.rewriter import Rewriter
from tests.passes.running import run_pass
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


# ---- dialects of one's own


class Take(Deallocating):
    """What is taken is for who takes it to free."""

    def process(self, op: Operation, state: Ownership, rewriter: Rewriter) -> None:
        state.add(op.result, constant(rewriter, True))
        state.free_at_end(op.result, op.parent)


def picked(op: Operation) -> list[tuple[Value, Value]]:
    return [(operand, op.result) for operand in op.operands]


SHOP: Final = Dialect(
    "shop",
    (
        OpDefinition("shop.lease", interfaces=(MemoryEffects(lambda op: [Effect(EffectKind.ALLOCATE, op.result)]),)),
        OpDefinition("shop.pick", traits=(PURE,)),
        OpDefinition("shop.take"),
        OpDefinition("shop.use", interfaces=(MemoryEffects(lambda op: [Effect(EffectKind.WRITE, op.operands[0])]),)),
    ),
    aspects={
        ALLOCATIONS: lambda: {"shop.lease": Allocation(to_dominators=True, out_of_loops=True)},
        DEALLOCATION: lambda: {"shop.take": Take()},
        VIEW_FLOW: lambda: {"shop.pick": picked},
    },
)


def check_own(text: str, name: str, expected: str) -> None:
    """What a pass makes of a function with operations of a dialect of one's own."""
    context = Context().with_dialect(SHOP)
    loaded = load(text, context)
    assert not loaded.has_errors, loaded.diagnostics
    assert run_pass(name, loaded.module, context=context) == []
    assert print_module(loaded.module).strip() == expected.strip()


def test_an_operation_says_who_frees_what_it_gives() -> None:
    check_own(
        """func.func @f() {
  %a = "shop.lease"() : () -> memref<f32>
  %b = "shop.take"() : () -> memref<f32>
  "shop.use"(%b) : (memref<f32>) -> ()
  return
}
""",
        "ownership-based-buffer-deallocation",
        """module {
  func.func @f() {
    %true = arith.constant true
    %0 = "shop.lease"() : () -> memref<f32>
    %true_0 = arith.constant true
    %1 = "shop.take"() : () -> memref<f32>
    "shop.use"(%1) : (memref<f32>) -> ()
    %base_buffer, %offset = memref.extract_strided_metadata %0 : memref<f32> -> memref<f32>, index
    %base_buffer_1, %offset_2 = memref.extract_strided_metadata %1 : memref<f32> -> memref<f32>, index
    bufferization.dealloc (%base_buffer, %base_buffer_1 : memref<f32>, memref<f32>) if (%true, %true_0)
    return
  }
}
""",
    )


def test_an_operation_says_which_buffers_it_hands_on() -> None:
    check_own(
        """func.func @f(%c: i1) {
  %a = "shop.lease"() : () -> memref<f32>
  %b = "shop.lease"() : () -> memref<f32>
  %d = "shop.lease"() : () -> memref<f32>
  %p = "shop.pick"(%a, %b) : (memref<f32>, memref<f32>) -> memref<f32>
  "shop.use"(%p) : (memref<f32>) -> ()
  "shop.use"(%d) : (memref<f32>) -> ()
  bufferization.dealloc (%p, %a, %d : memref<f32>, memref<f32>, memref<f32>) if (%c, %c, %c)
  return
}
""",
        "buffer-deallocation-simplification",
        """module {
  func.func @f(%arg0: i1) {
    %0 = "shop.lease"() : () -> memref<f32>
    %1 = "shop.lease"() : () -> memref<f32>
    %2 = "shop.lease"() : () -> memref<f32>
    %3 = "shop.pick"(%0, %1) : (memref<f32>, memref<f32>) -> memref<f32>
    "shop.use"(%3) : (memref<f32>) -> ()
    "shop.use"(%2) : (memref<f32>) -> ()
    bufferization.dealloc (%2 : memref<f32>) if (%arg0)
    bufferization.dealloc (%3, %0 : memref<f32>, memref<f32>) if (%arg0, %arg0)
    return
  }
}
""",
    )


def test_an_operation_says_where_it_may_allocate_instead() -> None:
    check_own(
        """func.func @f(%n: index, %step: index) {
  scf.for %i = %n to %n step %step {
    %a = "shop.lease"() : () -> memref<f32>
    "shop.use"(%a) : (memref<f32>) -> ()
  }
  return
}
""",
        "buffer-loop-hoisting",
        """module {
  func.func @f(%arg0: index, %arg1: index) {
    %0 = "shop.lease"() : () -> memref<f32>
    scf.for %arg2 = %arg0 to %arg0 step %arg1 {
      "shop.use"(%0) : (memref<f32>) -> ()
    }
    return
  }
}
""",
    )
