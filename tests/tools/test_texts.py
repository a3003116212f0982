"""What tools print and say as data: locations taken out, messages at places, pipelines in steps."""

from __future__ import annotations

import pytest

from fathom.tools.locations import without_locations
from fathom.tools.messages import messages_in
from fathom.tools.pipelines import NoPipeline, steps_of

FILE = "in.mlir"


def check_locations(printed: str, text: str, *places: str) -> None:
    """The text without locations, and the first line of each operation behind the places that it comes from."""
    located = without_locations(printed, FILE)
    assert located.text == text
    said = [
        f"{located.text[span.start : span.end]} @ {' '.join(f'{line}:{column}' for line, column in found)}"
        for span, found in located.places
    ]
    assert said == [*places]


def test_locations_of_operations_arguments_and_regions() -> None:
    check_locations(
        "#map = affine_map<(d0) -> (d0)>\n"
        '#loc2 = loc("in.mlir":3:14)\n'
        "module {\n"
        '  func.func @loc(%arg0: i32 loc("in.mlir":3:14), %arg1: memref<4xf32> loc(#loc2)) -> i32 {\n'
        "    %0 = scf.if %c -> (i32) {\n"
        "      scf.yield %a : i32 loc(#loc4)\n"
        "    } else {\n"
        "      scf.yield %b : i32 loc(#loc4)\n"
        "    } loc(#loc3)\n"
        "  ^bb1(%1: i32 loc(unknown)):  // 2 preds: ^bb0, ^bb1\n"
        "    cf.switch %0 : i32, [\n"
        "      default: ^bb1,\n"
        "      0: ^bb2\n"
        '    ] loc("in.mlir":9:5)\n'
        "  } loc(#loc1)\n"
        "} loc(#loc)\n"
        '#loc = loc("in.mlir":1:1)\n'
        '#loc1 = loc("in.mlir":3:3)\n'
        "#loc3 = loc(fused[#loc4, #loc1])\n"
        '#loc4 = loc("in.mlir":7:7)\n'
        "\n",
        "#map = affine_map<(d0) -> (d0)>\n"
        "module {\n"
        "  func.func @loc(%arg0: i32, %arg1: memref<4xf32>) -> i32 {\n"
        "    %0 = scf.if %c -> (i32) {\n"
        "      scf.yield %a : i32\n"
        "    } else {\n"
        "      scf.yield %b : i32\n"
        "    }\n"
        "  ^bb1(%1: i32):  // 2 preds: ^bb0, ^bb1\n"
        "    cf.switch %0 : i32, [\n"
        "      default: ^bb1,\n"
        "      0: ^bb2\n"
        "    ]\n"
        "  }\n"
        "}\n"
        "\n",
        "scf.yield %a : i32 @ 7:7",
        "scf.yield %b : i32 @ 7:7",
        "%0 = scf.if %c -> (i32) { @ 7:7 3:3",
        "cf.switch %0 : i32, [ @ 9:5",
        "func.func @loc(%arg0: i32, %arg1: memref<4xf32>) -> i32 { @ 3:3",
        "module { @ 1:1",
    )


def test_the_generic_form_and_locations_that_are_attributes() -> None:
    check_locations(
        '"builtin.module"() ({\n'
        '  "a.b"() <{at = loc("x":1:2), all = [loc("x":1:2), loc(unknown)]}> {s = "loc(1) // {"} : () -> ()'
        ' loc("in.mlir":2:3)\n'
        '  "a.c"() ({\n'
        '  ^bb0(%0: i32 loc("in.mlir":4:5)):\n'
        '    "a.d"(%0) : (i32) -> () loc(callsite("in.mlir":5:5 at "other":1:1))\n'
        "  }, {\n"
        '  }) : () -> () loc("a name"("in.mlir":3:3))\n'
        "}) : () -> () loc(unknown)\n",
        '"builtin.module"() ({\n'
        '  "a.b"() <{at = loc("x":1:2), all = [loc("x":1:2), loc(unknown)]}> {s = "loc(1) // {"} : () -> ()\n'
        '  "a.c"() ({\n'
        "  ^bb0(%0: i32):\n"
        '    "a.d"(%0) : (i32) -> ()\n'
        "  }, {\n"
        "  }) : () -> ()\n"
        "}) : () -> ()\n",
        '"a.b"() <{at = loc("x":1:2), all = [loc("x":1:2), loc(unknown)]}> {s = "loc(1) // {"} : () -> () @ 2:3',
        '"a.d"(%0) : (i32) -> () @ 5:5',
        '"a.c"() ({ @ 3:3',
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "loc(",
        "}}}}) loc(\n",
        '"unclosed loc(',
        "#loc = loc(#loc)\nx.y loc(#loc)\n",
        "#loc = loc(fused[#loc1, #loc1])\n#loc1 = loc(fused[#loc, #loc])\nx.y loc(#loc1)\n",
        "(" * 10_000,
        "#loc = loc(" + "(" * 10_000,
        'x.y loc("in.mlir":99999999999999999999:1)\n',
        "\0\ud800\n",
        "^",
        "#",
    ],
)
def test_anything_can_be_read(text: str) -> None:
    without_locations(text, FILE)


def test_messages_stand_at_places_with_their_notes() -> None:
    said = (
        "in.mlir:4:8: error: 'x.y' op is wrong\n    x.y\n    ^\n"
        "in.mlir:4:8: note: see current operation: x.y\n"
        "in.mlir:1:2: note: declared here\n"
        "\x1b[1min.mlir:9: warning: no column\x1b[0m\r\n"
        'loc("in.mlir":5:6): remark: vectorised\n'
        '<unknown>:0: error: loc(callsite("in.mlir":3:4 at "b":1:1)): inlined\n'
        "other.mlir:7:7: error: elsewhere\n"
        "note: of nothing\n"
        "mlir-opt: Unknown command line argument\n"
    )
    read = messages_in(said.encode(), FILE)
    assert [(m.said.kind, m.said.words, m.said.place, [(n.words, n.place) for n in m.notes]) for m in read] == [
        ("error", "'x.y' op is wrong", (4, 8), [("declared here", (1, 2))]),
        ("warning", "no column", (9, 1), []),
        ("remark", "vectorised", (5, 6), []),
        ("error", "inlined", (3, 4), []),
        ("error", "elsewhere", None, []),
    ]


def check_steps(pipeline: str, *steps: tuple[str, str]) -> None:
    assert [(step.name, " ".join(step.flags)) for step in steps_of(pipeline)] == [*steps]


def test_a_pipeline_is_as_many_steps_as_it_has_passes() -> None:
    check_steps("--a -b=c=1 --a", ("a", "--a"), ("b", "--a -b=c=1"), ("a#2", "--a -b=c=1 --a"))
    check_steps("--allow-unregistered-dialect --a --mlir-print-ir-after-all", ("a", "--allow-unregistered-dialect --a"))
    around = "--pass-pipeline=builtin.module"
    check_steps(
        "builtin.module(func.func(a{x=1 y={z}},b), c)",
        ("a", f"{around}(func.func(a{{x=1 y={{z}}}}))"),
        ("b", f"{around}(func.func(a{{x=1 y={{z}}}},b))"),
        ("c", f"{around}(func.func(a{{x=1 y={{z}}}},b),c)"),
    )
    check_steps("--pass-pipeline='builtin.module(a)' --mlir-very-unsafe", ("a", f"--mlir-very-unsafe {around}(a)"))
    check_steps("")
    check_steps("builtin.module()")


@pytest.mark.parametrize("text", ["a b", "builtin.module(a", "builtin.module(a,(b)", "'", "x" * 100_000])
def test_what_is_no_pipeline_is_said(text: str) -> None:
    with pytest.raises(NoPipeline):
        steps_of(text)
