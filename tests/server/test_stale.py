"""Whatever is edited, a client that asks again for what the server says may be another has what a new server tells."""

from __future__ import annotations

import random
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from fathom.context import default_context
from fathom_server.model.document import TextChange
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.settings import Settings, updated
from tests.properties import examples
from tests.server.watching import WATCHED, Client, some_changes

SUM = """\
omp.declare_reduction @sum : i32 init {
^bb0(%x: i32):
  %0 = arith.constant 0 : i32
  omp.yield(%0 : i32)
} combiner {
^bb0(%a: i32, %b: i32):
  %0 = arith.addi %a, %b : i32
  omp.yield(%0 : i32)
}
"""
SUMS = """\
func.func @sums(%p: !llvm.ptr) {
  omp.parallel reduction(@sum %p -> %q : !llvm.ptr) {
    omp.terminator
  }
  return
}
"""
CALLS = """\
func.func @calls(%a: i32) -> i32 {
  %x = arith.addi %a, %a : i32
  call @f(%x) : (i32) -> ()
  return %x : i32
}
"""
TENSOR = """\
func.func @left(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  return %t : tensor<4xf32>
}
"""
ALLOCATES = """\
func.func @allocates() {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
"""
KERNEL = """\
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel() kernel { gpu.return }
  }
  func.func @launches(%n: index) {
    gpu.launch_func @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
"""
WHOLES = (SUM, SUMS, CALLS, TENSOR, ALLOCATES, KERNEL)

PIECES = (
    *WHOLES,
    *("// -----\n", "module @a {\n", "module {\n", "gpu.module @kernels {\n", "}\n", "}\n", "\n", "// a comment\n"),
    *("!t = i32\n", "!t = i64\n", "#map = affine_map<(d0) -> (d0)>\n"),
    *("func.func private @f(i32)\n", "func.func private @f(i64)\n", "func.func private @g(!t)\n"),
    *("memref.global @f : memref<!t>\n", "func.func @f(%a: i32) {\n", "func.func @h(%a: !t) {\n", "return\n"),
    *("func.call @f(%a) : (i32) -> ()\n", "func.call @h(%a) : (!t) -> ()\n", "nn.relu %a : i32\n"),
    *("llvm.func @malloc(i32) -> !llvm.ptr\n", "llvm.func @malloc(i64) -> !llvm.ptr\n", "rocdl.barrier\n"),
    *(
        '%v = "a.b"() : () -> i32\n',
        '%v = "a.b"() : () -> i64\n',
        '"a.use"(%v) : (i32) -> ()\n',
        '"a.use"(%w) : (i32)\n',
    ),
    "// RUN: mlir-opt %s --convert-arith-to-llvm --convert-func-to-llvm\n",
    "// RUN: mlir-opt %s --some-pass --convert-func-to-llvm --reconcile-unrealized-casts\n",
    "func.func @short(%a: i32) { call @sums(%p) : (!llvm.ptr) -> () return }\n",
    'spirv.module Logical GLSL450 {\n  "other.op"() : () -> ()\n}\n',
)
FUNCTIONS = ("calls", "left", "allocates", "launches", "sums", "f", "a::f")
SETTINGS = ({}, {"loweringDiagnostics": "always"}, {"loweringDiagnostics": "never"}, {"unusedDiagnostics": False})


def settings_of(section: Mapping[str, object]) -> Settings:
    return updated(Settings(), section)[0]


@examples(60)
@given(st.randoms(use_true_random=False), st.integers(1, 10))
def test_after_any_edits_a_client_has_what_a_new_server_tells(chance: random.Random, count: int) -> None:
    text = "".join(chance.sample(PIECES, chance.randrange(3, 12)))
    client = Client(text, default_context(), settings_of(chance.choice(SETTINGS)))
    client.ask_for_lenses()
    client.work(chance.choice((None, None, 0, 2)))
    for _ in range(count):
        if chance.random() < 0.5:
            client.watch(chance.choice(WATCHED), chance.choice(FUNCTIONS))
        if chance.random() < 0.1:
            client.opened.ask_for(chance.choice((None, *FUNCTIONS)))
        if chance.random() < 0.1:
            client.configure(settings_of(chance.choice(SETTINGS)))
        client.edit(some_changes(client.opened.document, chance, PIECES))
        client.work(chance.choice((None, None, 0, 1, 3)))
    client.work()
    client.check_lowered()
    client.check_like_new()


def test_a_preview_moves_with_the_symbols_that_a_function_is_lowered_with() -> None:
    text = f"{ALLOCATES}// a comment\nllvm.func @malloc(i64) -> !llvm.ptr\n"
    client = Client(text, default_context(), Settings())
    client.watch("llvm-dialect", "allocates")
    client.edit([TextChange("// another\n", (5, 0), (5, 0))])
    client.work()
    client.check_like_new()


def test_that_a_name_is_given_twice_concerns_those_who_have_it() -> None:
    text = "".join(f"func.func private @f{number}(i32)\n" for number in range(100))
    client = Client(text, default_context(), Settings())
    client.work()
    client.edit([TextChange("func.func private @f7(i32)\n", (50, 0), (50, 0))])
    snapshot = client.opened.document.snapshot()
    assert all(diagnostics.is_known(snapshot, item) for item in snapshot.tree.items)
    client.edit([TextChange("", (50, 0), (51, 0))])
    client.check_like_new()
