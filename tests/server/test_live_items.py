"""A big item that stays elaborated and verified while it is edited has the diagnostics that a new document has."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.context import default_context
from fathom.ir.operation import Operation
from fathom_server.model import elaboration
from fathom_server.model.document import Document
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.settings import Settings
from tests.elaborate.edits import BIG, KINDS, LOOPS, Edit, an_edit, difference, lines_after
from tests.properties import examples
from tests.syntax.trees import EXAMPLES

CONTEXT = default_context()

CALLEE = "func.func private @callee(i32) -> i32\n"
CALLER = BIG.replace("  return %8", "  %9 = func.call @callee(%8) : (i32) -> i32\n  return %8")


def found(document: Document, *, apart: bool = False) -> list[object]:
    """What is wrong with a document, item by item; with `apart`, as those find it who have no IR that stays."""
    if apart:
        document = Document(document.uri, 0, document.tree.text, CONTEXT, Settings())
        document.memory.lives = None
    snapshot = document.snapshot()
    return [
        [(d.message, d.span, d.code, [(n.message, n.span) for n in d.notes]) for d in diagnostics(snapshot, item)]
        for item in document.tree.items
    ]


def any_edit(numbers: Random) -> Edit:
    return numbers.choice(KINDS), numbers.randrange(200), numbers.randrange(200), numbers.randrange(200)


def check_edits(text: str, edits: Iterable[Edit]) -> None:
    document = Document("file:///a.mlir", 0, text, CONTEXT, Settings())
    found(document)
    former: list[list[str]] = []
    for edit in edits:
        lines = document.tree.text.splitlines(keepends=True)
        after = lines_after(edit, lines, former)
        former.append(lines)
        first, last = difference(lines, after)
        document.edit((first, 0), (len(lines) - last, 0), "".join(after[first : len(after) - last]))
        assert document.tree.text == "".join(after)
        anew = Document("file:///a.mlir", 0, document.tree.text, CONTEXT, Settings())
        assert found(document) == found(anew) == found(anew, apart=True)


MASKS = """\
func.func @masks(%m: memref<?xf32>, %i: index, %c: i1, %k: vector<4xi1>, %v: vector<4xf32>) -> f32 {
  %r = vector.mask %k {
    vector.reduction <add>, %v : vector<4xf32> into f32
  } : vector<4xi1> -> f32
  vector.mask %k {
    vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<?xf32>
  } : vector<4xi1>
  %q = vector.mask %k {
    %z = vector.reduction <mul>, %v : vector<4xf32> into f32
    vector.yield %z : f32
  } : vector<4xi1> -> f32
  return %r : f32
}
"""
"""Regions whose terminator may be left out, and then takes values."""


@pytest.fixture(autouse=True)
def _all_items_are_big(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elaboration, "LIVE_FROM", 1)


@examples(30)
@given(st.lists(an_edit(), min_size=1, max_size=8))
def test_edits_find_what_a_new_document_finds(edits: list[Edit]) -> None:
    check_edits(CALLEE + CALLER, edits)


@examples(30)
@given(st.lists(an_edit(), min_size=1, max_size=8))
def test_edits_of_regions_find_what_a_new_document_finds(edits: list[Edit]) -> None:
    check_edits(LOOPS, edits)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.mlir")), ids=lambda path: path.stem)
def test_edits_of_examples(path: Path) -> None:
    numbers = Random(path.stem)
    for _ in range(3):
        check_edits(path.read_text(), [any_edit(numbers) for _ in range(6)])


def operations() -> int:
    """How many operations there are, in use or not."""
    return sum(type(held) is Operation for held in gc.get_objects())


@pytest.mark.parametrize("insert", ["^bb7:\n", "  scf.if %c {\n"])
def test_ir_that_an_edit_outdates_is_gone_before_the_collector_comes(insert: str) -> None:
    lines = [f"  %n{number} = arith.addi %0, %1 : i32\n" for number in range(150)]
    text = BIG.replace("  %2:2", "".join(lines) + "  %2:2")
    document = Document("file:///a.mlir", 0, text, CONTEXT, Settings())
    line = text.count("\n", 0, text.index("  %n100"))
    # What other tests have made is not looked at.
    gc.freeze()
    gc.disable()
    try:
        found(document)
        once = operations()
        for _ in range(6):
            document.edit((line, 0), (line, 0), insert)
            found(document)
            document.edit((line, 0), (line + 1, 0), "")
            found(document)
        assert operations() < 2 * once
        document.close()
        assert operations() < once // 2
    finally:
        gc.enable()


PATTERNS = """\
transform.named_sequence @m(%root: !transform.any_op) {
  transform.with_pdl_patterns %root : !transform.any_op {
  ^bb0(%arg0: !transform.any_op):
    transform.sequence %arg0 : !transform.any_op failures(propagate) {
    ^bb0(%arg1: !transform.any_op):
    }
  }
  transform.yield
}
"""
"""A symbol table that is not isolated from above, in an operation that is."""
UNENDED = """\
func.func @f(%a: i32) {
  %0 = arith.addi %a, %a : i32
  cf.br ^bb1
^bb1:
  %1 = arith.muli %a, %a : i32
^bb2:
  return
}
"""
"""A mistake whose message has the number of a value."""


@pytest.mark.parametrize(
    ("text", "line", "replaced"),
    [
        (PATTERNS, 4, "     ^bb0(%arg1: !transform.any_op):\n"),
        (PATTERNS, 6, "  } loc(unknown)\n"),
        (UNENDED, 1, ""),
        (UNENDED, 4, "  %1 = arith.addi %a, %a : i32\n"),
    ],
)
def test_a_line_is_replaced_and_put_back(text: str, line: int, replaced: str) -> None:
    document = Document("file:///a.mlir", 0, text, CONTEXT, Settings())
    found(document)
    former = text.splitlines(keepends=True)[line]
    for now, then in ((former, replaced), (replaced, former)):
        document.edit((line, 0), (line + bool(now), 0), then)
        anew = Document("file:///a.mlir", 0, document.tree.text, CONTEXT, Settings())
        assert found(document) == found(anew) == found(anew, apart=True)


@examples(15)
@given(st.lists(an_edit(), min_size=1, max_size=5))
def test_edits_of_masked_operations_find_what_a_new_document_finds(edits: list[Edit]) -> None:
    check_edits(MASKS, edits)


WRAPPED = """\
spirv.module Logical GLSL450 {
  spirv.SpecConstant @sc = 42 : i32
  spirv.func @f(%c: i1) -> i32 "None" {
    %0 = spirv.mlir.referenceof @sc : i32
    %1 = spirv.Constant 2 : i32
    %2 = spirv.SpecConstantOperation wraps "spirv.IAdd"(%0, %1) : (i32, i32) -> i32
    %3 = spirv.SpecConstantOperation wraps "spirv.IMul"(%2, %2) : (i32, i32) -> i32
    %4 = spirv.FunctionCall @f(%c) : (i1) -> i32
    spirv.ReturnValue %3 : i32
  }
}
"""
"""Operations in other operations, without a line of their own."""


@pytest.mark.parametrize("seed", range(6))
def test_edits_of_wrapped_operations_find_what_a_new_document_finds(seed: int) -> None:
    numbers = Random(seed)
    check_edits(WRAPPED, [any_edit(numbers) for _ in range(3)])
