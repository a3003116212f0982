"""Graphs over the wire: their places, and what is answered where there is none."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.server.client import Buffer, Session, started

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXT = """func.func private @other(i32)
func.func @f(%c: i1, %a: i32) {
  cf.cond_br %c, ^yes, ^no
^yes:
  call @other(%a) : (i32) -> ()
  cf.br ^no
^no:
  return
}
"""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started() as session:
        yield session


def places(buffer: Buffer, text: str, graph: Any) -> list[tuple[str, str]]:
    """What stands at the places of each node: in the document, and in the text of the stage."""
    lines = text.split("\n")

    def slice_of(where: Any) -> str:
        start, end = where["start"], where["end"]
        last = lines[end["line"]][: end["character"]]
        inside = [*lines[start["line"] : end["line"]], last]
        return " / ".join([inside[0][start["character"] :], *map(str.strip, inside[1:])])

    def written(where: Any) -> str:
        start, end = (types.Position(**where[side]) for side in ("start", "end"))
        return " / ".join(map(str.strip, buffer.slice(types.Range(start, end)).split("\n")))

    return [(written(node["source"]), slice_of(node["target"])) for node in graph["nodes"]]


@pytest.mark.parametrize("stage", ["source", "llvm-dialect", "llvm-ir"])
async def test_nodes_have_their_places_in_both_texts(session: Session, stage: str) -> None:
    buffer = session.open(f"// A comment first.\n{TEXT}")
    preview = await buffer.ask("fathom/preview", stage=stage, function="f")
    graph = await buffer.ask("fathom/graph", kind="cfg", stage=stage, function="f")
    source = ["cf.cond_br %c, ^yes, ^no", "call @other(%a) : (i32) -> () / cf.br ^no", "return"]
    target = {
        "source": ["cf.cond_br %arg0, ^bb1, ^bb2", "call @other(%arg1) : (i32) -> () / cf.br ^bb2", "return"],
        "llvm-dialect": [
            "llvm.cond_br %arg0, ^bb1, ^bb2",
            "llvm.call @other(%arg1) : (i32) -> () / llvm.br ^bb2",
            "llvm.return",
        ],
        "llvm-ir": [
            "br i1 %0, label %3, label %4",
            "3:                                                ; preds = %2 / call void @other(i32 %1) / br label %4",
            "4:                                                ; preds = %3, %2 / ret void",
        ],
    }[stage]
    if stage == "llvm-ir":
        # There a label is a line of its own block, which comes from the label of the source.
        source[1:] = [f"^yes: / {source[1]}", f"^no: / {source[2]}"]
    assert places(buffer, preview["text"], graph) == list(zip(source, target, strict=True))
    assert [(edge["start"], edge["end"], edge["kind"]) for edge in graph["edges"]] == [
        (0, 1, "true"),
        (0, 2, "false"),
        (1, 2, "branch"),
    ]


LOOP = """func.func @f(%n: i32, %m: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %size = memref.dim %m, %zero : memref<?xi32>
  scf.for %i = %zero to %size step %one {
    memref.store %n, %m[%i] : memref<?xi32>
  }
  return
}
"""


async def test_what_llvm_made_has_a_graph(session: Session) -> None:
    buffer = session.open(LOOP)
    preview = await buffer.ask("fathom/preview", stage="llvm-optimized", function="f")
    graph = await buffer.ask("fathom/graph", kind="cfg", stage="llvm-optimized", function="f")
    assert "problem" not in graph
    lines = preview["text"].split("\n")
    labels = [found[1] for line in lines if (found := re.match(r"([\w.]+):", line))]
    assert [node["title"] for node in graph["nodes"]] == ["entry", *(f"%{label}" for label in labels)]
    assert any(edge.get("back") for edge in graph["edges"])
    stored = [node for node in graph["nodes"] if any("store" in line for line in node["lines"])]
    assert stored
    assert all(node["source"]["start"]["line"] <= 5 <= node["source"]["end"]["line"] for node in stored)
    assert (await buffer.ask("fathom/graph", kind="cfg", stage="assembly", function="f"))["problem"]


async def test_calls_are_those_of_the_document(session: Session) -> None:
    graph = await session.open(TEXT).ask("fathom/graph", kind="calls", stage="source")
    assert [(node["kind"], node["title"]) for node in graph["nodes"]] == [("declaration", "@other"), ("function", "@f")]
    assert graph["edges"] == [{"start": 1, "end": 0, "kind": "call"}]


async def test_why_there_is_no_graph(session: Session) -> None:
    buffer = session.open(TEXT.replace("%c,", "%d,"))
    for words, problem in (
        ({"kind": "cfg", "stage": "source"}, "there is no function here"),
        ({"kind": "cfg", "stage": "source", "function": "g"}, "there is no function @g"),
        ({"kind": "loops", "stage": "llvm-ir", "function": "f"}, "of LLVM IR there are: cfg, calls"),
        (
            {"kind": "cfg", "stage": "source", "function": "f"},
            "use of undeclared SSA value name: '%d' is not defined here (line 3)",
        ),
    ):
        answer = await buffer.ask("fathom/graph", **words)
        assert (answer["nodes"], answer["edges"], answer["problem"]) == ([], [], problem)
    for words in ({"kind": "tree", "stage": "source"}, {"kind": "cfg", "stage": "nowhere"}):
        with pytest.raises(JsonRpcException, match="there is no"):
            await buffer.ask("fathom/graph", **words)


ACCESSES = """func.func @f(%m: memref<2x3xf32>) {
  affine.for %i = 0 to 3 {
    %x = affine.load %m[1, %i] : memref<2x3xf32>
  }
  return
}
"""


async def test_an_access_has_the_elements_that_it_touches(session: Session) -> None:
    buffer = session.open(ACCESSES)
    graph = await buffer.ask("fathom/graph", kind="access", stage="source", function="f")
    loop, access = graph["nodes"]
    assert (loop["lines"], access["parent"]) == (["(%i): 3 iterations"], 0)
    assert access["source"]["start"]["line"] == 2
    pattern = {
        "rows": [[0], [1]],
        "column": 0,
        "columns": 3,
        "first": [-1, -1, -1, 0, 1, 2],
        "times": [0, 0, 0, 1, 1, 1],
    }
    assert access["pattern"] == pattern


PARTS = """func.func @f() {
  call @g() : () -> ()
  return
}
func.func private @g()
// -----
func.func private @h()
func.func @f() {
  call @h() : () -> ()
  call @h() : () -> ()
  return
}
"""


async def test_calls_are_those_of_the_part_in_which_the_function_stands(session: Session) -> None:
    buffer = session.open(PARTS)

    async def titles(**where: object) -> list[str]:
        graph = await buffer.ask("fathom/graph", kind="calls", stage="source", **where)
        return [node["title"] for node in graph["nodes"]]

    assert await titles() == await titles(function="f") == ["@f", "@g"]
    assert await titles(function="f#2") == await titles(position={"line": 8, "character": 3}) == ["@h", "@f"]
