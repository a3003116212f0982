"""Previews of parts of big functions: what is around the cursor, as a function of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from benchmarks.big_functions import MISTAKE, PROGRAMS, RETURN, straight
from fathom.context import default_context
from fathom.ir.printer import print_op
from fathom.verify import verify
from fathom_server.features.preview import part_of, preview
from fathom_server.features.stages import LLVM_IR, stages
from fathom_server.model import parts
from fathom_server.model.document import Document
from fathom_server.model.parts import Part, part_at
from fathom_server.model.paths import find
from fathom_server.model.settings import Settings
from tests.server.client import Buffer, Session, started

CONTEXT = default_context()


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of at most six operations, that begin at each second statement."""
    monkeypatch.setattr(parts, "MOST", 6)
    monkeypatch.setattr(parts, "STEP", 2)


def part_in(marked: str) -> tuple[str, Part | None]:
    """The part around `<|>` in the only function of a text, and the text without the mark."""
    offset = marked.index("<|>")
    text = marked.replace("<|>", "")
    snapshot = Document("file:///f.mlir", 0, text, CONTEXT, Settings()).snapshot()
    function = find(snapshot, "f")
    assert function is not None
    return text, part_at(snapshot, function, offset)


def check_part(marked: str, shown: str, function: str) -> None:
    """The part around `<|>` begins and ends with the lines `shown`, and is this function."""
    text, part = part_in(marked)
    assert part is not None
    assert part.module.problem is None
    assert part.span is not None
    assert verify(part.module.op, None, CONTEXT) == []
    lines = [line.strip() for line in text[part.span.start : part.span.end].splitlines()]
    assert f"{lines[0]} ... {lines[-1]}" == shown
    printed = print_op(part.module.op).removeprefix("module {\n").rstrip().removesuffix("}").rstrip()
    assert "\n".join(line[2:] for line in printed.splitlines()) == function.strip("\n")


BLOCKS = """\
func.func @f(%a: i32, %c: i1) -> i32 {
  %0 = arith.addi %a, %a : i32
  cf.br ^bb1(%0, %a : i32, i32)
^bb1(%x: i32, %y: i32):
  %1 = arith.muli %y, %0 : i32
  %2 = arith.muli %1, %x : i32
  cf.cond_br %c, ^bb1(%2, %2 : i32, i32), ^bb2
^bb2:
  %3 = func.call @f(%2, %c) : (i32, i1) -> i32
  return %3 : i32
}
"""
ENTRY = """
func.func @f.part(%arg0: i32) -> i32 {
  %0 = arith.addi %arg0, %arg0 : i32
  return %0 : i32
}
"""
LOOP = """
func.func @f.part(%arg0: i32, %arg1: i32, %arg2: i32) -> i32 {
  %0 = arith.muli %arg1, %arg2 : i32
  %1 = arith.muli %0, %arg0 : i32
  return %1 : i32
}
"""


@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize(
    ("before", "first"), [("%1 = arith", "%1"), ("%2 = arith", "%1"), ("cf.cond_br", "%1"), ("^bb1(%x:", "^bb1")]
)
def test_a_block(before: str, first: str) -> None:
    text = BLOCKS.replace(before, f"<|>{before}", 1)
    beginning = {"%1": "%1 = arith.muli %y, %0 : i32", "^bb1": "^bb1(%x: i32, %y: i32):"}[first]
    check_part(text, f"{beginning} ... cf.cond_br %c, ^bb1(%2, %2 : i32, i32), ^bb2", LOOP)


@pytest.mark.usefixtures("_short")
def test_the_entry_block_from_the_header_on() -> None:
    shown = "func.func @f(%a: i32, %c: i1) -> i32 { ... cf.br ^bb1(%0, %a : i32, i32)"
    check_part(BLOCKS.replace("@f(%a", "@f(<|>%a", 1), shown, ENTRY)


@pytest.mark.usefixtures("_short")
def test_a_part_that_calls_its_function() -> None:
    function = """
func.func private @f(i32, i1) -> i32
func.func @f.part(%arg0: i32, %arg1: i1) -> i32 {
  %0 = call @f(%arg0, %arg1) : (i32, i1) -> i32
  return %0 : i32
}
"""
    _, part = part_in(BLOCKS.replace("}\n", "<|>}\n"))
    assert part is not None
    assert verify(part.module.op, None, CONTEXT) == []
    printed = print_op(part.module.op)
    for line in function.strip().splitlines():
        assert line in printed


NESTED = """\
func.func @f(%m: memref<?xi32>, %n: index, %k: index) {
  scf.for %i = %k to %n step %k {
    %a = memref.load %m[%i] : memref<?xi32>
    scf.for %j = %i to %n step %k {
      %b = arith.addi %a, %a : i32
      memref.store %b, %m[%j] : memref<?xi32>
    }
    %c = arith.muli %a, %a : i32
    %d = arith.muli %c, %c : i32
    %e = arith.muli %d, %d : i32
  }
  return
}
"""


@pytest.mark.usefixtures("_short")
def test_the_outermost_operation_that_is_small_enough_and_what_is_near_it() -> None:
    function = """
func.func @f.part(%arg0: index, %arg1: memref<?xi32>, %arg2: index, %arg3: index) -> i32 {
  %0 = memref.load %arg1[%arg0] : memref<?xi32>
  scf.for %arg4 = %arg0 to %arg2 step %arg3 {
    %1 = arith.addi %0, %0 : i32
    memref.store %1, %arg1[%arg4] : memref<?xi32>
  }
  return %0 : i32
}
"""
    text = NESTED.replace("%b = arith", "<|>%b = arith")
    check_part(text, "%a = memref.load %m[%i] : memref<?xi32> ... }", function)


@pytest.mark.usefixtures("_short")
def test_the_header_and_the_end_of_what_is_too_big() -> None:
    for mark in ("<|>scf.for %i", "<|>}\n  return"):
        _, part = part_in(NESTED.replace(mark.removeprefix("<|>"), mark))
        assert part is not None
        assert verify(part.module.op, None, CONTEXT) == []


def test_while_the_function_has_an_error_there_is_only_that() -> None:
    _, part = part_in(BLOCKS.replace("%y, %0 : i32", "%y, <|>%0 : i64"))
    assert part is not None
    assert part.span is None
    assert part.module.problem is not None


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_part_of_a_big_function_can_be_shown(name: str) -> None:
    text = PROGRAMS[name](3000).text.replace(MISTAKE, RETURN)
    snapshot = Document("file:///f.mlir", 0, text, CONTEXT, Settings()).snapshot()
    (function,) = snapshot.symbols
    # What LLVM makes of a part may be next to nothing, if nobody uses its values.
    shown = next(stage for stage in stages(snapshot) if stage.id == LLVM_IR)
    for quarter in range(5):
        offset = len(text) * quarter // 4
        part = part_of(snapshot, function, offset)
        assert part is not None
        assert verify(part.module.op, None, CONTEXT) == []
        assert sum(1 for _ in part.module.op.walk()) <= parts.MOST + 3
        made = preview(snapshot, shown, function, offset)
        assert made.problem is None
        assert made.part is not None
        assert made.part.start <= offset <= made.part.end + 1
        assert made.links
        assert all(made.part.start <= link.source.start < made.part.end for link in made.links)


# ---- over the wire


BIG = straight(3000).text.replace(MISTAKE, RETURN)
SMALL = "func.func @small(%a: i32) -> i32 {\n  %x = arith.addi %a, %a : i32\n  return %x : i32\n}\n"
wire = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started() as session:
        yield session


async def ask(buffer: Buffer, line: int, stage: str = "llvm-ir", function: str = "straight") -> Any:
    return await buffer.ask("fathom/preview", stage=stage, function=function, part={"line": line, "character": 2})


def lines_of(range: Any) -> tuple[int, int]:
    return range["start"]["line"], range["end"]["line"]


@wire
async def test_a_part_is_offered_of_what_is_big(session: Session) -> None:
    buffer = session.open(SMALL + BIG)
    functions = await buffer.ask("fathom/functions")
    assert [(function["name"], function.get("isBig")) for function in functions] == [
        ("small", None),
        ("straight", True),
    ]
    shown = await ask(buffer, 1, function="small")
    assert "part" not in shown
    assert "define i32 @small(" in shown["text"]


@wire
async def test_a_part_and_its_map(session: Session) -> None:
    buffer = session.open(SMALL + BIG)
    shown = await ask(buffer, 1500)
    assert not shown["stale"]
    assert shown["uri"].endswith("#part")
    assert lines_of(shown["part"]["function"]) == (4, len(buffer.text.splitlines()) - 1)
    first, last = lines_of(shown["part"]["range"])
    assert 1500 - 1000 <= first < 1500 < last < 1500 + 1500
    assert "@straight.part(" in shown["text"]
    lines = shown["text"].split("\n")
    additions = 0
    for entry in shown["map"]:
        start, end = (types.Position(**entry["source"][side]) for side in ("start", "end"))
        source = buffer.slice(types.Range(start, end))
        target = lines[entry["target"]["start"]["line"]]
        if " = add i32" in target:
            additions += 1
            assert "arith.addi" in source
    assert additions > 10
    whole = await buffer.ask("fathom/preview", stage="source", function="straight")
    assert "part" not in whole
    assert "#part" not in whole["uri"]


@wire
async def test_a_part_follows_edits_and_stays_while_something_is_wrong(session: Session) -> None:
    buffer = session.open(SMALL + BIG)
    good = await ask(buffer, 1500, "source")
    start = buffer.text.index("\n", buffer.offset(types.Position(1500, 0))) + 1
    added = "  %new = arith.constant 77777 : i32\n"
    buffer.replace(start, start, added)
    present = {"uri": buffer.uri, "version": buffer.version}
    notices = await session.until(
        lambda: [shown for shown in session.previews if shown["textDocument"] == present] or None
    )
    assert notices[-1]["functions"] == ["straight"]
    longer = await ask(buffer, 1501, "source")
    assert (longer["version"], longer["part"]["range"]["start"]) == (2, good["part"]["range"]["start"])
    assert "77777" in longer["text"]
    buffer.replace(start + 2, start + 6, "%new =")
    stale = await ask(buffer, 1501, "source")
    assert stale["stale"]
    assert "line 1502" in stale["staleReason"]
    assert [stale[key] for key in ("version", "text", "part")] == [longer[key] for key in ("version", "text", "part")]


@wire
async def test_of_two_places_the_later_one_counts(session: Session) -> None:
    buffer = session.open(SMALL + BIG)
    buffer.replace(0, 0, "\n")
    first, second = (asyncio.ensure_future(ask(buffer, line)) for line in (1200, 2500))
    with pytest.raises(JsonRpcException) as caught:
        await first
    assert caught.value.code == -32801
    first_line, last_line = lines_of((await second)["part"]["range"])
    assert first_line < 2500 < last_line


@wire
async def test_a_place_that_makes_no_sense(session: Session) -> None:
    buffer = session.open(SMALL)
    for part in (3, {"line": "0", "character": 0}):
        with pytest.raises(JsonRpcException) as caught:
            await buffer.ask("fathom/preview", stage="source", function="small", part=part)
        assert caught.value.code == -32602


@wire
async def test_a_closed_part_is_no_longer_announced(session: Session) -> None:
    buffer = session.open(BIG)
    await ask(buffer, 1500)
    session.client.protocol.notify(
        "fathom/closePreview",
        {"textDocument": {"uri": buffer.uri}, "stage": "llvm-ir", "function": "straight", "part": True},
    )
    before = len(session.previews)
    buffer.replace(0, 0, "\n")
    await buffer.diagnostics()
    await asyncio.sleep(0.1)
    assert len(session.previews) == before
