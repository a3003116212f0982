"""Operations of dialects that nobody has described are kept whole, on however many lines, and are no mistakes."""

from __future__ import annotations

import textwrap

import pytest

from fathom.elaborate import load

BODY = """\
func.func @f(%a: tensor<4xf32>, %b: index, %c: index) -> tensor<4xf32> {{
{}
  return %a : tensor<4xf32>
}}
"""

KEPT = {
    "a clause on a line of its own": """
        %0 = x.pack %a inner_tiles = [16]
          into %a : tensor<4xf32> -> tensor<4xf32>
        """,
    "clauses at the margin of the operation": """
        x.launch_func @kernels::@k
        blocks in (%b, %b, %b)
        threads in (%b, %b, %b) // of each block
        args(%a : tensor<4xf32>)
        x.next
        """,
    "types behind a colon": """
        %0 = x.transfer_read %a[%b], %c {in_bounds = [true]} :
        memref<4xf32>, vector<4xf32>
        """,
    "words that are types": """
        x.output %b, %c :
        i32, index,
        f32
        """,
    "operands behind a comma": """
        x.output %b,
          %c, %a : index, index, tensor<4xf32>
        """,
    "an attribute behind a comma": """
        %0 = x.mma %a, %b,
            #x.shape<m = 64>,
            D [#x.type<f32>, #x.scale<one>],
            A [#x.type<f32>]
            -> !x.struct<(f32, f32)>
        """,
    "names that are bound to others": """
        x.launch blocks(%bx, %by) in (%gx = %b, %gy = %b,
                                      %gz = %c)
          threads(%tx) in (%sx = %c) {
          x.use %bx, %tx
        }
        """,
    "a region behind a word": """
        x.reduction @add : f32
        init {
        ^bb0(%r: f32):
          x.yield %r : f32
        } combiner {
        ^bb0(%p: f32, %q: f32):
          x.yield %p : f32
        }
        """,
    "keywords before a dictionary and a region": """
        x.func @k(%m : memref<4xf32>)
          kernel attributes { x.size = 3 : i32 } {
          x.load %m
        }
        """,
    "a region in brackets": """
        x.generate #x.ref<"N"> : i8 [
          case (0, "zero") {
            x.initial %b
          }
          default "rest" {
            x.final
          }
        ]
        """,
    "cases": """
        x.body {
          x.br_table %b {
            default: ^bb1(%b : index),
            0: ^bb2
          }
        ^bb1(%r: index):
          x.stop
        ^bb2:
          x.stop
        }
        """,
    "a comparison and an arrow to the left": """
        x.tile <- (%b, %c) sizes(%b, %c : index, index)
        x.assert %b < %c
        """,
}


def check_kept(body: str, *names: str) -> None:
    """Checks that the body of a function has no mistake, and is made of operations of these names."""
    text = BODY.format(textwrap.indent(textwrap.dedent(body).strip("\n"), "  "))
    loaded = load(text)
    assert [d.message for d in loaded.diagnostics if d.severity == "error"] == []
    function = next(op for op in loaded.module.walk() if op.name == "func.func")
    assert [op.name for op in function.regions[0].operations()] == [*names, "func.return"]


@pytest.mark.parametrize("what", KEPT)
def test_unknown_operation_takes_the_lines_that_belong_to_it(what: str) -> None:
    body = KEPT[what]
    lines = body.split("\n")
    begun = [line.strip().removeprefix("%0 = ") for line in lines if line[8:10] in ("x.", "%0")]
    names = [line.split(" ")[0] for line in begun]
    check_kept(body, *names)


def test_unknown_operation_ends_where_another_one_begins() -> None:
    check_kept(
        """
        x.first %a : tensor<4xf32>
          x.second %a
        %0:2 = x.third
        %1, %2 = x.fourth %0#0
        "x.fifth"() : () -> ()
        x.sixth loc(unknown)
        %3 // of the next
          = x.seventh %a
        %4:2
          , %5 = x.eighth %3, %4#1
          %b
        """,
        *("x.first", "x.second", "x.third", "x.fourth", "x.fifth", "x.sixth", "x.seventh", "x.eighth"),
    )


def test_a_location_ends_an_unknown_operation_though_another_follows_on_its_line() -> None:
    check_kept(
        """
        x.first %a : tensor<4xf32> loc(unknown) x.second %a loc("b":1:2) %0 = x.third loc("c") "x.fourth"() : () -> ()
        x.fifth %a loc("d") to x.a loc(unknown)
        x.sixth loc(unknown)""",
        *("x.first", "x.second", "x.third", "x.fourth", "x.fifth", "x.sixth"),
    )


def test_what_clearly_begins_ends_an_unknown_operation_on_its_line() -> None:
    body = """
        x.first %a : tensor<4xf32> %0 = x.second : i32 %1, %2 = "x.third"(%0) : (i32) -> (i32, index) x.use %1
        cf.br ^b ^b: x.fourth %2 %3:2 = x.fifth {a} cf.br ^c(%3#1 : i32) ^c(%4: i32): %5 = x.sixth %4 %6 =
          arith.addi %4, %5 : i32"""
    names = "x.first x.second x.third x.use cf.br x.fourth x.fifth cf.br x.sixth arith.addi".split()
    check_kept(body, *names)


def test_names_of_clauses_on_the_line_of_an_unknown_operation_belong_to_it() -> None:
    check_kept(
        """
        x.for %i = %b to %c step %d = 4 apply arith.addi %a
        x.switch %b, 4: ^b : i32
        x.branch ^b : index
        x.branch ^b :
          index
        x.branch %b, ^b, ^b : index cf.br ^b ^b: x.a""",
        *("x.for", "x.switch", "x.branch", "x.branch", "x.branch", "cf.br", "x.a"),
    )


@pytest.mark.parametrize("line", ["retrun %a", "clean", "foo %a, %b : index"])
def test_word_at_the_margin_that_names_nothing_is_a_mistake(line: str) -> None:
    errors = [d.message for d in load(BODY.format(f"  x.first %a : tensor<4xf32>\n  {line}")).diagnostics]
    word = line.partition(" ")[0]
    assert f"custom op '{word}' is unknown (tried 'func.{word}' as well)" in errors


def test_open_bracket_of_an_unknown_operation_is_a_mistake() -> None:
    errors = [d.message for d in load(BODY.format("  x.first (%a, %b")).diagnostics]
    assert "expected ')'" in errors
