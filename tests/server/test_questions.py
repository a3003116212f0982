"""*Why was this not folded?*: where it is offered, beside hovers and as an action, at no cost, and what is answered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lsprotocol import types

from fathom_server.features.hover import hover
from fathom_server.features.questions import question_at
from tests.server.client import Session, capabilities, started
from tests.server.fixture import snapshot_of
from tests.server.raw import URI, raw_server

pytestmark = pytest.mark.asyncio

FLAGS = "--canonicalize --cse --loop-invariant-code-motion --inline --convert-to-llvm --reconcile-unrealized-casts"
TEXT = """\
func.func @callee(%a: i32) -> i32 {
  return %a : i32
}
func.func @f(%a: i32, %n: index, %m: memref<?xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %gone = arith.muli %a, %a : i32
  scf.for %i = %zero to %n step %one {
    %x = memref.load %m[%i] : memref<?xi32>
    memref.store %x, %m[%i] : memref<?xi32>
  }
  %r = func.call @callee(%a) : (i32) -> i32
  return %r : i32
}
func.func @left(%t: tensor<4xf32>) -> tensor<4xf32> {
  %u = arith.addf %t, %t : tensor<4xf32>
  return %u : tensor<4xf32>
}
"""
WITH_PIPELINE = f"// RUN: mlir-opt %s {FLAGS}\n{TEXT}"

TITLES = {
    "@f(": None,
    "arith.constant 0": "Why was this not folded or merged with an equal one?",
    "memref.load": "Why was this not folded, merged with an equal one or hoisted?",
    "memref.store": "Why was this not folded or hoisted?",
    "func.call": "Why was this not folded, merged with an equal one or inlined?",
    "return %r": None,
    "arith.addf": "Why was this not converted?",
}


def check_titles(text: str, titles: dict[str, str | None]) -> None:
    snapshot = snapshot_of(text)
    found: dict[str, str | None] = {}
    for word in titles:
        place = text.index(word)
        asked = question_at(snapshot, place, place)
        found[word] = asked.title if asked is not None else None
    assert found == titles


async def test_what_is_asked_follows_from_the_pipeline() -> None:
    check_titles(WITH_PIPELINE, TITLES)


async def test_memory_on_the_stack_is_asked_about_where_it_may_become_values() -> None:
    text = """\
// RUN: mlir-opt %s --sroa --mem2reg --convert-to-llvm --reconcile-unrealized-casts
func.func @f(%n: memref<i32>, %a: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  memref.store %a, %m[] : memref<i32>
  %x = memref.load %n[] : memref<i32>
  return %x : i32
}
"""
    titles = {
        "memref.alloca": "Why was this not divided into its parts or turned into values?",
        "memref.store": "Why was this not turned into values?",
        "memref.load": None,
    }
    check_titles(text, titles)


async def test_where_nobody_names_a_pipeline_it_is_asked_of_what_does_not_lower() -> None:
    text = TEXT.replace("arith.addf %t, %t : tensor<4xf32>", '"vendor.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>')
    titles = {word: None for word in TITLES if word != "arith.addf"}
    check_titles(text, {**titles, "vendor.op": "Why was this not converted?"})


async def test_a_hover_that_offers_it_records_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fathom_server.model.recorded.Recorder", None)
    snapshot = snapshot_of(WITH_PIPELINE)
    shown = hover(snapshot, WITH_PIPELINE.index("memref.load"))
    assert shown is not None
    assert shown.asks is not None
    assert shown.asks.title == TITLES["memref.load"]
    assert shown.asks.title not in shown.markdown
    gone = hover(snapshot, WITH_PIPELINE.index("arith.muli"))
    assert gone is not None
    assert gone.asks is None, "nothing is left of it"


async def test_a_hover_has_the_question_beside_it_for_clients_that_show_it() -> None:
    own = {"commands": ["fathom.lens.whyNot"], "hoverActions": True}
    place = {"line": 16, "character": 8}
    asked = {"textDocument": {"uri": URI}, "position": place}
    async with raw_server(capabilities={"experimental": {"fathom": own}}) as server:
        server.open(WITH_PIPELINE)
        answer = (await server.ask("textDocument/hover", asked))["result"]
    about = {"uri": URI, "position": {"line": 16, "character": 7}}
    title = "Why was this not converted?"
    assert answer["actions"] == [{"title": title, "command": "fathom.lens.whyNot", "arguments": [about]}]
    assert title not in json.dumps(answer["contents"])
    async with raw_server() as server:
        server.open(WITH_PIPELINE)
        answer = (await server.ask("textDocument/hover", asked))["result"]
    assert set(answer) == {"contents", "range"}


def action(offered: list[types.CodeAction], title: str) -> Any:
    command = next(each for each in offered if each.title == title).command
    assert command is not None
    return command.command, command.arguments


async def asked_at(session: Session, text: str, word: str) -> str:
    """What the server shows where the client has no command of its own."""
    buffer = session.open(text)
    at = buffer.at(word)
    title = TITLES[word]
    assert title is not None
    name, arguments = action(await buffer.actions(at), title)
    answer = await session.command(name, *arguments)
    assert f"shown: {answer['message']}" in session.log
    return answer["message"]


async def test_an_action_asks_and_the_server_shows_the_answer() -> None:
    async with started() as session:
        message = await asked_at(session, WITH_PIPELINE, "arith.addf")
        assert "VectorConvertToLLVMPattern: unable to convert type for operand #0" in message
        message = await asked_at(session, WITH_PIPELINE, "memref.load")
        assert message.endswith(" by LoadOpLowering")


async def test_an_action_has_the_command_of_a_client_that_shows_answers() -> None:
    able = capabilities()
    able.experimental = {"fathom": {"commands": ["fathom.lens.whyNot"]}}
    async with started(able) as session:
        buffer = session.open(WITH_PIPELINE)
        name, (about,) = action(await buffer.actions(buffer.at("memref.load")), str(TITLES["memref.load"]))
        assert (name, about["uri"]) == ("fathom.lens.whyNot", buffer.uri)
        answer = await buffer.ask("fathom/whyNot", position=about["position"])
        assert answer["operation"] == "memref.load"


@pytest.mark.parametrize(
    "arguments",
    [[], [URI], [URI, 5], [URI, {"line": -1, "character": 0}], [5, {"line": 0, "character": 0}]],
)
async def test_a_question_about_nothing_is_refused(arguments: list[object]) -> None:
    async with raw_server() as server:
        server.open(TEXT)
        answer = await server.ask("workspace/executeCommand", {"command": "fathom.tellWhyNot", "arguments": arguments})
        assert answer["error"]["code"] == -32602


async def test_where_there_is_no_operation_it_is_said() -> None:
    async with started() as session:
        buffer = session.open(f"// nothing\n{TEXT}")
        for line in (0, 1 << 20):
            answer = await session.command("fathom.tellWhyNot", buffer.uri, {"line": line, "character": 0})
            assert answer["message"]
