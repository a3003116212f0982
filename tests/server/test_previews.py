"""Previews over the wire: fresh and stale ones, their maps, and the notices that they may have changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from fathom.pipeline.defaults import LOWER_TO_LLVM
from tests.server.client import Buffer, Session, started

pytestmark = pytest.mark.asyncio(loop_scope="module")

FUNCTION = "func.func @{0}(%a: i32) -> i32 {{\n  %x = arith.addi %a, %a : i32\n  return %x : i32\n}}\n"
LAST = ["llvm-dialect", "llvm-ir", "llvm-optimized", "assembly", "object"]
"""The stages after the passes."""
THREE = "".join(FUNCTION.format(name) for name in ("one", "two", "three"))
CALLER = "func.func @caller(%a: i32) -> i32 {\n  %x = call @g(%a) : (i32) -> i32\n  return %x : i32\n}\n"


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started() as session:
        yield session


async def notice(buffer: Buffer) -> Any:
    """The notice for the present version."""
    document = {"uri": buffer.uri, "version": buffer.version}
    return await buffer.session.until(
        lambda: next((preview for preview in buffer.session.previews if preview["textDocument"] == document), None),
        lambda: f"{document} in {buffer.session.previews}",
    )


def text_of(buffer: Buffer, preview: Any, entry: Any) -> tuple[str, str]:
    """What an entry of the map links: the text in the source and the text in the preview."""
    lines = preview["text"].split("\n")
    target = entry["target"]
    assert target["start"]["line"] == target["end"]["line"], "an operation is represented by its head"
    shown = lines[target["start"]["line"]][target["start"]["character"] : target["end"]["character"]]
    start, end = (types.Position(**entry["source"][side]) for side in ("start", "end"))
    return buffer.slice(types.Range(start, end)), shown


async def test_the_stages(session: Session) -> None:
    stages = await session.open(THREE).ask("fathom/stages")
    assert [stage["id"] for stage in stages] == [
        "source",
        "convert-arith-to-llvm",
        "convert-func-to-llvm",
        "llvm-dialect",
        "llvm-ir",
        "llvm-optimized",
        "assembly",
        "object",
    ]
    assert {stage["languageId"] for stage in stages[:-4]} == {"mlir"}
    assert stages[-4:] == [
        {"id": "llvm-ir", "title": "LLVM IR", "languageId": "llvm"},
        {"id": "llvm-optimized", "title": "Optimised LLVM IR (O2)", "languageId": "llvm"},
        {"id": "assembly", "title": "Assembly (O2, this computer)", "languageId": "asm"},
        {"id": "object", "title": "Object file, disassembled (O2, this computer)", "languageId": "asm"},
    ]
    assert stages[1]["title"] == f"After {stages[1]['id']}"


BRANCH = """func.func @branch(%c: i1, %a: i32) -> i32 {
  %x = scf.if %c -> i32 {
    scf.yield %a : i32
  } else {
    %y = arith.addi %a, %a : i32
    scf.yield %y : i32
  }
  return %x : i32
}
"""


async def test_the_stages_of_a_function_are_those_of_the_passes_that_it_needs(session: Session) -> None:
    buffer = session.open(BRANCH + THREE)

    async def passes(**what: Any) -> list[str]:
        stages = [stage["id"] for stage in await buffer.ask("fathom/stages", **what)]
        assert (stages[0], stages[-5:]) == ("source", LAST)
        return stages[1:-5]

    needed = ["convert-scf-to-cf", "convert-arith-to-llvm", "convert-cf-to-llvm", "convert-func-to-llvm"]
    assert await passes(function="branch") == needed
    assert await passes(position={"line": 2, "character": 0}) == needed
    assert await passes() == needed
    assert await passes(function="one") == ["convert-arith-to-llvm", "convert-func-to-llvm"]
    shown = await buffer.ask("fathom/preview", stage="convert-scf-to-cf", function="one")
    assert shown["text"] == (await buffer.ask("fathom/preview", stage="source", function="one"))["text"]


async def test_of_a_function_that_cannot_be_lowered_all_stages_may_be_wanted(session: Session) -> None:
    buffer = session.open(THREE.replace("%a, %a : i32", "%a, %b : i32", 1))
    stages = [stage["id"] for stage in await buffer.ask("fathom/stages", function="one")]
    names = [use.name for use in LOWER_TO_LLVM.passes[:-1]]
    turns = [names[: place + 1].count(name) for place, name in enumerate(names)]
    passes = [name if turn == 1 else f"{name}#{turn}" for name, turn in zip(names, turns, strict=True)]
    assert stages == ["source", *passes, *LAST]
    assert len(await buffer.ask("fathom/stages")) < len(stages)


async def test_a_fresh_preview_of_a_function(session: Session) -> None:
    buffer = session.open(THREE, "some folder/my file.mlir")
    shown = await buffer.ask("fathom/preview", stage="llvm-ir", function="two")
    assert set(shown) == {"uri", "stage", "function", "version", "stale", "languageId", "text", "map"}
    assert (shown["stage"], shown["function"], shown["version"]) == ("llvm-ir", "two", 1)
    assert (shown["stale"], shown["languageId"]) == (False, "llvm")
    assert "define i32 @two(i32 %0)" in shown["text"]
    assert "@one" not in shown["text"]
    assert shown["uri"] == f"fathom-preview:/llvm-ir/%40two.ll?{quote(buffer.uri, safe='')}"
    links = [text_of(buffer, shown, entry) for entry in shown["map"]]
    assert ("arith.addi %a, %a : i32", "%2 = add i32 %0, %0") in links
    assert ("return %x : i32", "ret i32 %2") in links
    assert shown["map"] == sorted(shown["map"], key=_order)
    whole = await buffer.ask("fathom/preview", stage="source")
    assert "function" not in whole
    assert whole["uri"].startswith("fathom-preview:/source/my%20file.mlir?")
    assert whole["text"].count("func.func") == 3


def _order(entry: Any) -> tuple[int, ...]:
    source, target = entry["source"]["start"], entry["target"]["start"]
    return source["line"], source["character"], target["line"], target["character"]


async def test_the_function_around_a_position(session: Session) -> None:
    buffer = session.open("// a comment\n\n" + THREE)
    for position, function in (((8, 4), "two"), ((6, 2), "two"), ((0, 3), None), ((99, 0), None)):
        line, character = position
        shown = await buffer.ask("fathom/preview", stage="source", position={"line": line, "character": character})
        assert shown.get("function") == function, position


async def test_a_stale_preview_keeps_its_text_and_says_why(session: Session) -> None:
    buffer = session.open(THREE)
    good = await buffer.ask("fathom/preview", stage="llvm-dialect", function="two")
    start = buffer.text.index("addi %a, %a", buffer.text.index("@two"))
    buffer.replace(start + 7, start + 8, "")
    stale = await buffer.ask("fathom/preview", stage="llvm-dialect", function="two")
    assert stale["stale"]
    assert stale["staleReason"] == "expected ',' (line 6)"
    assert [stale[key] for key in ("version", "text", "map")] == [good[key] for key in ("version", "text", "map")]
    other = await buffer.ask("fathom/preview", stage="llvm-dialect", function="three")
    assert (other["stale"], other["version"]) == (False, 2)
    whole = await buffer.ask("fathom/preview", stage="llvm-dialect")
    assert (whole["stale"], whole["text"], whole["staleReason"]) == (True, "", "expected ',' (line 6)")
    buffer.replace(start + 7, start + 7, ",")
    again = await buffer.ask("fathom/preview", stage="llvm-dialect", function="two")
    assert (again["stale"], again["version"], again["text"]) == (False, 3, good["text"])
    assert "staleReason" not in again
    buffer.edit(("@two", "@zwei"))
    gone = await buffer.ask("fathom/preview", stage="llvm-dialect", function="two")
    assert (gone["stale"], gone["staleReason"], gone["text"]) == (True, "there is no function @two", good["text"])


async def test_what_cannot_be_lowered_makes_a_preview_stale(session: Session) -> None:
    text = "func.func @f(%t: tensor<*xf32>) -> tensor<*xf32> {\n  %0 = arith.addf %t, %t : tensor<*xf32>\n"
    buffer = session.open(text + "  return %0 : tensor<*xf32>\n}\n")
    shown = await buffer.ask("fathom/preview", stage="llvm-ir", function="f")
    assert (shown["stale"], shown["text"], shown["map"]) == (True, "", [])
    assert "\n" not in shown["staleReason"]
    assert shown["diagnostics"]
    assert not (await buffer.ask("fathom/preview", stage="convert-scf-to-cf", function="f"))["stale"]


async def test_requests_that_make_no_sense(session: Session) -> None:
    buffer = session.open(THREE)
    for parameters in (
        {"stage": "nowhere"},
        {},
        {"stage": None},
        {"stage": 3},
        {"stage": "source", "function": 3},
        {"stage": "source", "position": 3},
        {"stage": "source", "position": {"line": "0", "character": 1}},
    ):
        with pytest.raises(JsonRpcException) as caught:
            await buffer.ask("fathom/preview", **parameters)
        assert caught.value.code == -32602, parameters
    assert "llvm-dialect, llvm-ir" in await _message(buffer)


async def _message(buffer: Buffer) -> str:
    with pytest.raises(JsonRpcException) as caught:
        await buffer.ask("fathom/preview", stage="nowhere")
    return caught.value.message


async def test_notices_cover_what_an_edit_can_have_changed(session: Session) -> None:
    buffer = session.open(THREE)
    for name in ("one", "two", "three"):
        await buffer.ask("fathom/preview", stage="llvm-ir", function=name)
    buffer.edit(("@two(%a: i32) -> i32 {", "@two(%a: i32) -> i32 { "))
    told = await notice(buffer)
    assert set(told) == {"textDocument", "functions"}
    assert set(told["functions"]) >= {"three", "two"}, "what follows has moved"
    assert "one" not in told["functions"]
    buffer.replace(len(buffer.text), len(buffer.text), "// a comment at the end\n")
    assert "one" not in (await notice(buffer))["functions"]


async def test_notices_cover_the_users_of_what_changed(session: Session) -> None:
    buffer = session.open(CALLER + FUNCTION.format("g") + FUNCTION.format("h"))
    for name in ("caller", "g"):
        await buffer.ask("fathom/preview", stage="llvm-ir", function=name)
    buffer.edit(("@g(%a: i32)", "@g(%a: i32, %b: i32)"))
    assert (await notice(buffer))["functions"] == ["caller", "g"]
    assert (await buffer.ask("fathom/preview", stage="llvm-ir", function="caller"))["stale"]
    buffer.edit(("@g(%a: i32, %b: i32)", "@g(%a: i32)"))
    assert (await notice(buffer))["functions"] == ["caller", "g"]
    for name in ("caller", "g"):
        assert not (await buffer.ask("fathom/preview", stage="llvm-ir", function=name))["stale"]
    buffer.edit(("func.func @h(%a", "func.func @h(%c"))
    assert (await notice(buffer))["functions"] == []


async def test_notices_after_a_definition_that_was_missing_came(session: Session) -> None:
    buffer = session.open(CALLER)
    assert (await buffer.ask("fathom/preview", stage="llvm-ir", function="caller"))["stale"]
    buffer.replace(len(buffer.text), len(buffer.text), FUNCTION.format("g"))
    assert (await notice(buffer))["functions"] == ["caller"]
    assert not (await buffer.ask("fathom/preview", stage="llvm-ir", function="caller"))["stale"]


async def test_notices_cover_everything_after_an_alias_changed(session: Session) -> None:
    buffer = session.open(THREE.replace("@one(%a: i32)", "@one(%a: !t)") + "!t = i32\n")
    await buffer.ask("fathom/preview", stage="llvm-ir", function="one")
    buffer.edit(("!t = i32", "!t = i64"))
    assert (await notice(buffer))["functions"] == ["one"]


async def test_of_quick_edits_the_first_and_the_last_have_a_notice(session: Session) -> None:
    buffer = session.open(THREE)
    await buffer.ask("fathom/preview", stage="llvm-ir")
    first = buffer.version + 1
    for _ in range(10):
        buffer.replace(0, 0, "\n")
    assert (await notice(buffer))["functions"] == []
    told = [preview["textDocument"] for preview in session.previews if preview["textDocument"]["uri"] == buffer.uri]
    assert len(told) < 10
    assert (told[0]["version"], told[-1]["version"]) == (first, buffer.version)


async def test_a_closed_preview_is_no_longer_announced(session: Session) -> None:
    buffer = session.open(THREE)
    await buffer.ask("fathom/preview", stage="llvm-ir", function="one")
    await buffer.ask("fathom/preview", stage="source")
    session.client.protocol.notify(
        "fathom/closePreview", {"textDocument": {"uri": buffer.uri}, "stage": "llvm-ir", "function": "one"}
    )
    buffer.replace(0, 0, "\n")
    assert (await notice(buffer))["functions"] == []
    session.client.protocol.notify("fathom/closePreview", {"textDocument": {"uri": buffer.uri}, "stage": "source"})
    buffer.replace(0, 0, "\n")
    await buffer.diagnostics()
    await asyncio.sleep(0.1)
    assert buffer.version not in [
        preview["textDocument"]["version"]
        for preview in session.previews
        if preview["textDocument"]["uri"] == buffer.uri
    ]


async def test_another_pipeline_has_other_stages() -> None:
    async with started(options={"pipeline": "builtin.module(no-such-pass)"}) as session:
        assert any("fathom.pipeline" in line for line in [await session.until(lambda: (session.log or [None])[0])])
    async with started(options={"pipeline": "--convert-scf-to-cf --convert-scf-to-cf --convert-cf-to-llvm"}) as session:
        buffer = session.open(THREE)
        assert [stage["id"] for stage in await buffer.ask("fathom/stages")] == [
            "source",
            "convert-scf-to-cf",
            "convert-scf-to-cf#2",
            *LAST,
        ]
        await buffer.ask("fathom/preview", stage="convert-scf-to-cf#2", function="one")


TARGET = " attributes {omp.declare_target = #omp.declaretarget<device_type = (any), capture_clause = (to)>}"
KERNEL = f"llvm.func @kernel(){TARGET} {{\n  llvm.return\n}}\nllvm.func @plain() {{\n  llvm.return\n}}\n"


async def test_a_preview_that_leaves_something_out_is_shown_as_stale(session: Session) -> None:
    buffer = session.open(KERNEL)
    shown = await buffer.ask("fathom/preview", stage="llvm-ir", function="kernel")
    assert (shown["stale"], shown["version"]) == (True, 1)
    assert "define void @kernel() {" in shown["text"]
    assert shown["staleReason"].startswith(
        "'llvm.func' op has 'omp.declare_target', which the translation to LLVM IR does not"
    )
    assert shown["staleReason"].endswith("(line 1)")
    (told,) = shown["diagnostics"]
    assert told["severity"] == types.DiagnosticSeverity.Warning
    assert shown["staleReason"].startswith(told["message"])
    assert shown["map"]
    other = await buffer.ask("fathom/preview", stage="llvm-ir", function="plain")
    assert not other["stale"]
    whole = await buffer.ask("fathom/preview", stage="llvm-ir")
    assert (whole["stale"], whole["staleReason"]) == (True, shown["staleReason"])
    buffer.edit((TARGET, ""))
    again = await buffer.ask("fathom/preview", stage="llvm-ir", function="kernel")
    assert not again["stale"]


DEFINED = """\
llvm.comdat @__llvm_global_comdat {
  llvm.comdat_selector @callee any
}
llvm.func @handler(...) -> i32
llvm.func internal @callee(%a: i32) -> i32 comdat(@__llvm_global_comdat::@callee) attributes {personality = @handler} {
  llvm.return %a : i32
}
llvm.func available_externally @other(%a: i32) -> i32 {
  llvm.return %a : i32
}
llvm.func weak @caller(%a: i32) -> i32 {
  %0 = llvm.call @callee(%a) : (i32) -> i32
  %1 = llvm.call @other(%0) : (i32) -> i32
  llvm.return %1 : i32
}
"""


async def test_what_a_function_calls_is_declared_whatever_its_definition_is(session: Session) -> None:
    buffer = session.open(DEFINED)
    made = await buffer.ask("fathom/preview", stage="llvm-ir", function="caller")
    assert not made["stale"], made
    lines = made["text"].splitlines()
    assert [line for line in lines if line.startswith("de")] == [
        "declare i32 @callee(i32)",
        "declare i32 @other(i32)",
        "define weak i32 @caller(i32 %0) {",
    ]


SCOPED = """\
#file = #llvm.di_file<"a.c" in "/">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = true,
  emissionKind = Full>
#name = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file,
  subprogramFlags = "Definition">
llvm.func @f(%a: i32) -> i32 {
  %0 = llvm.add %a, %a : i32
  %1 = llvm.mul %0, %a : i32 loc("a.c":70:3)
  llvm.return %1 : i32
} loc(fused<#name>["a.c":5:1])
"""


def places_in(text: str) -> list[str]:
    """Where LLVM IR says that instructions stand."""
    return [line.partition("!DILocation(")[2].partition(", scope")[0] for line in text.splitlines() if "!DIL" in line]


async def test_what_says_no_location_is_at_its_line_of_the_document(session: Session) -> None:
    buffer = session.open(SCOPED)
    for name in ({"function": "f"}, {}):
        made = await buffer.ask("fathom/preview", stage="llvm-ir", **name)
        assert places_in(made["text"]) == ["line: 7, column: 8", "line: 70, column: 3", "line: 9, column: 3"]
    word = '%s = llvm.mlir.constant("é") : !llvm.array<2 x i8>'
    buffer.edit(("llvm.func", "// 𝄞\nllvm.func"), ("  %0 =", f"  {word} %0 ="))
    assert (await notice(buffer))["functions"] == ["f"]
    made = await buffer.ask("fathom/preview", stage="llvm-ir", function="f")
    assert places_in(made["text"]) == [
        f"line: 8, column: {len(word.encode()) + 9}",
        "line: 70, column: 3",
        "line: 10, column: 3",
    ]
    buffer.edit(("// 𝄞\n", ""))
    made = await buffer.ask("fathom/preview", stage="llvm-ir", function="f")
    assert places_in(made["text"])[-1] == "line: 9, column: 3"


async def test_debug_information_of_a_pass_has_the_lines_of_the_document() -> None:
    pipeline = "builtin.module(convert-arith-to-llvm,convert-func-to-llvm,ensure-debug-info-scope-on-llvm-func)"
    async with started(options={"pipeline": pipeline}) as session:
        buffer = session.open(f"\n\n{THREE}")
        made = await buffer.ask("fathom/preview", stage="llvm-ir", function="two")
        assert places_in(made["text"]) == ["line: 8, column: 8", "line: 9, column: 3"]
        assert f'filename: "{buffer.uri.rpartition("/")[2]}"' in made["text"]


async def test_a_long_file_is_shown_as_it_comes(session: Session) -> None:
    text = "".join(FUNCTION.format(f"f{number}") for number in range(120))
    buffer = session.open(text)
    known = len(session.previews)
    shown = [await buffer.ask("fathom/preview", stage="llvm-dialect")]
    while shown[-1].get("goesOn"):
        await session.until(lambda known=known: len(session.previews) > known or None, lambda: "no notice")
        known = len(session.previews)
        shown.append(await buffer.ask("fathom/preview", stage="llvm-dialect"))
    assert [one["stale"] for one in shown] == [True] * (len(shown) - 1) + [False]
    assert shown[-1]["text"].count("llvm.func") == 120
    at = text.index("addi")
    buffer.replace(at, at + 4, "muli")
    again = await buffer.ask("fathom/preview", stage="llvm-dialect")
    assert (again["stale"], again["version"]) == (False, 2)
    assert again["text"] == shown[-1]["text"].replace("llvm.add", "llvm.mul", 1)
