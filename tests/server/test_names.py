"""Functions by their paths over the wire: whatever names one means that one, and no other of the same name."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.server.client import Session, started

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module", name="session")
async def _session() -> AsyncIterator[Session]:
    async with started() as session:
        yield session


def constant(name: str, number: int) -> str:
    """A function that returns a number."""
    return f"func.func @{name}() -> i32 {{\n  %c = arith.constant {number} : i32\n  return %c : i32\n}}\n"


def caller(name: str, callee: str) -> str:
    """A function that returns what another one returns."""
    return f"func.func @{name}() -> i32 {{\n  %0 = call @{callee}() : () -> i32\n  return %0 : i32\n}}\n"


TABLES = (
    constant("f", 1)
    + caller("g", "f")
    + "module @inner {\n"
    + constant("f", 2)
    + caller("g", "f")
    + 'module @"a::b" {\n'
    + constant("f", 3)
    + caller('"the g"', "f")
    + "}\n}\n"
    + "module {\n"
    + caller("h", "f")
    + constant("f", 4)
    + "}\n"
)
RESULTS = {
    "f": 1,
    "g": 1,
    "inner::@f": 2,
    "inner::@g": 2,
    'inner::@"a::b"::@f': 3,
    'inner::@"a::b"::@"the g"': 3,
    "h": 4,
    "f#2": 4,
}


def value_of(answer: Any) -> Any:
    assert answer["status"] == "ok", answer
    return answer["results"][0]["value"]


async def test_each_function_has_a_name_and_runs_by_it(session: Session) -> None:
    buffer = session.open(TABLES)
    assert await buffer.diagnostics() == []
    functions = await buffer.ask("fathom/functions")
    assert {function["name"] for function in functions} == RESULTS.keys()
    assert {name: value_of(await buffer.run(name)) for name in RESULTS} == RESULTS


@pytest.mark.parametrize("name", ["@inner::@g", "inner::g", "@inner::g", '@"inner"::@"g"'])
async def test_people_write_names_as_they_like(session: Session, name: str) -> None:
    buffer = session.open(TABLES)
    assert value_of(await buffer.run(name)) == 2
    made = await buffer.ask("fathom/preview", stage="source", function=name)
    assert made["function"] == "inner::@g"
    assert made["uri"].startswith("fathom-preview:/source/%40inner%3A%3A%40g.mlir?")


@pytest.mark.parametrize("name", ["inner", "inner::nowhere", "nowhere::f", "f#3", "inner::", "::f", "", "#2", '"'])
async def test_what_names_nothing(session: Session, name: str) -> None:
    buffer = session.open(TABLES)
    assert (await buffer.run(name))["status"] == "error"
    assert (await buffer.ask("fathom/preview", stage="llvm-ir", function=name))["stale"]


async def test_previews_and_lowering_take_the_function_that_is_named(session: Session) -> None:
    buffer = session.open(TABLES)
    for name, number in (("f", 1), ("inner::@f", 2), ("f#2", 4)):
        made = await buffer.ask("fathom/preview", stage="llvm-ir", function=name)
        assert f"ret i32 {number}" in made["text"]
        line = TABLES[: TABLES.index(f"constant {number} ")].count("\n")
        made = await buffer.ask("fathom/preview", stage="source", position={"line": line, "character": 4})
        assert made["function"] == name
        (action,) = [
            offered
            for offered in await buffer.actions(buffer.at(f"constant {number} "))
            if "to the LLVM" in offered.title
        ]
        assert f"`@{name}`" in action.title
        assert action.edit is not None and action.edit.document_changes
        change = action.edit.document_changes[0]
        assert isinstance(change, types.TextDocumentEdit)
        where = [buffer.slice(edit.range) for edit in change.edits]
        assert [f"constant {number} " in text for text in where].count(True) == 1
        assert not any(f"constant {other} " in text for other in (1, 2, 3, 4) if other != number for text in where)


async def test_a_preview_stays_with_its_function(session: Session) -> None:
    buffer = session.open(TABLES)
    await buffer.ask("fathom/preview", stage="llvm-ir", function="inner::f")
    buffer.edit(("constant 3 ", "constant 7 "))
    told = await session.until(lambda: next((p for p in session.previews if p["textDocument"]["version"] == 2), None))
    assert told["functions"] == []
    buffer.edit(("constant 2 ", "constant 8 "))
    told = await session.until(lambda: next((p for p in session.previews if p["textDocument"]["version"] == 3), None))
    assert told["functions"] == ["inner::@f"]
    buffer.edit(("module @inner", "module @renamed"))
    made = await buffer.ask("fathom/preview", stage="llvm-ir", function="inner::@f")
    assert (made["stale"], made["staleReason"]) == (True, "there is no function @inner::@f")
    assert "ret i32 2" in made["text"], "the last text that was sent"


async def test_functions_in_llvm_run(session: Session) -> None:
    buffer = session.open(
        "llvm.func @twice(%a: i32) -> i32 {\n  %0 = llvm.add %a, %a : i32\n  llvm.return %0 : i32\n}\n"
        "llvm.func @nothing() {\n  llvm.return\n}\n"
        "llvm.func @takes(%p: !llvm.ptr) {\n  llvm.return\n}\n"
    )
    functions = {function["name"]: function for function in await buffer.ask("fathom/functions")}
    assert functions["twice"]["signature"] == "(%a: i32) -> i32"
    assert functions["twice"]["arguments"] == [{"type": "i32", "name": "%a", "example": "4"}]
    assert functions["takes"]["arguments"] == [
        {"type": "!llvm.ptr", "name": "%p", "example": '{"type": "i32", "data": [1, 2, 3, 4]}'}
    ]
    assert value_of(await buffer.run("twice", 21)) == 42
    assert (await buffer.run("nothing"))["results"] == []
    assert (await buffer.run("takes", 0))["kind"] == "arguments"
