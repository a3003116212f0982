"""The whole document joined of what its items become: what is printed of the whole, whatever was edited before."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from fathom.context import default_context
from fathom_server.features.contributions import contributed, found, keys_known, learn
from fathom_server.features.joined import is_soon_joined, items_joined, joined
from fathom_server.features.preview import preview, rendered_split
from fathom_server.features.rendering import Rendered
from fathom_server.features.stages import LLVM_DIALECT, LLVM_IR, stage_called
from fathom_server.model.document import Document
from fathom_server.model.elaboration import elaborated
from fathom_server.model.modules import splits
from fathom_server.model.settings import Settings
from fathom_server.model.snapshot import Snapshot

FIXTURES = Path(__file__).parents[1] / "fixtures" / "passes"
EXAMPLES = Path(__file__).parents[2] / "examples"
STAGES = (LLVM_DIALECT, LLVM_IR)
EDITS = 6
PASSES = (
    "convert-arith-to-llvm",
    "convert-cf-to-llvm",
    "convert-func-to-llvm",
    "convert-linalg-to-loops",
    "convert-math-to-libm",
    "convert-math-to-llvm",
    "convert-scf-to-cf",
    "convert-vector-to-llvm",
    "convert-vector-to-scf",
    "expand-strided-metadata",
    "finalize-memref-to-llvm",
    "lower-affine",
)
"""The passes whose fixtures are joined and edited."""


def document(text: str, pipeline: str = "") -> Document:
    return Document("file:///joined.mlir", 1, text, default_context(), Settings(pipeline_text=pipeline))


def said(of: Rendered) -> object:
    """All that is shown, whatever the order in which links were found."""
    links = sorted((source.start, source.end, target.start, target.end) for source, target in of.links)
    return of.text, links, of.problem, of.diagnostics, of.lacks


def check_joined(snapshot: Snapshot) -> int:
    """Of each split and stage that is joined, it is what a new document shows of the whole; how many were joined."""
    new, count = document(snapshot.tree.text).snapshot(), 0
    for stage in (stage_called(snapshot, id) for id in STAGES):
        for split, other in zip(splits(snapshot), splits(new), strict=True):
            if (made := joined(snapshot, split, stage)) is not None:
                assert said(made) == said(rendered_split(new, other, stage)), stage.id
                count += 1
    return count


def edited(text: str, choose: random.Random) -> str:
    """The text after an edit: of a number, of a line, or of the order of functions."""
    lines = text.splitlines(keepends=True)
    at = choose.randrange(len(lines))
    numbers = [index for index, line in enumerate(lines) if "constant" in line and any(map(str.isdecimal, line))]
    match choose.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            lines.insert(
                at, f"func.func @added{at}(%a: f32) -> f32 {{\n  %0 = math.exp %a : f32\n  return %0 : f32\n}}\n"
            )
        case 3 if numbers:
            at = choose.choice(numbers)
            digit = next(place for place, character in enumerate(lines[at]) if character.isdecimal())
            lines[at] = f"{lines[at][:digit]}{choose.randrange(10)}{lines[at][digit + 1 :]}"
        case _:
            lines = lines[at:] + lines[:at]
    return "".join(lines)


def texts() -> Iterator[Path]:
    yield from sorted(EXAMPLES.glob("*.mlir"))[::3]
    for name in PASSES:
        yield from sorted((FIXTURES / name).glob("*.mlir"))[:3]


@pytest.mark.parametrize("path", list(texts()), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_is_joined_is_what_is_printed_of_the_whole_after_any_edits(path: Path) -> None:
    choose = random.Random(path.name)
    source = path.read_text(encoding="utf-8")
    edits = document(source)
    check_joined(edits.snapshot())
    for _ in range(EDITS):
        edits.replace(edited(source, choose))
        check_joined(edits.snapshot())


TWO = """\
func.func @f(%a: f32, %n: index) -> f32 {
  %m = memref.alloc(%n) : memref<?xf32>
  %0 = memref.load %m[%n] : memref<?xf32>
  %1 = math.exp %0 : f32
  memref.dealloc %m : memref<?xf32>
  return %1 : f32
}
memref.global @g : memref<4xf32> = dense<1.0>
func.func @h(%n: index) -> f32 {
  %m = memref.get_global @g : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  memref.copy %m, %c : memref<4xf32> to memref<4xf32>
  %0 = memref.load %c[%n] : memref<4xf32>
  %1 = math.tan %0 : f32
  %2 = call @f(%1, %n) : (f32, index) -> f32
  return %2 : f32
}
"""


@pytest.mark.parametrize(
    "text",
    [
        TWO,
        f"module {{\n{TWO}}}\n",
        f'module attributes {{llvm.data_layout = "e"}} {{\n{TWO}}}\n',
        f"{TWO}// -----\n{TWO}",
        f"// -----\n\nmodule {{\n{TWO}}}\n",
        # What one function needs is done with the others too: a constant is moved to the front of its function.
        TWO + "func.func @v(%m: memref<4x4xf32>) -> memref<2x2xf32, strided<[4, 1]>> {\n"
        "  %0 = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>\n"
        "  return %0 : memref<2x2xf32, strided<[4, 1]>>\n}\n"
        "func.func @k(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  %c = arith.constant 1 : i32\n"
        "  %1 = arith.addi %0, %c : i32\n  return %1 : i32\n}\n",
        # Numbers of attribute groups follow from the whole.
        'llvm.func @cold() attributes {passthrough = ["cold"]}\n'
        "llvm.func @quick() attributes {no_unwind}\n"
        "func.func @calls(%a: f32) -> f32 {\n  llvm.call @quick() {no_unwind} : () -> ()\n"
        "  %0 = math.exp %a : f32\n  return %0 : f32\n}\n",
    ],
)
def test_functions_and_variables_are_joined(text: str) -> None:
    edits = document(text)
    count = len(STAGES) * len([part for part in text.split("// -----") if part.strip()])
    assert check_joined(edits.snapshot()) == count
    edits.replace(text.replace("math.exp", "math.sqrt"))
    assert check_joined(edits.snapshot()) == count


@pytest.mark.parametrize(
    "text",
    [
        # What is converted of a type with a name has one that nothing else has.
        'func.func private @f(!llvm.struct<"n", (index)>)\nfunc.func private @g(!llvm.struct<"n", (f32)>)\n',
        # Each assertion has a message of its own name.
        'func.func @f(%c: i1) {\n  cf.assert %c, "no"\n  return\n}\n'
        'func.func @g(%c: i1) {\n  cf.assert %c, "not"\n  return\n}\n',
        # The function of the document is called.
        "func.func @f(%n: index) {\n  %0 = memref.alloc(%n) : memref<?xf32>\n  return\n}\n"
        "llvm.func @malloc(%n: i64) -> !llvm.ptr\n",
        # Tensors get their memory across functions.
        "func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {\n  return %t : tensor<4xf32>\n}\n",
        "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %b : i32\n  return %0 : i32\n}\n",
    ],
)
def test_what_is_another_in_the_whole_is_not_joined(text: str) -> None:
    edits = document(text + TWO)
    assert check_joined(edits.snapshot()) == 0
    edits.replace(TWO)
    assert check_joined(edits.snapshot()) == len(STAGES)


def test_after_an_edit_one_function_is_lowered() -> None:
    edits = document(TWO)
    stage = stage_called(edits.snapshot(), LLVM_IR)
    joined(edits.snapshot(), None, stage)
    known = keys_known(edits.snapshot())
    edits.replace(TWO.replace("math.tan", "math.sin"))
    joined(edits.snapshot(), None, stage)
    assert len([key for key in edits.snapshot().memory.answers(contributed) if key not in known]) == 1


def test_what_was_found_elsewhere_is_taken_over() -> None:
    there, here = document(TWO).snapshot(), document(TWO)
    for id in STAGES:
        joined(there, None, stage_called(there, id))
    for learned in found(there, ()):
        learn(here.snapshot(), learned)
    known = keys_known(here.snapshot())
    assert len(known) == len(keys_known(there)) > 0
    check_joined(here.snapshot())
    assert keys_known(here.snapshot()) == known
    here.replace(TWO.replace("math.tan", "math.sin"))
    check_joined(here.snapshot())


def test_what_is_short_and_can_be_joined_is_made_at_once() -> None:
    for text, expected in ((TWO, True), (TWO * 30, False), ('"a.b"() : () -> ()\n', False)):
        snapshot = document(text).snapshot()
        assert is_soon_joined(snapshot, stage_called(snapshot, LLVM_IR)) is expected


def test_a_long_document_is_shown_as_it_comes() -> None:
    text = "".join(TWO.replace("@", f"@n{number}_") for number in range(24))
    for id in STAGES:
        snapshot = document(text).snapshot()
        stage = stage_called(snapshot, id)
        whole, shown = preview(document(text).snapshot(), stage, None), list[str]()
        while (made := preview(snapshot, stage, None, seconds=0.0)).goes_on:
            assert made.text is not None and made.problem is not None
            assert all(made.text.count(name) for name in ("n0_f(", "@malloc(")), "it begins with the first function"
            shown.append(made.text)
        assert (made.text, made.links, made.problem) == (whole.text, whole.links, None)
        assert [*sorted(shown, key=len)] == shown and len(shown) == 6, "each time it is twice as much"
        # After an edit all of it is shown again at once.
        edits = document(text)
        preview(edits.snapshot(), stage, None)
        edits.replace(text.replace("math.tan", "math.sin", 1))
        assert not preview(edits.snapshot(), stage, None, seconds=0.0).goes_on


def test_what_has_to_be_known_of_a_long_document_is_told_by_its_syntax() -> None:
    snapshot = document(TWO * 30).snapshot()
    assert len(items_joined(snapshot, stage_called(snapshot, LLVM_IR))) == 90
    assert not snapshot.memory.answers(elaborated)
