"""While a function is typed, taken back, or pasted in halves, the others keep all that an editor shows of them: hover,
definition, symbols, completion, semantic tokens and highlights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from fathom_server.features.completion import completion
from fathom_server.features.highlight import highlights
from fathom_server.features.hover import hover
from fathom_server.features.navigation import definition
from fathom_server.features.semantic_tokens import tokens_between
from fathom_server.features.symbols import OutlineEntry, outline
from fathom_server.model.document import Document
from fathom_server.model.snapshot import Snapshot
from tests.server.fixture import document_of

FIRST: Final = """\
func.func @first(%a: i32) -> i32 {
  %x = arith.addi %a, %a : i32
  return %x : i32
}
"""
LAST: Final = FIRST.replace("@first", "@last").replace("%x", "%y")

FUNCTIONS: Final = {
    "a loop": """\
func.func @new(%m: memref<?xf32>, %n: index) -> f32 {
  %c1 = arith.constant 1 : index
  // a comment { with brackets ( in it
  %sum = scf.for %i = %n to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %v = memref.load %m[%i] : memref<?xf32>
    scf.yield %v : f32
  } {note = "a \\"string\\""}
  return %sum : f32
}
""",
    "blocks": """\
func.func private @new(%c: i1, %x: i32) -> i32 attributes {a = [1, 2], b} {
  cf.cond_br %c, ^bb1, ^bb2(%x : i32)
^bb1:
  %0:2 = func.call @last(%x) : (i32) -> i32
  cf.br ^bb2(%0#1 : i32)
^bb2(%y: i32):
  return %y : i32
}
""",
    "the generic form": """\
"func.func"() <{function_type = (i32) -> (), sym_name = "new"}> ({
^bb0(%x: i32):
  %0 = "arith.addi"(%x, %x) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  "func.return"() : () -> ()
}) : () -> ()
""",
    "a literal over lines": """\
func.func @new() -> tensor<2x2xi32> {
  %0 = arith.constant {é = "größer 🌍"} dense<[
    [1, 2],
    [-3, 0x4]
  ]> : tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}
""",
    "linalg": """\
func.func @new(%a: memref<4xf32>, %x: f32) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]} outs(%a : memref<4xf32>) {
  ^bb0(%out: f32):
    linalg.yield %x : f32
  }
  return
}
""",
    "what nobody knows": """\
func.func @new(%a: !test.type<i32, #test<{x = 1}>>) {
  %0 = test.op %a -> [1, 2] {a = @first} : !test.type<i32>
  test.region %0 {
    %x = test.inner %0
  }
  return loc("a.mlir":3:4)
}
""",
}


def kept(snapshot: Snapshot) -> list[object]:
    """What is shown of the functions that nobody touches."""
    return [_shown(snapshot, name, value) for name, value in (("first", "%x"), ("last", "%y"))]


def _shown(snapshot: Snapshot, name: str, value: str) -> object:
    """Hover, definition, completion, highlights and tokens at a use of a value; places count from the function."""
    text = snapshot.tree.text
    start = text.index(f"func.func @{name}(")
    use = text.index(f"return {value}", start) + len("return %")
    shown = hover(snapshot, use)
    offered = completion(snapshot, use)
    return (
        shown.markdown if shown is not None else None,
        [(span.start - start, span.end - start) for span in definition(snapshot, use)],
        [suggestion.label for suggestion in offered.suggestions] if offered is not None else [],
        [(highlight.start - start, highlight.is_definition) for highlight in highlights(snapshot, use) or ()],
        tokens_between(snapshot, start, text.index("}\n", use), "utf-16").numbers.partition(",")[2],
    )


def check_state(snapshot: Snapshot, expected: list[object], typed: str) -> None:
    names = [entry.name for entry in _flat(snapshot)]
    assert "@first" in names, typed
    assert "@last" in names, typed
    assert kept(snapshot) == expected, typed


def _flat(snapshot: Snapshot) -> Iterator[OutlineEntry]:
    pending = list(outline(snapshot))
    while pending:
        entry = pending.pop()
        yield entry
        pending += entry.children


def states(text: str, way: str) -> Iterator[tuple[Document, str]]:
    """The states of a document while a text is typed between two functions, each with what is there of it."""
    document = document_of(f"{FIRST}\n{LAST}")
    line = FIRST.count("\n")
    places = [(line, 0)]
    for character in text:
        at, column = places[-1]
        places.append((at + 1, 0) if character == "\n" else (at, column + 1))
    match way:
        case "forwards":
            for count, character in enumerate(text):
                document.edit(places[count], places[count], character)
                yield document, text[: count + 1]
        case "backwards":
            document.edit(places[0], places[0], text)
            for count in range(len(text) - 1, -1, -1):
                document.edit(places[count], places[count + 1], "")
                yield document, text[:count]
        case _:
            for count in range(0, len(text), 7):
                document.edit(places[0], places[0], text[:count])
                yield document, text[:count]
                document.edit(places[count], places[count], text[count:])
                yield document, text
                document.edit(places[0], places[-1], "")


@pytest.mark.parametrize("way", ["forwards", "backwards", "in halves"])
@pytest.mark.parametrize("kind", FUNCTIONS)
def test_in_every_state_the_others_keep_what_is_shown_of_them(kind: str, way: str) -> None:
    expected = kept(document_of(f"{FIRST}\n{LAST}").snapshot())
    for number, (document, typed) in enumerate(states(FUNCTIONS[kind], way)):
        document.version = number
        check_state(document.snapshot(), expected, typed)
