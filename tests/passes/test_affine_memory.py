"""Passes on affine loops leave alone, or copy, what those of mlir-opt 22 change though something else sees it: a view,
a call, an iteration that never runs. All else is held against mlir-opt's text in `test_fixtures.py`."""

from __future__ import annotations

from textwrap import dedent

import pytest

from fathom.budget import Allowance, allowing
from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.ops.affine import ForOp
from fathom.passes.affine.invariants import move_invariants
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run

BEGIN = """\
memref.global "private" @g : memref<8xf32>
func.func private @call()
func.func private @see(memref<8xf32>)
func.func private @seen(memref<?xf32>)
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %x: f32, %n: index, %c: i1, %large: memref<32xf32>) {
"""
PRODUCER = "affine.for %i = 0 to 8 {{\n  affine.store %x, %a[%i] : memref<8xf32>\n  {}\n}}\n"
CONSUMER = """\
affine.for %i = 0 to 8 {{
  %y = affine.load %a[%i] : memref<8xf32>
  affine.store %y, %b[%i] : memref<8xf32>
  {}
}}
"""
CAST = "%v = memref.cast %a : memref<8xf32> to memref<?xf32>\n"
TILES = """\
affine.for %i = 0 to {} step {} {{
  affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + {})>(%i) {{
    affine.store %x, {}[%j] : memref<{}xf32>
  }}
}}
"""
FUSION, INVARIANTS, COPIES = (
    "affine-loop-fusion",
    "affine-loop-invariant-code-motion",
    "affine-data-copy-generate{fast-mem-space=1}",
)


def made(use: str, body: str) -> tuple[str, str]:
    """A function with this body, as it is printed, before a pass and after it."""
    loaded = load(f"{BEGIN}{dedent(body)}\nreturn\n}}\n")
    assert not loaded.has_errors, loaded.diagnostics
    before = print_module(loaded.module)
    result = run(parse_pipeline(f"builtin.module(func.func({use}))"), loaded.module, default_context())
    assert not result.diagnostics
    return before, print_module(loaded.module)


@pytest.mark.parametrize(
    "body",
    [
        PRODUCER.format("func.call @see(%a) : (memref<8xf32>) -> ()") + CONSUMER.format(""),
        PRODUCER.format("func.call @call() : () -> ()") + CONSUMER.format("func.call @call() : () -> ()"),
        PRODUCER.format("vector.print %x : f32") + CONSUMER.format("vector.print %x : f32"),
        PRODUCER.format("") + CAST + "func.call @seen(%v) : (memref<?xf32>) -> ()\n" + CONSUMER.format(""),
        PRODUCER.format("") + CAST + "memref.store %x, %v[%n] : memref<?xf32>\n" + CONSUMER.format(""),
        CAST + PRODUCER.format("affine.store %x, %v[7 - %i] : memref<?xf32>") + CONSUMER.format(""),
        CAST + PRODUCER.format("") + CONSUMER.format("affine.store %x, %v[7 - %i] : memref<?xf32>"),
        PRODUCER.format("memref.store %x, %a[%n] : memref<8xf32>") + CONSUMER.format(""),
    ],
    ids=[
        "a call changes the buffer",
        "calls keep their order",
        "so does what prints",
        "a call between them sees a cast",
        "a cast is written between them",
        "the first writes a cast too",
        "the second writes a cast too",
        "a store that is not affine",
    ],
)
def test_loops_stay_apart(body: str) -> None:
    before, after = made(FUSION, body)
    assert after == before


def test_loops_on_two_names_of_a_global_stay_apart() -> None:
    names = "%g = memref.get_global @g : memref<8xf32>\n%h = memref.get_global @g : memref<8xf32>\n"
    body = PRODUCER.format("affine.store %x, %h[7 - %i] : memref<8xf32>") + CONSUMER.format("")
    before, after = made(FUSION, names + body.replace("%a", "%g"))
    assert after == before


@pytest.mark.parametrize("seen", ["func.call @call() : () -> ()", "vector.print %x : f32"])
def test_loops_of_which_one_calls_become_one(seen: str) -> None:
    _, after = made(FUSION, PRODUCER.format(seen) + CONSUMER.format(""))
    assert after.count("affine.for") == 1


@pytest.mark.parametrize(
    "body",
    [
        "affine.for %i = 0 to 0 {\n  affine.store %x, %a[0] : memref<8xf32>\n}",
        "affine.for %i = 0 to %n {\n  affine.store %x, %a[0] : memref<8xf32>\n}",
        "affine.for %i = 0 to 8 {\n  affine.for %j = 1 to affine_map<(d0) -> (d0)>(%i) {\n"
        "    affine.store %x, %a[%i] : memref<8xf32>\n  }\n}",
        "affine.for %i = 0 to 8 {\n  %y = affine.load %a[0] : memref<8xf32>\n"
        "  affine.store %y, %b[%i] : memref<8xf32>\n  func.call @see(%a) : (memref<8xf32>) -> ()\n}",
        CAST + "affine.for %i = 0 to 8 {\n  %y = affine.load %a[0] : memref<8xf32>\n"
        "  affine.store %y, %v[7 - %i] : memref<?xf32>\n}",
    ],
    ids=["never", "perhaps never", "not in the first iteration around", "a call", "a cast"],
)
def test_accesses_stay_in_loops(body: str) -> None:
    before, after = made(INVARIANTS, body)
    assert after == before


def test_a_store_leaves_a_loop_that_surely_runs() -> None:
    body = """
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to min affine_map<(d0) -> (64, 8 - d0)>(%i) {
        affine.store %x, %a[%i] : memref<8xf32>
      }
    }
    """
    _, after = made(INVARIANTS, body)
    assert after.index("affine.store") < after.index("affine.for %arg7")


@pytest.mark.parametrize(
    ("body", "is_filled"),
    [
        ("affine.for %i = 0 to 4 {\n  affine.store %x, %a[2 * %i] : memref<8xf32>\n}", True),
        ("affine.for %i = 0 to 8 {\n  scf.if %c {\n    affine.store %x, %a[%i] : memref<8xf32>\n  }\n}", True),
        (
            "affine.for %i = 0 to 8 {\n  affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) {\n"
            "    affine.store %x, %a[%i] : memref<8xf32>\n  }\n}",
            True,
        ),
        (
            "affine.for %i = 0 to 8 {\n  affine.for %j = 0 to %n {\n"
            "    affine.store %x, %a[%i] : memref<8xf32>\n  }\n}",
            True,
        ),
        (
            "affine.for %i = 0 to 2 {\n  affine.store %x, %a[%i] : memref<8xf32>\n"
            "  affine.store %x, %a[%i + 5] : memref<8xf32>\n}",
            True,
        ),
        (TILES.format(8, 4, 3, "%a", 8), True),
        ("affine.for %i = 0 to 8 {\n  affine.store %x, %a[7 - %i] : memref<8xf32>\n}", False),
        (
            "affine.for %i = 0 to 5 {\n  affine.for %j = affine_map<(d0) -> (d0)>(%i) to "
            "affine_map<(d0) -> (d0 + 4)>(%i) {\n    affine.store %x, %a[%j] : memref<8xf32>\n  }\n}",
            False,
        ),
        (TILES.format(8, 4, 4, "%a", 8), False),
        (TILES.format(8, 4, 4, "%large", 32), False),
    ],
    ids=[
        *("every second", "scf.if", "affine.if", "perhaps never", "with a gap", "tiles with gaps"),
        *("all, backwards", "all, in pieces", "all, by tiles", "a part, by tiles"),
    ],
)
def test_a_buffer_is_filled_unless_all_of_it_is_written(body: str, is_filled: bool) -> None:
    _, after = made(COPIES, body)
    assert after.count("affine.load") == 1 + is_filled
    assert ("affine.load %arg0" in after or "affine.load %arg5" in after) == is_filled


@pytest.mark.parametrize(
    "body",
    [
        PRODUCER.format("func.call @see(%a) : (memref<8xf32>) -> ()"),
        PRODUCER.format("memref.store %x, %a[%n] : memref<8xf32>"),
        CAST + PRODUCER.format("memref.store %x, %v[%n] : memref<?xf32>"),
    ],
    ids=["a call", "a store that is not affine", "a cast"],
)
def test_what_something_else_uses_gets_no_buffer(body: str) -> None:
    _, after = made(COPIES, body)
    assert "memref.alloc" not in after and "affine.store %arg2, %arg0" in after


def test_each_access_is_compared_with_those_of_its_memory() -> None:
    """What is moved out of a loop is found in steps in proportion to the loop, however many buffers are in it."""
    count = 400
    buffers = "".join(f"%m{number} = memref.alloc() : memref<4xf32>\n" for number in range(count))
    stores = "".join(f"affine.store %v, %m{number}[0] : memref<4xf32>\n" for number in range(count))
    loaded = load(f"func.func @f(%v: f32) {{ {buffers} affine.for %i = 0 to 10 {{ {stores} }} return }}")
    (function,) = [op for op in loaded.module.walk() if op.name == "func.func"]
    with allowing(Allowance(200)):
        assert move_invariants(function, default_context()) == []
    (loop,) = [op for op in function.walk() if isinstance(op, ForOp)]
    assert len([*loop.region.entry]) == 1
