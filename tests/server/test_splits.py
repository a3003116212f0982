"""A document that `// -----` divides: its splits know nothing of each other, whatever is edited."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from fathom_server.features.preview import preview
from fathom_server.features.stages import LLVM_IR, stage_called, stages
from fathom_server.session.opened import OpenDocument
from tests.oracles import run_tool
from tests.properties import examples
from tests.server.client import Session, started
from tests.server.fixture import document_of, snapshot_of
from tests.server.test_names import caller, constant, value_of

SPLITS = (
    "// What comes first.\n"
    "#map = affine_map<(d0) -> (d0)>\n"
    + constant("f", 1)
    + caller("g", "f")
    + "// -----\n"
    + "#map = affine_map<(d0, d1) -> (d1)>\n"
    + constant("f", 2)
    + "module @inner {\n"
    + constant("f", 3)
    + caller("g", "f")
    + "}\n"
    + caller("h", "f")
    + "// -----\n"
    + "func.func @open() {\n"
    + "// -----// IR Dump After Canonicalizer (canonicalize) //----- //\n"
    + caller("g", "f")
    + "func.func private @f() -> i32\n"
)


# ---- over the wire


@pytest_asyncio.fixture(scope="module", loop_scope="module", name="session")
async def _session() -> AsyncIterator[Session]:
    async with started() as session:
        yield session


@pytest.mark.asyncio(loop_scope="module")
async def test_splits_are_independent(session: Session) -> None:
    buffer = session.open(SPLITS)
    open_line = SPLITS[: SPLITS.index("func.func @open")].count("\n") + 1
    messages = await buffer.diagnostics()
    assert all(message.startswith(f"{open_line}: ") for message in messages), (
        "the missing brace is no concern of the others"
    )
    names = [function["name"] for function in await buffer.ask("fathom/functions")]
    assert names == ["f", "g", "f#2", "inner::@f", "inner::@g", "h", "open", "g#2", "f#3"]
    results = {"f": 1, "g": 1, "f#2": 2, "inner::@g": 3, "h": 2}
    assert {name: value_of(await buffer.run(name)) for name in results} == results


@pytest.mark.asyncio(loop_scope="module")
async def test_the_outline_has_the_splits(session: Session) -> None:
    buffer = session.open(SPLITS)
    splits = await buffer.symbols()
    assert [split.name for split in splits] == ["split 1", "split 2", "split 3", "split 4"]
    assert {split.kind for split in splits} == {types.SymbolKind.Namespace}
    assert [[child.name for child in split.children or ()] for split in splits] == [
        ["@f", "@g"],
        ["@f", "@inner", "@h"],
        ["@open"],
        ["@g", "@f"],
    ]
    assert buffer.slice(splits[1].selection_range) == ""
    assert buffer.slice(splits[1].range).startswith("// -----\n#map = affine_map<(d0, d1)")


@pytest.mark.asyncio(loop_scope="module")
async def test_names_lead_to_what_stands_in_the_same_split(session: Session) -> None:
    buffer = session.open(SPLITS)
    functions = {function["name"]: function for function in await buffer.ask("fathom/functions")}
    for name, callee in (("g", "f"), ("inner::@g", "inner::@f"), ("h", "f#2"), ("g#2", "f#3")):
        line = functions[name]["range"]["start"]["line"] + 1
        starts = [location.range.start for location in await buffer.definition(types.Position(line, 14))]
        assert [start.line for start in starts] == [functions[callee]["selectionRange"]["start"]["line"]]
        asked = types.ReferenceParams(types.ReferenceContext(True), buffer.identifier, starts[0])
        used = await session.client.text_document_references_async(asked)
        assert [location.range.start.line for location in used or ()] == sorted((starts[0].line, line))


@pytest.mark.asyncio(loop_scope="module")
async def test_a_line_that_divides_comes_and_goes(session: Session) -> None:
    text = constant("f", 1) + "// ----\n" + constant("f", 2) + caller("g", "f")
    buffer = session.open(text)
    assert await buffer.diagnostics() == ["6: redefinition of symbol named 'f'"]
    buffer.edit(("// ----\n", "// -----\n"))
    assert await buffer.diagnostics(lambda messages: not messages) == []
    assert value_of(await buffer.run("g")) == 2
    buffer.edit(("// -----\n", ""))
    assert await buffer.diagnostics(lambda messages: bool(messages)) == ["5: redefinition of symbol named 'f'"]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_preview_stays_with_its_function_when_a_line_divides(session: Session) -> None:
    buffer = session.open(constant("f", 1) + caller("g", "f") + constant("h", 2) + "// -----\n" + constant("f", 3))
    second = await buffer.ask("fathom/preview", stage="llvm-ir", function="f#2")
    assert "ret i32 3" in second["text"]
    buffer.edit(("func.func @h", "// -----\nfunc.func @h"))
    again = await buffer.ask("fathom/preview", stage="llvm-ir", function="f#2")
    assert (again["text"], again["stale"]) == (second["text"], False)


# ---- whole documents


@pytest.mark.parametrize("stage", ["source", "llvm-dialect"])
def test_the_preview_of_the_whole_file_is_what_the_tool_prints(stage: str) -> None:
    text = SPLITS.replace("func.func @open() {\n", "")
    snapshot = snapshot_of(text)
    known = next(candidate for candidate in stages(snapshot) if candidate.id == stage)
    flags = [] if stage == "source" else ["--convert-func-to-llvm", "--convert-arith-to-llvm"]
    expected = run_tool("mlir-opt", ["--split-input-file", *flags], text).stdout
    made = preview(snapshot, known, None)
    assert made.text is not None, made.problem
    assert made.text.replace("\n\n", "\n") == expected.replace("\n\n", "\n")
    for link in made.links:
        assert text[link.source.start : link.source.end].strip()
    sources = {made.text[link.target.start : link.target.end]: link.source for link in made.links}
    if stage == "source":
        assert text[sources["%c3_i32 = arith.constant 3 : i32"].start :].startswith("arith.constant 3 ")


def test_llvm_ir_of_the_whole_file() -> None:
    snapshot = snapshot_of(constant("f", 1) + "// -----\n" + constant("f", 2))
    made = preview(snapshot, stage_called(snapshot, LLVM_IR), None)
    assert made.text is not None
    first, second = made.text.split("; -----\n")
    assert "ret i32 1" in first
    assert "ret i32 2" in second


def test_what_cannot_be_shown_of_one_split_is_placed_in_it() -> None:
    text = constant("f", 1) + "// -----\n" + "func.func @f() {\n  return %x : i32\n}\n"
    made = preview(snapshot_of(text), stages(snapshot_of(text))[0], None)
    assert (made.text, made.problem) == (None, "use of undeclared SSA value name (line 7)")


# ---- any edits


LINES = (
    *(
        "// -----",
        "// -----",
        "module @a {",
        "module {",
        "module @b {",
        "}",
        "}",
        "",
        "// a comment",
        "!t = i32",
        "!t = i64",
    ),
    *(
        "func.func private @f(i32)",
        "func.func private @f(i64)",
        "func.func private @g(!t)",
        "memref.global @f : memref<!t>",
    ),
    *("func.func @f(%a: i32) {", "func.func @h(%a: i32) {", "func.func @h(%a: !t) {", "return", "}"),
    *("func.call @f(%a) : (i32) -> ()", "func.call @g(%a) : (i32) -> ()", "func.call @h(%a) : (!t) -> ()"),
)


def shown(opened: OpenDocument) -> list[tuple[int, str]]:
    """What is published of a document once all work on it is done."""
    opened.settle()
    while opened.to_check:
        opened.check_first()
    tree = opened.document.tree
    placed = [(tree.start(index), problem) for index, problems in opened.found() for problem in problems]
    return sorted(
        (start + (diagnostic.span.start if diagnostic.span else 0), diagnostic.message) for start, diagnostic in placed
    )


@examples(60)
@given(st.randoms(use_true_random=False), st.integers(1, 12))
def test_what_is_shown_after_edits_is_what_is_shown_of_a_new_document(rng: random.Random, count: int) -> None:
    text = SPLITS if rng.random() < 0.3 else "".join(f"{rng.choice(LINES)}\n" for _ in range(rng.randrange(30)))
    opened = OpenDocument(document_of(text))
    for _ in range(count):
        if rng.random() < 0.7:
            shown(opened)
        document = opened.document
        first = rng.randint(0, document.tree.line_count)
        last = rng.choice((first, first, first + 1, first + 1, first + 3))
        typed = "".join(f"{rng.choice(LINES)}\n" for _ in range(rng.choice((0, 1, 1, 2))))
        opened.changed(document.edit((first, 0), (min(last, document.tree.line_count), 0), typed))
    assert shown(opened) == shown(OpenDocument(document_of(opened.document.tree.text)))
