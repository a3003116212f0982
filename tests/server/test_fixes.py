"""Fixes of what the verifier says: each is tried on the text before it is offered, and MLIR takes what comes of it."""

from __future__ import annotations

import pytest

from fathom_server.features.edits import edited
from fathom_server.features.fixes import fixes_at, mistakes_of
from fathom_server.model.mistakes import first_error
from fathom_server.model.snapshot import Snapshot
from tests import oracles
from tests.server.fixture import marked_snapshot, snapshot_of
from tests.work import calls_of, check_follows_the_size

CASTS = """\
func.func private @g(i64) -> i64
func.func @f(%a: i32, %c: i1) -> i64 {
"""
LOOP = """\
func.func @f(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %n iter_args(%acc = %x) -> (f32) {
"""
GENERIC = """\
#map = affine_map<(i) -> (i)>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %y : f32
  }
  return
}
"""

FIXES = [
    # Whatever the function returned, more would stand behind this.
    ("func.func @f(%a: i32) -> i32 {\n  <|>return return %a : i32\n}", "Remove `return`", "  return %a : i32\n"),
    # What is passed on.
    ("func.func @f(%a: i32) -> i64 {\n  <|>return %a : i32\n}", "Insert `arith.extsi` to `i64`", "return %a_i64 : i64"),
    (
        "llvm.func @f(%a: i32) -> i64 {\n  <|>llvm.return %a : i32\n}",
        "Insert `llvm.zext` to `i64`",
        "%a_i64 = llvm.zext %a : i32 to i64",
    ),
    ("func.func @f(%a: i32) -> i32 {\n  <|>return\n}", "Return `%a`", "return %a : i32"),
    ("func.func @f(%a: i32) {\n  <|>return %a : i32\n}", "Leave out `%a`", "  return\n"),
    (
        CASTS + "  %0 = <|>call @g(%a) : (i32) -> i64\n  return %0 : i64\n}",
        "Insert `arith.extsi` to `i64`",
        "%0 = call @g(%a_i64) : (i64) -> i64",
    ),
    (
        CASTS
        + "  %b = arith.extsi %a : i32 to i64\n  %0 = <|>call @g(%b, %a) : (i64, i32) -> i64\n  return %0 : i64\n}",
        "Leave out `%a`",
        "%0 = call @g(%b) : (i64) -> i64",
    ),
    (
        CASTS
        + "  %b = arith.extsi %a : i32 to i64\n  %r = <|>call @g(%b) : (i64) -> i32\n  vector.print %r : i32\n"
        + "  return %b : i64\n}",
        "Insert `arith.trunci` to `i32`",
        "%r_i64 = call @g(%b) : (i64) -> i64\n  %r = arith.trunci %r_i64 : i64 to i32\n",
    ),
    (
        "func.func @f(%a: i64) -> i64 {\n  <|>cf.br ^bb1\n^bb1(%x: i64):\n  return %x : i64\n}",
        "Pass `%a`",
        "cf.br ^bb1(%a : i64)",
    ),
    (
        "func.func @f(%a: i64, %c: i1) {\n  <|>cf.cond_br %c, ^bb1(%a : i64), ^bb1\n^bb1:\n  return\n}",
        "Leave out `%a`",
        "cf.cond_br %c, ^bb1, ^bb1",
    ),
    (
        LOOP.replace("scf", "<|>scf") + "    scf.yield\n  }\n  return %r : f32\n}",
        "Yield `%acc`",
        "scf.yield %acc : f32",
    ),
    (
        "func.func @f(%c: i1, %a: i32) -> i64 {\n  %r = <|>scf.if %c -> i64 {\n    scf.yield %a : i32\n  } else {\n"
        "    scf.yield %a : i32\n  }\n  return %r : i64\n}",
        "Insert `arith.extui` to `i64`",
        "} else {\n    %a_i64 = arith.extui",
    ),
    # What ends a block.
    (LOOP + "    <|>return %acc : f32\n  }\n  return %r : f32\n}", "Change to `scf.yield`", "scf.yield %acc : f32"),
    (
        "func.func @f(%a: i32) -> i32 {\n  <|>return %a : i32\n  %b = arith.addi %a, %a : i32\n}",
        "Move `return` to the end of the block",
        "  %b = arith.addi %a, %a : i32\n  return %a : i32\n",
    ),
    (
        "func.func @f(%n: i1, %x: f32) -> f32 {\n  %r = <|>scf.if %n -> (f32) {\n    scf.yield %x : f32\n  }\n"
        "  return %r : f32\n}",
        "Add an `else` that yields `%x`",
        "  } else {\n    scf.yield %x : f32\n  }\n",
    ),
    # Other operations.
    (
        "func.func @f(%a: f32) {\n  %c = <|>arith.addi %a, %a : f32\n  return\n}",
        "Change to `arith.addf`",
        "arith.addf %a",
    ),
    (
        "func.func @f(%a: f32) {\n  %c = <|>arith.cmpi slt, %a, %a : f32\n  return\n}",
        "Change to `arith.cmpf`",
        "arith.cmpf olt, %a, %a : f32",
    ),
    (
        "func.func @f(%a: i64) {\n  %c = <|>arith.extsi %a : i64 to i32\n  return\n}",
        "Change to `arith.trunci`",
        "arith.trunci %a : i64 to i32",
    ),
    (
        "func.func @f(%a: i32) {\n  %c = <|>arith.index_cast %a : i32 to i64\n  return\n}",
        "Change to `arith.extsi`",
        "arith.extsi %a : i32 to i64",
    ),
    ("<|>func.func @g(i32)", "Make the declaration `private`", "func.func private @g(i32)"),
    # Other types.
    (
        "func.func @f(%m: memref<8x8xf32>) {\n"
        "  %s = <|>memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32>\n  return\n}",
        "Change the type to `memref<4x4xf32, strided<[8, 1]>>`",
        "to memref<4x4xf32, strided<[8, 1]>>",
    ),
    (
        "func.func @f(%m: tensor<8x8xf32>) {\n"
        "  %s = <|>tensor.extract_slice %m[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>\n  return\n}",
        "Change the type to `tensor<4x4xf32>`",
        "to tensor<4x4xf32>",
    ),
    (
        "func.func @f(%x: f32) {\n  %v = <|>vector.broadcast %x : f32 to vector<4xf64>\n  return\n}",
        "Change the type to `vector<4xf32>`",
        "to vector<4xf32>",
    ),
    (
        'func.func @f(%a: i32) {\n  %c = <|>"arith.addi"(%a, %a) : (i32, i32) -> i64\n  return\n}',
        "Change the type to `i32`",
        "(i32, i32) -> i32",
    ),
    # Numbers.
    (
        "func.func @f() {\n  %m = memref.alloc() <|>{alignment = 8 : i32} : memref<4xf32>\n  return\n}",
        "Change to `8 : i64`",
        "{alignment = 8 : i64}",
    ),
    ("func.func @f() {\n  %c = arith.constant -<|>1 : f32\n  return\n}", "Change to `1.0`", "constant -1.0 : f32"),
    ("func.func @f() {\n  %c = arith.constant <|>1.0 : i32\n  return\n}", "Change to `1`", "constant 1 : i32"),
    (
        "func.func @f() {\n  %c = arith.constant <|>dense<[[1, 2], [3, 4], [5, 6]]> : tensor<2x2xi32>\n  return\n}",
        "Change the type to `tensor<3x2xi32>`",
        "tensor<3x2xi32>",
    ),
    (
        "func.func @f() -> f32 {\n  %c = arith.constant <|>1.0 : i32\n  return %c : f32\n}",
        "Change the type to `f32`",
        "arith.constant 1.0 : f32",
    ),
    ("func.func @f() {\n  %c = arith.constant <|>300 : i8\n  return\n}", "Change the type to `i32`", "300 : i32"),
    (
        "memref.global @g : memref<2x2xf32> = dense<[[<|>1, -2], [3, 4]]>",
        "Write the elements with points",
        "dense<[[1.0, -2.0], [3.0, 4.0]]>",
    ),
    # Types of what is used, and of what is passed on.
    (
        "func.func @f(%i: index) {\n  %c = arith.constant 1 : i32\n  %d = arith.addi <|>%c, %i : index\n  return\n}",
        "Give `%c` the type `index`",
        "%c = arith.constant 1 : index",
    ),
    (
        GENERIC.replace("%x: f32", "%x: f64").replace("linalg", "<|>linalg", 1),
        "Change the type of the argument to `f32`",
        "^bb0(%x: f32, %y: f32)",
    ),
    (
        GENERIC.replace("linalg.yield %y : f32", "%t = arith.extf %x : f32 to f64\n    <|>linalg.yield %t : f64"),
        "Insert `arith.truncf` to `f32`",
        "linalg.yield %t_f32 : f32",
    ),
    # What does not parse.
    ("func.func @f(%a: i32) {\n  %0 = arith.addi %a, %a :<|>\n  return\n}", "Insert `i32`", "%a, %a : i32\n"),
    ("func.func @f(%a: <|>memrf<4xf32>) {\n  return\n}", "Change to `memref`", "%a: memref<4xf32>"),
    ("func.func @f(%a: <|>!llvm.prt) {\n  return\n}", "Change to `!llvm.ptr`", "%a: !llvm.ptr"),
    (
        "func.func @f(%i: index) {\n  %0 = arith.cmpi <|>lt, %i, %i : index\n  return\n}",
        "Change to `slt`",
        "arith.cmpi slt, %i, %i",
    ),
    (
        "func.func @f(%i: index) {\n  scf.for %k = %i to %i step %i<|>\n  }\n  return\n}",
        "Insert `{`",
        "step %i {\n  }",
    ),
    # What is defined beside functions.
    (
        "%count = arith.constant 1 : i32\n%d = arith.addi <|>%cuont, %count : i32",
        "Change to `%count`",
        "%d = arith.addi %count, %count",
    ),
    # Results.
    ("func.func @f(%a: i32) {\n  <|>%r:2 = arith.addi %a, %a : i32\n  return\n}", "Change to `%r`", "%r = arith.addi"),
    ("func.func @f() {\n  <|>%r = vector.print punctuation <comma>\n  return\n}", "Remove `%r`", "  vector.print"),
]


@pytest.mark.parametrize(
    ("marked", "title", "shown"), FIXES, ids=[f"{title} {number}" for number, (_, title, _) in enumerate(FIXES)]
)
def test_a_fix_is_offered_after_which_mlir_accepts_the_text(marked: str, title: str, shown: str) -> None:
    snapshot, (at,) = marked_snapshot(marked)
    fixes = {fix.title: fix for fix in fixes_at(snapshot, at, at)}
    assert title in fixes
    for fix in fixes.values():
        text = edited(snapshot.tree.text, fix.edit)
        assert not _errors(snapshot_of(text)), fix.title
        oracles.mlir_opt(text)
    assert shown in edited(snapshot.tree.text, fixes[title].edit)


def _errors(snapshot: Snapshot) -> list[str]:
    return [
        diagnostic.message for item in snapshot.tree.items if (diagnostic := first_error(snapshot, item)) is not None
    ]


@pytest.mark.parametrize(
    "marked",
    [
        # Whatever stands there in its place is used as what it was.
        "func.func @f(%x: f32) -> vector<4xf64> {\n  %v = <|>vector.broadcast %x : f32 to vector<4xf64>\n"
        "  return %v : vector<4xf64>\n}",
        # It is of another type.
        "%count = arith.constant 1 : i64\n%one = arith.constant 1 : i32\n%d = arith.addi <|>%cuont, %one : i32",
        # So is the name that was misspelled.
        "func.func @f(%count: i64, %a: i32) -> i32 {\n  %b = arith.addi %cuont<|>, %a : i32\n  return %b : i32\n}",
        # There is nothing of this type.
        "func.func @f(%a: i64) -> i32 {\n  <|>cf.br ^bb1\n^bb1(%x: i32):\n  return %x : i32\n}",
        # Nor a power of two that is meant.
        "func.func @f() {\n  %m = memref.alloc() <|>{alignment = 3 : i64} : memref<4xf32>\n  return\n}",
        # A terminator in the middle is there.
        "func.func @f(%a: i32) -> i32 {\n  return %a : i32\n  %b = <|>arith.addi %a, %a : i32\n}",
    ],
)
def test_what_would_bring_another_mistake_is_not_offered(marked: str) -> None:
    snapshot, (at,) = marked_snapshot(marked)
    assert not fixes_at(snapshot, at, at)


def test_a_part_of_a_document_that_a_line_divides_keeps_its_aliases() -> None:
    text = "!t = i64\n// -----\n!t = f32\n\nfunc.func @f(%a: !t) {\n  %c = <|>arith.addi %a, %a : !t\n  return\n}"
    snapshot, (at,) = marked_snapshot(text)
    assert "Change to `arith.addf`" in [fix.title for fix in fixes_at(snapshot, at, at)]


def test_the_operations_of_all_mistakes_are_found_at_the_cost_of_the_text() -> None:
    def cost(lines: int) -> int:
        text = "".join(f"  %{number} = arith.addi %a, %a : f64\n" for number in range(lines))
        snapshot = snapshot_of(f"func.func @f(%a: f64) {{\n{text}  return\n}}\n")
        mistakes = [mistake for mistake in mistakes_of(snapshot) if mistake.op() is not None]
        assert len(mistakes) == lines
        return calls_of(lambda: [(mistake.op(), mistake.function()) for mistake in mistakes])

    check_follows_the_size(cost, 20)
