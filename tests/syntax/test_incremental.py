"""Any sequence of edits gives the same tree, mistakes and names as parsing the final text from nothing."""

from __future__ import annotations

import random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from fathom.context import Context
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from tests.syntax.trees import EXAMPLES, names, parse_afresh, structure

MIXED = """\
// A comment, and an alias.
#map = affine_map<(d0) -> (d0)>
!word = i32
module @m attributes {a = 1 : i32} {
  "func.func"() <{sym_name = "h", function_type = (i32) -> ()}> ({
  ^bb0(%a: i32):
    %0 = "arith.addi"(%a, %a) : (i32, i32) -> i32
    "foo.for"(%0) ({
      %1 = foo.bar %0 : i32
    }, {
      "x.y"() : () -> ()
    }) {a = 1} : (i32) -> ()
    foo.wrap %a {
      foo.b %a
      name %a
    } -> !foo.t
    "func.return"() : () -> ()
  }) : () -> ()

  "g.h"() {
    a = "}"
  } : () -> ()
}
func.func @f(%a: i32, %c: i1) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1:2 = foo.generic {a = [1]}
    ins(%a : i32)
    outs(%0 : i32) {
  ^bb0(%x: i32):
    foo.yield %x
  }
  %2 = scf.if %c -> (i32) {
    scf.yield %0 : i32
  } else {
    scf.yield %a : i32
  }
  cf.br ^bb1(%2 : i32)
^bb1(%r: i32):
  return %r : i32
}
// Another comment.

func.func private @g(i32) -> i32
"""

NESTED = """\
func.func @outer() {
  "a.b"() ({
    func.func @inner() {
      return
    }
    func.func private @declared()
  }) : () -> ()
  return
}
"a.c"() {a = dense_resource<one> : tensor<1xi8>} : () -> ()

{-#
  dialect_resources: {
    builtin: {
      one: "0x0400000011"
    }
  }
#-}
"""

SNIPPETS = (
    *("}", "{", "(", ")", "<", ">", "[", "]", '"', "\n", "\r\n", "\r", "//", " ", ",", ":", "=", "->", "%a", "%0 = "),
    *("^bb1:\n", "return\n", "} else {\n", "}\n}\n", "({", "})", "module {\n", "func.func @k() {\n", "foo.q %a {\n"),
    *("#map", "!word", "@f", "{-#", "#-}", "ins(%a)", " : i32", "\x00", "é", "\ud800", "\u2028", "0x", "1.5", "%0#1"),
    *("affine_map<", "dense<[", "loc(", "memref<4x", "arith.addi %a, %a : i32\n", "scf.for %i = %a to %a step %a {\n"),
)


def texts() -> list[str]:
    return [MIXED, NESTED, *(path.read_text() for path in sorted(EXAMPLES.glob("*.mlir"))[:6])]


def check_edits(text: str, seed: int, count: int, context: Context) -> None:
    """Edits a document at random places, and compares it with one that is opened with the text it then has."""
    chance = random.Random(seed)
    document = Document("file:///a.mlir", 0, text, context, Settings())
    for step in range(count):
        first = chance.randrange(len(text) + 1)
        last = min(len(text), first + chance.choice((0, 0, 0, 1, 1, 2, 5, 40, 200)))
        inserted = chance.choice(SNIPPETS) if chance.random() < 0.8 else text[last : last + chance.randrange(80)]
        start, end = position(text, first), position(text, last)
        if offset(text, start) != first or offset(text, end) != last:
            continue  # Between the two characters of a line end is no position.
        document.edit(start, end, inserted)
        text = text[:first] + inserted + text[last:]
        assert document.tree.text == text, (seed, step)
        fresh = parse_afresh(text)
        assert structure(document.tree) == structure(fresh), (seed, step, text)
    assert names(document.tree) == names(parse_afresh(text)), (seed, text)


def position(text: str, at: int) -> tuple[int, int]:
    """Line and column of an offset, where `\\n`, `\\r\\n` and a lone `\\r` end a line."""
    from fathom.syntax.parse import split_lines

    line = start = 0
    for each in split_lines(text):
        if start + len(each) > at or (start + len(each) == at and not each.endswith(("\n", "\r"))):
            break
        start += len(each)
        line += 1
    return line, at - start


def offset(text: str, where: tuple[int, int]) -> int:
    from fathom.syntax.parse import split_lines

    return sum(map(len, split_lines(text)[: where[0]])) + where[1]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(0, 7), st.integers(1, 12))
def test_edits_are_as_good_as_parsing_anew(seed: int, which: int, count: int) -> None:
    check_edits(texts()[which], seed, count, Context())


def test_one_memory_serves_many_edits() -> None:
    context = Context()
    for seed in range(12):
        check_edits(texts()[seed % 7], seed, 10, context)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
@example(459469)  # What was an alias at the top stands in a region.
def test_lines_that_end_in_carriage_returns(seed: int) -> None:
    check_edits(MIXED.replace("\n", "\r\n"), seed, 6, Context())
