"""Any sequence of edits gives the same tree, mistakes and names as parsing the final text from nothing."""

from __future__ import annotations

import gc
import random
from unittest.mock import patch

from hypothesis import example, given
from hypothesis import strategies as st

from fathom.context import Context
from fathom.syntax import shapes
from fathom.syntax.parse import parse
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from tests.properties import examples
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
      foo.b %a %b = foo.c %a foo.br ^b(%b) ^b(%c: i32): arith.addi %c, %c : i32
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

FOREIGN = """\
x.module @m(in %p: i32) {
  %0 = x.pack %p sizes = [16]
    into %p : tensor<4xf32> ->
    tensor<4xf32>
  x.launch blocks(%bx) in (%gx = %p,
      %gy = %p)
  threads(%tx) {
    %1, %2 = x.use %bx,
        %tx :
    i32, i32
    retrun %1
  }
}
func.func @f(%a: i32) -> i32 {
  x.output %a :
    i32, i32
  into %a
    tensor<4xf32>
  %0 = x.sum
      %a, %a
  return %a : i32
}
"""

CARRYING = f"""\
func.func @f(%x: tensor<600xi32>) -> tensor<600xi32> {{
  %c = arith.constant dense<[{", ".join(["1", "2"] * 300)}]> : tensor<600xi32>
  %d = arith.constant dense<"0x{"0A" * 2400}"> : tensor<600xi32>
  %e = arith.addi %c, %d : tensor<600xi32>
  return %e : tensor<600xi32>
}}
"""

LOCATED = """\
func.func @f(%a: i32 loc(#loc1)) -> i32 {
  return %a : i32 loc(#loc2)
} loc(#loc3)
#loc1 = loc("a.py":1:5)
#loc2 = loc("a.py":2:5)
#loc = loc(unknown)

#loc3 = loc(callsite(#loc1 at #loc2))
// A comment.
#map = affine_map<(d0) -> (d0)>
#loc4 = loc("a"(#loc1))
#loc5 = loc("a\\n":2:5)
#loc6 = loc("a.py":3:5)
#loc7 = loc(fused[#loc1, #loc2])
"""

DIVIDED = f"""\
{NESTED}
// -----
#map = affine_map<(d0) -> (d0)>
module @m {{
  func.func @open(%a: i32) -> i32 {{
    %0 = arith.addi %a,
  // -----
#map = affine_map<(d0) -> (d0 + 1)>
func.func @f(%a: i32) -> i32 {{
  return %a : i32
}}
// -----// IR Dump After Nothing (nothing) //----- //
func.func @f() {{
  return
}}

// a comment
// -----
"""

SNIPPETS = (
    *("// -----\n", "\n// -----\n", "-", "----", "// -----"),
    *("}", "{", "(", ")", "<", ">", "[", "]", '"', "\n", "\r\n", "\r", "//", " ", ",", ":", "=", "->", "%a", "%0 = "),
    *(
        "    ",
        "\n  into %a",
        '#loc8 = loc("a.py":7:5)\n',
        '#loc9 = loc("b.py":7:5)\n#loc10 = loc(unknown)\n',
        "#map1 = 1\n",
    ),
    *("^bb1:\n", "return\n", "} else {\n", "}\n}\n", "({", "})", "module {\n", "func.func @k() {\n", "foo.q %a {\n"),
    *("#map", "!word", "@f", "{-#", "#-}", "ins(%a)", " : i32", "\x00", "é", "\ud800", "\u2028", "0x", "1.5", "%0#1"),
    *(
        "affine_map<",
        "dense<[",
        "loc(",
        "memref<4x",
        "tensor<2\nxf32>",
        "2\n",
        "\nxf32",
        "arith.addi %a, %a : i32\n",
        "scf.for %i = %a to %a step %a {\n",
    ),
)


def texts() -> list[str]:
    return [
        MIXED,
        NESTED,
        FOREIGN,
        CARRYING,
        LOCATED,
        LOCATED,
        DIVIDED,
        *(path.read_text() for path in sorted(EXAMPLES.glob("*.mlir"))[:6]),
    ]


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
        text = text[:first] + inserted + text[last:]
        if chance.random() < 0.9:
            document.edit(start, end, inserted)
        else:
            document.replace(text)
        assert document.tree.text == text, (seed, step)
        fresh = parse_afresh(text)
        assert all(piece.take_holes() == piece.holes() for item in document.tree.items for piece in item.pieces)
        assert structure(document.tree) == structure(fresh), (seed, step, text)
    assert names(document.tree) == names(parse_afresh(text)), (seed, text)


def big_function(chance: random.Random, count: int) -> str:
    """A function of so many statements, with loops, blocks, comments and what nothing defines among them."""
    lines = ["func.func @big(%a: i32, %i: index) -> i32 {"]
    depth = 1
    for number in range(count):
        kind = chance.randrange(14)
        if kind == 0 and depth < 5:
            lines.append("  " * depth + f"scf.for %i{number} = %i to %i step %i {{")
            depth += 1
        elif kind == 1 and depth > 1:
            depth -= 1
            lines.append("  " * depth + "}")
        elif kind == 2 and depth == 1:
            lines += [f"  cf.br ^bb{number}", f"^bb{number}:"]
        elif kind == 3:
            lines.append(chance.choice(("", "  // A comment.")))
        elif kind == 4:
            lines += ["  foo.bar {a = [1,", "    2]} %a : i32"]
        else:
            lines.append("  " * depth + f"%{number} = arith.addi %a, %a : i32")
    return "\n".join([*lines, *("  " * index + "}" for index in range(depth - 1, 0, -1)), "  return %a : i32", "}", ""])


def position(text: str, at: int) -> tuple[int, int]:
    """Line and column of an offset, where `\\n`, `\\r\\n` and a lone `\\r` end a line."""
    from fathom.syntax.parse import split_lines

    line = start = 0
    for text_line in split_lines(text):
        if start + len(text_line) > at or (start + len(text_line) == at and not text_line.endswith(("\n", "\r"))):
            break
        start += len(text_line)
        line += 1
    return line, at - start


def offset(text: str, where: tuple[int, int]) -> int:
    from fathom.syntax.parse import split_lines

    return sum(map(len, split_lines(text)[: where[0]])) + where[1]


@examples(30)
@given(st.integers(0, 10**9), st.integers(0, 11), st.integers(1, 12))
def test_edits_are_as_good_as_parsing_anew(seed: int, which: int, count: int) -> None:
    check_edits(texts()[which], seed, count, Context())


@examples(6)
@given(st.integers(0, 10**9), st.integers(200, 600))
def test_edits_inside_a_big_function(seed: int, count: int) -> None:
    chance = random.Random(seed)
    text = big_function(chance, count)
    check_edits(chance.choice(("", MIXED)) + text + chance.choice(("", MIXED)), seed, 10, Context())


def test_the_holes_of_statements_that_were_met_in_reading() -> None:
    """They are those that the lines have: of statements over several lines, with comments, and of long literals."""
    for text in [*texts(), big_function(random.Random(1), 1200)]:
        body = text * (3000 // max(text.count("\n"), 1) + 1)
        for tree in (parse(text, Context().shapes), parse(f"func.func @f() {{\n{body}", Context().shapes)):
            for item in tree.items:
                assert [piece.take_holes() for piece in item.pieces] == [piece.holes() for piece in item.pieces]


def test_an_edit_of_a_big_function_looks_at_few_statements() -> None:
    """Of 20,000 statements and 3,000 functions, an edit makes anew and takes in some tens."""
    lines = 20_000
    body = "".join(f"  %{number} = arith.addi %a, %a : i32\n" for number in range(lines))
    small = "".join(f"func.func @f{number}() {{\n  return\n}}\n" for number in range(3000))
    text = f"{small}func.func @big(%a: i32) {{\n{body}  return\n}}\n{small}"
    document = Document("file:///a.mlir", 0, text, Context(), Settings())
    context = document.context
    middle = 9000 + lines // 2
    for column, removed, typed in ((2, 0, "/"), (2, 1, ""), (8, 0, "\n"), (4, 1, ""), (20, 3, "%b")):
        old = document.tree
        known = set(map(id, old.items)), {id(piece) for item in old.items for piece in item.pieces}
        with patch.object(context.shapes, "shape_at", wraps=context.shapes.shape_at) as looked:
            change = document.edit((middle, column), (middle, column + removed), typed)
        assert looked.call_count <= 8
        new = document.tree
        assert len([item for item in new.items if id(item) not in known[0]]) <= 1
        assert len([piece for item in new.items for piece in item.pieces if id(piece) not in known[1]]) <= 4
        assert len(set(new.items.chunks) - set(old.items.chunks)) <= 2
        (before,), (after,) = change.removed, change.added
        _, removed_pieces, added_pieces = before.pieces.difference(after.pieces)
        assert removed_pieces + added_pieces <= 6
        assert len(set(after.pieces.chunks) - set(before.pieces.chunks)) <= 3
    assert document.tree.text.count("\n") == text.count("\n") + 1


def test_a_text_that_grows_at_its_end_while_all_of_it_is_replaced() -> None:
    lines = MIXED.splitlines(keepends=True)
    for count in range(0, len(lines), 3):
        document = Document("file:///a.mlir", 0, "".join(lines[:count]), Context(), Settings())
        for longer in (count + 1, count + 7, count):
            document.replace("".join(lines[:longer]))
            assert structure(document.tree) == structure(parse_afresh("".join(lines[:longer]))), (count, longer)


def test_one_memory_serves_many_edits() -> None:
    context = Context()
    for seed in range(12):
        check_edits(texts()[seed % 8], seed, 10, context)


@examples(10)
@given(st.integers(0, 10**9))
@example(459469)  # What was an alias at the top stands in a region.
def test_lines_that_end_in_carriage_returns(seed: int) -> None:
    check_edits(MIXED.replace("\n", "\r\n"), seed, 6, Context())


@given(st.integers(0, 2**32), st.integers(0, 2))
@examples(10)
def test_shapes_that_were_forgotten_are_learnt_again(seed: int, which: int) -> None:
    with patch.object(shapes, "MOST_SHAPES", 7):
        check_edits((MIXED, NESTED, texts()[0])[which], seed, 8, Context())


def test_what_is_known_of_regions_goes_with_what_stood_in_them() -> None:
    memory = Context().shapes
    tree = parse(NESTED, memory)
    assert len(list(memory.root.within())) > 3
    del tree
    gc.collect()
    assert list(memory.root.within()) == [memory.root]
