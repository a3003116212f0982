"""What differs from client to client: position encodings, settings, transports, and how a session ends."""

from __future__ import annotations

import asyncio
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.patience import PATIENCE
from tests.processes import is_running
from tests.server.client import COMMAND, Buffer, Session, capabilities, environment, started, units

WIDE = """\
func.func @f(%a: i32) -> i32 {
  %x = "é😀.op"(%a) {note = "😀 é"} : (i32) -> i32 // é😀
  return %x : i32
}
"""
LEFT = """\
func.func @f(%t: tensor<*xf32>) -> tensor<*xf32> {
  %0 = arith.addf %t, %t : tensor<*xf32>
  return %0 : tensor<*xf32>
}
"""
ENDLESS = "func.func @endless() {\n  cf.br ^bb1\n^bb1:\n  cf.br ^bb1\n}\n"


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ([], "utf-16"),
        (["utf-16"], "utf-16"),
        (["utf-8", "utf-16"], "utf-8"),
        (["utf-32"], "utf-32"),
    ],
)
async def test_columns_after_wide_characters(offered: list[str], chosen: str) -> None:
    async with started(capabilities(offered)) as session:
        assert session.encoding == chosen
        buffer = session.open(WIDE)
        place = buffer.at("(%a)", 1)
        assert "%a : i32" in await buffer.hover(place)
        (where,) = await buffer.definition(place)
        assert buffer.slice(where.range) == "%a"
        locations = await session.client.text_document_references_async(
            types.ReferenceParams(types.ReferenceContext(True), buffer.identifier, place)
        )
        assert [buffer.slice(location.range) for location in locations or []] == ["%a", "%a"]
        buffer.edit(("} : (i32) -> i32", "} : (i32) -> i64"))
        (mistake,) = [d for d in await _errors(buffer) if "expects different type" in d.message][:1]
        assert buffer.slice(mistake.range) == "%x"
        buffer.edit(("(i32) -> i64", "(i32) -> i32"), ("😀.op", "😀é😀.op"), ("(%a)", "(%b)"))
        (mistake,) = await _errors(buffer)
        assert buffer.slice(mistake.range) == "%b"
        buffer.edit(("(%b)", "(%a)"))
        assert await _errors(buffer) == []
        shown = await buffer.ask("fathom/preview", stage="source", function="f")
        entry = next(e for e in shown["map"] if e["source"]["start"]["line"] == 1)
        line = shown["text"].split("\n")[entry["target"]["start"]["line"]]
        end = _units_to_index(line, entry["target"]["end"]["character"], chosen)
        assert line[:end].endswith("-> i32")


async def _errors(buffer: Buffer) -> list[types.Diagnostic]:
    return [d for d in await buffer.raw_diagnostics() if d.severity == types.DiagnosticSeverity.Error]


def _units_to_index(line: str, count: int, encoding: str) -> int:
    return next(index for index in range(len(line) + 1) if units(line[:index], encoding) == count)


# ---- places that belong to a diagnostic

TWICE = "func.func @f(%a: i32) {\n  %x = arith.addi %a, %a : i32\n  %x = arith.muli %a, %a : i32\n  return\n}\n"


@pytest.mark.parametrize("related", [True, False])
async def test_related_places_are_shown_by_every_client(related: bool) -> None:
    async with started(capabilities(related=related)) as session:
        buffer = session.open(TWICE)
        (mistake,) = await _errors(buffer)
        assert mistake.code == "elaborate"
        places = [(buffer.slice(note.location.range), note.message) for note in mistake.related_information or []]
        if related:
            assert mistake.message == "redefinition of SSA value '%x'"
            assert places == [("%x", "previously defined here")]
            assert mistake.related_information
            assert mistake.related_information[0].location.range.start.line == 1
        else:
            assert mistake.message == "redefinition of SSA value '%x'\npreviously defined here (line 2)"
            assert places == []


# ---- what is completed


async def _completed(
    buffer: Buffer, has_words: bool, typed: str, behind: str = ""
) -> list[tuple[str, str, types.CompletionItemKind | int]]:
    """What is offered behind what was typed in a line of its own: its label, what stands there when it was taken,
    and its kind. A client that `has_words` of its own puts it in the place of one, as Kate does."""
    line = f"  {typed}{behind}"
    buffer.edit((buffer.text, f"func.func @callee(%a: i32) {{\n{line}\n  return\n}}\n"))
    params = types.CompletionParams(buffer.identifier, types.Position(1, len(typed) + 2))
    offered = await buffer.session.client.text_document_completion_async(params)
    assert isinstance(offered, types.CompletionList)
    taken: list[tuple[str, str, types.CompletionItemKind | int]] = []
    for item in offered.items:
        edit = item.text_edit
        assert isinstance(edit, types.TextEdit) and item.kind is not None
        start, end = edit.range.start.character, edit.range.end.character
        if has_words:
            word = re.search(r"\w*\Z", line[: len(typed) + 2]), re.match(r"\w*", line[len(typed) + 2 :])
            assert word[0] is not None and word[1] is not None
            assert (start, end) == (word[0].start(), len(typed) + 2 + word[1].end())
        taken.append((item.label, (line[:start] + edit.new_text + line[end:]).strip(), item.kind))
    return taken


@pytest.mark.parametrize("has_words", [False, True])
async def test_what_is_completed_takes_the_place_of_a_word(has_words: bool) -> None:
    """Kate 22.12, which says nothing of completion, puts what it completes in the place of what it takes for a word."""
    async with started(capabilities(completes=not has_words)) as session:
        buffer = session.open("func.func @f() {\n  return\n}\n")
        called = types.CompletionItemKind.Keyword if has_words else types.CompletionItemKind.Function
        variable, function = types.CompletionItemKind.Variable, types.CompletionItemKind.Function
        assert ("arith.addi", "%x = arith.addi", called) in await _completed(buffer, has_words, "%x = arith.ad")
        assert ("arith.addi", "%x = arith.addi", called) in await _completed(buffer, has_words, "%x = arith.")
        assert ("%a", "%x = arith.addi %a", variable) in await _completed(buffer, has_words, "%x = arith.addi %")
        assert ("%a", "%x = arith.addi %a, %a", variable) in await _completed(
            buffer, has_words, "%x = arith.addi %", "a, %a"
        )
        assert ("@callee", "call @callee", function) in await _completed(buffer, has_words, "call @ca")
        assert any(
            taken == "%x = arith.addi" for _, taken, _ in await _completed(buffer, has_words, "%x = ari", "th.addi")
        )
        of_shape = [taken for _, taken, _ in await _completed(buffer, has_words, "%x = memref.alloc() : memref<4x")]
        assert "%x = memref.alloc() : memref<4xi32" in of_shape
        of_shape = [taken for _, taken, _ in await _completed(buffer, has_words, "%x = memref.alloc() : memref<?x4xi")]
        assert "%x = memref.alloc() : memref<?x4xi32" in of_shape


# ---- actions


@pytest.mark.parametrize("shows", [True, False])
async def test_an_action_that_is_not_possible_is_offered_only_to_who_shows_it(shows: bool) -> None:
    async with started(capabilities(shows_disabled=shows)) as session:
        buffer = session.open("func.func @f(%a: ) {\n  return\n}\n")
        actions = await buffer.actions(buffer.at("@f"))
        assert any(action.title.startswith("Lower `@f`") for action in actions) is shows
        assert any(action.disabled is not None for action in actions) is shows


# ---- folders


async def _symbols(session: Session) -> list[str]:
    """The names of the symbols of the workspace."""
    symbols = await session.client.workspace_symbol_async(types.WorkspaceSymbolParams("f")) or []
    return [symbol.name for symbol in symbols]


@pytest.mark.parametrize("names_folders", [True, False])
async def test_a_root_is_no_folder_of_a_client_that_names_the_folders(names_folders: bool, tmp_path: Path) -> None:
    """Kate has the home folder for a root, and no folders, if it found no project."""
    (tmp_path / "one.mlir").write_text(LEFT)
    can = capabilities(names_folders=names_folders)
    async with started(can, root=tmp_path) as session:
        if names_folders:
            await asyncio.sleep(1)
            assert await _symbols(session) == []
            event = types.WorkspaceFoldersChangeEvent([types.WorkspaceFolder(tmp_path.as_uri(), "one")], [])
            session.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
        names: list[str] = []
        for _ in range(6000):
            if names := await _symbols(session):
                break
            await asyncio.sleep(0.05)
        assert names == ["@f"]


# ---- settings


async def _left_behind(session: Session, expected: bool) -> None:
    """Whether anything is said of what would be left behind."""
    buffer = session.open(LEFT)

    def is_told(messages: list[str]) -> bool:
        return any("arith.addf" in line or "does not reach LLVM IR" in line for line in messages)

    await buffer.diagnostics(lambda messages: is_told(messages) is expected)
    if not expected:
        await asyncio.sleep(0.3)
        assert not is_told(await buffer.diagnostics())


async def test_settings_at_the_start() -> None:
    async with started(options={"diagnostics": {"lowering": False}}) as session:
        await _left_behind(session, False)
    async with started(options=None) as session:
        await _left_behind(session, True)


async def test_settings_that_the_client_is_asked_for() -> None:
    section = {"diagnostics": {"lowering": False}}
    async with started(capabilities(configuration=True), configuration=section) as session:
        await session.until(lambda: session.asked or None)
        await _left_behind(session, False)
        session.configuration = {"diagnostics": {"lowering": True}}
        asked = session.asked
        session.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
        await session.until(lambda: session.asked > asked or None)
        await _left_behind(session, True)


async def test_settings_that_change() -> None:
    async with started() as session:
        buffer = session.open(LEFT)
        await buffer.diagnostics(bool)
        change = session.client.workspace_did_change_configuration
        change(types.DidChangeConfigurationParams({"fathom": {"diagnostics": {"lowering": False}}}))
        await buffer.diagnostics(lambda messages: not messages)
        change(types.DidChangeConfigurationParams({"fathom": {"diagnostics": {"lowering": True}}}))
        await buffer.diagnostics(bool)
        change(types.DidChangeConfigurationParams({"fathom": {"pipeline": "--convert-scf-to-cf --convert-cf-to-llvm"}}))
        stages = [stage["id"] for stage in await buffer.ask("fathom/stages")]
        assert stages == [
            "source",
            "convert-scf-to-cf",
            "llvm-dialect",
            "llvm-ir",
            "llvm-optimized",
            "assembly",
            "object",
        ]


WRONG: list[tuple[Any, str]] = [
    ({"pipeline": 3}, "fathom.pipeline"),
    ({"pipeline": "builtin.module(no-such-pass)"}, "no-such-pass"),
    ({"pipeline": "'"}, "fathom.pipeline"),
    ({"pipeline": "-'"}, "fathom.pipeline"),
    ({"diagnostics": {"lowering": "yes"}}, "fathom.diagnostics.lowering"),
    ({"diagnostics": 3}, "fathom.diagnostics"),
    ({"run": {"timeoutSeconds": "long"}}, "fathom.run.timeoutSeconds"),
    ({"run": {"memoryMegabytes": -1}}, "fathom.run.memoryMegabytes"),
    ({"run": {"outputKilobytes": True}}, "fathom.run.outputKilobytes"),
    ([1, 2], "fathom"),
    ("text", "fathom"),
]


@pytest.mark.parametrize("at_start", [True, False])
async def test_settings_of_the_wrong_type_are_named_and_ignored(at_start: bool) -> None:
    if at_start:
        for wrong, name in WRONG[:2]:
            async with started(options=wrong) as session:
                await session.until(lambda name=name: any(name in line for line in session.log) or None)
                await _left_behind(session, True)
        return
    async with started() as session:
        for wrong, name in WRONG:
            session.log.clear()
            session.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({"fathom": wrong}))
            await session.until(
                lambda name=name: any(name in line for line in session.log) or None, lambda wrong=wrong: str(wrong)
            )
        assert not any(line.startswith("shown: ") for line in session.log)
        await _left_behind(session, True)


# ---- the end


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    lists = [file.read_text("ascii") for file in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(child) for of_task in lists for child in of_task.split()]


@pytest.mark.parametrize("way", ["exit", "no shutdown", "end of input", "kill"])
async def test_the_end_of_a_session_leaves_nothing_running(way: str) -> None:
    client = LanguageClient("fathom-tests", "0")
    await client.start_io(*COMMAND, "--stdio", env=environment())
    server = client._server
    assert server is not None
    await asyncio.wait_for(client.initialize_async(types.InitializeParams(capabilities())), PATIENCE)
    client.initialized(types.InitializedParams())
    uri = "file:///a.mlir"
    item = types.TextDocumentItem(uri, "mlir", 1, ENDLESS)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    given = {"uri": uri, "function": "endless", "arguments": []}
    client.workspace_execute_command(types.ExecuteCommandParams("fathom.runFunction", [given]))
    workers: list[int] = []
    for _ in range(6000):
        if workers := children(server.pid):
            break
        await asyncio.sleep(0.05)
    assert workers, "the worker was not started"
    await asyncio.sleep(0.5)
    if way == "exit":
        await asyncio.wait_for(client.shutdown_async(None), PATIENCE)
        client.exit(None)
    elif way == "no shutdown":
        client.exit(None)
    elif way == "end of input":
        assert server.stdin is not None
        server.stdin.close()
    else:
        server.send_signal(signal.SIGKILL)
    code = await asyncio.wait_for(server.wait(), PATIENCE)
    assert code == {"exit": 0, "no shutdown": 1, "end of input": 0, "kill": -signal.SIGKILL}[way]
    for _ in range(6000):
        if not any(is_running(worker) for worker in workers):
            break
        await asyncio.sleep(0.05)
    assert not any(is_running(worker) for worker in workers)
    await client.stop()
