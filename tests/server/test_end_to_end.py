"""The real server over standard input and output: documents, what it says of them, and what it answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.server.client import ROOT, Buffer, Session, capabilities, started

pytestmark = pytest.mark.asyncio(loop_scope="module")

SAXPY = (ROOT / "examples" / "saxpy.mlir").read_text(encoding="utf-8")
FUNCTION = "func.func @{0}(%a: i32) -> i32 {{\n  %x = arith.addi %a, %a : i32\n  return %x : i32\n}}\n"
PAIR = FUNCTION.format("first") + "\n" + FUNCTION.format("second")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started() as session:
        yield session


async def check_same_as_fresh(buffer: Buffer) -> None:
    """What is said of an edited buffer is what is said of its text opened anew."""
    fresh = buffer.session.open(buffer.text)
    expected = await fresh.diagnostics()
    await buffer.diagnostics(lambda messages: messages == expected)
    assert await buffer.symbols() == await fresh.symbols()
    fresh.close()


async def code_of(awaitable: object) -> int:
    """The code of the error that a request is answered with."""
    with pytest.raises(JsonRpcException) as caught:
        await awaitable  # type: ignore[misc]
    return caught.value.code


# ---- the handshake


async def test_the_capabilities(session: Session) -> None:
    able = session.result.capabilities
    assert isinstance(able.text_document_sync, types.TextDocumentSyncOptions)
    assert able.text_document_sync.change == types.TextDocumentSyncKind.Incremental
    assert able.execute_command_provider is not None
    assert set(able.execute_command_provider.commands) == {
        "fathom.bisectFunction",
        "fathom.benchFunction",
        "fathom.describeDialect",
        "fathom.lowerFunction",
        "fathom.moderniseWorkspace",
        "fathom.runFunction",
        "fathom.remarks",
        "fathom.runTest",
        "fathom.setPipeline",
        "fathom.tellWhyNot",
    }
    assert isinstance(able.code_action_provider, types.CodeActionOptions)
    assert able.code_action_provider.resolve_provider
    for name in ("hover_provider", "definition_provider", "references_provider", "document_symbol_provider"):
        assert getattr(able, name), name
    assert session.result.server_info is not None
    assert session.result.server_info.name == "fathom"


# ---- synchronisation and diagnostics


async def test_opening_an_example_shows_no_mistakes(session: Session) -> None:
    buffer = session.open(SAXPY)
    assert await buffer.diagnostics() == []
    buffer.close()
    await session.until(lambda: session.published.get((buffer.uri, None)))


async def test_a_broken_keystroke_and_its_repair(session: Session) -> None:
    buffer = session.open(PAIR)
    assert await buffer.diagnostics() == []
    buffer.edit(("@second(%a: i32)", "@second(%a: i32"))
    assert [line[:2] for line in await buffer.diagnostics()] == ["6:"]
    assert [symbol.name for symbol in await buffer.symbols()] == ["@first", "@second"]
    assert "%x : i32" in await buffer.hover(buffer.position(PAIR.index("return %x") + 8))
    buffer.edit(("@second(%a: i32", "@second(%a: i32)"))
    assert await buffer.diagnostics() == []


async def test_a_brace_that_is_missing_is_the_only_mistake(session: Session) -> None:
    """What stands behind it means what it was meant to mean, in the next function too, and in a module's last one."""
    body = "  scf.if %c {\n    %0 = arith.addi %a, %a : i32\n  }\n  return %a : i32\n"
    loop = f"func.func @f(%c: i1, %a: i32) -> i32 {{\n{body}}}\n"
    message = "2: expected '}' to close the region that begins here"
    buffer = session.open(loop + PAIR)
    assert await buffer.diagnostics() == []
    buffer.edit(("i32\n  }\n", "i32\n"))
    assert await buffer.diagnostics(bool) == [message]
    buffer.edit(("i32\n  return %a", "i32\n  }\n  return %a"))
    assert await buffer.diagnostics(lambda messages: not messages) == []
    indented = "".join(f"  {line}\n" for line in loop.splitlines())
    buffer = session.open(f"module {{\n{indented}}}\n")
    assert await buffer.diagnostics() == []
    buffer.edit(("i32\n    }\n", "i32\n"))
    assert await buffer.diagnostics(bool) == [message.replace("2", "3", 1)]
    buffer.set("module {\n")
    assert await buffer.diagnostics(bool) == [message.replace("2", "1", 1)]


async def test_a_diagnostic_says_where_and_what(session: Session) -> None:
    buffer = session.open(PAIR.replace("return %x : i32\n}\n\n", "return %y : i32\n}\n\n"))
    (diagnostic,) = await buffer.raw_diagnostics()
    assert buffer.slice(diagnostic.range) == "%y"
    assert (diagnostic.source, diagnostic.severity) == ("fathom", types.DiagnosticSeverity.Error)


async def test_a_signature_concerns_the_callers(session: Session) -> None:
    caller = "func.func @f(%a: i32) -> i32 {\n  %x = call @g(%a) : (i32) -> i32\n  return %x : i32\n}\n"
    buffer = session.open(caller + FUNCTION.format("g"))
    assert await buffer.diagnostics() == []
    buffer.edit(("@g(%a: i32)", "@g(%b: i32, %a: i32)"))
    assert any(line.startswith("2: ") for line in await buffer.diagnostics(bool))
    buffer.edit(("@g(%b: i32, %a: i32)", "@g(%a: i32)"))
    assert await buffer.diagnostics(lambda messages: not messages) == []
    buffer.edit(("func.func @g(", "func.func @h("))
    assert any("'g'" in line for line in await buffer.diagnostics(bool))
    buffer.edit(("func.func @h(", "func.func @g("))
    assert await buffer.diagnostics(lambda messages: not messages) == []


async def test_an_alias_concerns_its_users(session: Session) -> None:
    buffer = session.open("!t = i32\n" + FUNCTION.format("f").replace("%a: i32", "%a: !t"))
    assert await buffer.diagnostics() == []
    buffer.edit(("!t = i32\n", ""))
    assert any("undefined symbol alias" in line for line in await buffer.diagnostics(bool))
    buffer.replace(0, 0, "!t = i32\n")
    assert await buffer.diagnostics(lambda messages: not messages) == []
    buffer.edit(("!t = i32\n", "!t = f32\n"))
    assert await buffer.diagnostics(bool)


@pytest.mark.parametrize("wrap", ["{}", "module {{\n{}}}\n", "module @m {{\nmodule {{\n{}}}\n}}\n"])
async def test_two_of_one_name_are_reported_until_one_is_renamed(session: Session, wrap: str) -> None:
    buffer = session.open(wrap.format(FUNCTION.format("f") + FUNCTION.format("f").replace("%x", "%y")))
    first = await buffer.diagnostics(bool)
    assert [line for line in first if "redefinition of symbol named 'f'" in line] == first
    start = buffer.text.index("@f")
    buffer.replace(start, start + 2, "@g")
    assert await buffer.diagnostics(lambda messages: not messages) == []
    buffer.replace(start, start + 2, "@f")
    assert await buffer.diagnostics(lambda messages: messages == first) == first


async def test_one_name_in_two_modules_is_no_redefinition(session: Session) -> None:
    buffer = session.open("".join(f"module @m{n} {{\n{FUNCTION.format('f')}}}\n" for n in range(2)))
    assert await buffer.diagnostics() == []


async def test_several_changes_in_one_notification(session: Session) -> None:
    buffer = session.open(PAIR)
    buffer.edit(
        ("func.func @first(", "// a\n// b\nfunc.func @one("),
        ("@second(%a: i32)", "@two(%a: i32"),
        ("@two(%a: i32", "@two(%a: i32)"),
    )
    assert await buffer.diagnostics() == []
    assert [symbol.name for symbol in await buffer.symbols()] == ["@one", "@two"]
    await check_same_as_fresh(buffer)


async def test_a_deletion_over_lines(session: Session) -> None:
    buffer = session.open(PAIR)
    buffer.replace(PAIR.index("%x = arith"), PAIR.rindex("%x = arith"), "")
    await check_same_as_fresh(buffer)
    assert [symbol.name for symbol in await buffer.symbols()] == ["@first"]
    buffer.set(PAIR)
    await check_same_as_fresh(buffer)


@pytest.mark.parametrize("end", ["\n", "", "\r\n", "\n\n  ", "\r"])
async def test_edits_at_the_very_end(session: Session, end: str) -> None:
    buffer = session.open("func.func private @f()" + end)
    last = types.Position(len((buffer.text + "|").splitlines()) - 1, len((buffer.text + "|").splitlines()[-1]) - 1)
    for text in ("\n", "func.func private @", "g()", "\n// the end"):
        where = types.Range(last, last)
        buffer.text += text
        buffer.send([types.TextDocumentContentChangePartial(where, text)])
        last = types.Position(len((buffer.text + "|").splitlines()) - 1, len((buffer.text + "|").splitlines()[-1]) - 1)
    await check_same_as_fresh(buffer)
    assert "@g" in [symbol.name for symbol in await buffer.symbols()]


async def test_a_position_beyond_the_text_is_its_end(session: Session) -> None:
    buffer = session.open("func.func private @f()\n")
    beyond = types.Position(99, 99)
    buffer.text += "func.func private @g()"
    buffer.send([types.TextDocumentContentChangePartial(types.Range(beyond, beyond), "func.func private @g()")])
    await check_same_as_fresh(buffer)


async def test_a_document_that_was_and_becomes_empty(session: Session) -> None:
    buffer = session.open("")
    assert await buffer.diagnostics() == []
    assert await buffer.symbols() == []
    buffer.replace(0, 0, PAIR)
    await check_same_as_fresh(buffer)
    buffer.replace(0, len(PAIR), "")
    await check_same_as_fresh(buffer)
    assert await buffer.ask("fathom/functions") == []
    assert (await buffer.ask("fathom/preview", stage="llvm-ir"))["text"].strip() != "x"


async def test_lines_that_end_in_carriage_returns(session: Session) -> None:
    buffer = session.open(PAIR.replace("\n", "\r\n"))
    assert await buffer.diagnostics() == []
    buffer.edit(("@second(%a: i32)", "@second(%a: i32"))
    assert [line[:2] for line in await buffer.diagnostics()] == ["6:"]
    await check_same_as_fresh(buffer)
    action = await buffer.lowering(buffer.at("@first"))
    assert action.edit is not None
    text = edits_of(action.edit)[0].new_text
    assert "\n" in text.replace("\r\n", "\n")
    assert "\n" not in text.replace("\r\n", "")


# ---- what stands at a place


async def test_completion_says_more_when_it_is_asked_and_signatures_follow(session: Session) -> None:
    text = "func.func @f(%a: i32) {\n  %x = arith.ad\n  call @f(\n}\n"
    buffer = session.open(f'"é"() : () -> ()\n{text}')
    client = session.client
    params = types.CompletionParams(buffer.identifier, types.Position(2, 15))
    offered = await client.text_document_completion_async(params)
    assert isinstance(offered, types.CompletionList)
    item = next(candidate for candidate in offered.items if candidate.label == "arith.addi")
    assert item.documentation is None
    more = await client.completion_item_resolve_async(item)
    assert isinstance(more.documentation, types.MarkupContent)
    assert "arith.addi %lhs, %rhs : type" in more.documentation.value
    plain = types.CompletionItem("i32")
    assert await client.completion_item_resolve_async(plain) == plain
    help = await client.text_document_signature_help_async(
        types.SignatureHelpParams(buffer.identifier, types.Position(3, 10))
    )
    assert help is not None
    (shown,) = help.signatures
    assert (shown.label, help.active_parameter) == ("@f(%a: i32)", 0)
    assert [parameter.label for parameter in shown.parameters or ()] == [(3, 10)]


async def test_hover_definition_and_references(session: Session) -> None:
    buffer = session.open(SAXPY)
    assert "!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>" in await buffer.hover(
        buffer.position(SAXPY.index("memref<?xf32>") + 2)
    )
    use = buffer.position(SAXPY.index("%a, %xi") + 1)
    client = session.client
    (where,) = await buffer.definition(use)
    assert where.uri == buffer.uri
    assert buffer.slice(where.range) == "%a"
    assert where.range.start.line < use.line
    context = types.ReferenceContext(include_declaration=False)
    params = types.ReferenceParams(context, buffer.identifier, use)
    places = await client.text_document_references_async(params) or []
    assert {buffer.slice(location.range) for location in places} == {"%a"}
    assert use.line in [location.range.start.line for location in places]
    assert await client.text_document_hover_async(types.HoverParams(buffer.identifier, types.Position(9999, 0))) is None


async def test_the_symbols_of_nested_modules(session: Session) -> None:
    buffer = session.open("module @m {\n  func.func private @f(i32)\n}\n" + FUNCTION.format("g"))
    module, function = await buffer.symbols()
    assert (module.name, module.kind, function.name) == ("@m", types.SymbolKind.Module, "@g")
    assert [child.name for child in module.children or []] == ["@f"]
    assert buffer.slice(function.selection_range) == "@g"
    assert buffer.slice(function.range) == FUNCTION.format("g").rstrip()


# ---- lowering a function


def edits_of(edit: types.WorkspaceEdit) -> list[types.TextEdit]:
    """The edits of the one document that an edit is about."""
    if edit.document_changes:
        (change,) = edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        return [text_edit for text_edit in change.edits if isinstance(text_edit, types.TextEdit)]
    assert edit.changes is not None
    (edits,) = edit.changes.values()
    return list(edits)


async def test_the_code_action_replaces_the_function_alone(session: Session) -> None:
    buffer = session.open("// before\n" + PAIR + "// after\n")
    action = await buffer.lowering(buffer.at("@second"))
    assert action.title == "Lower `@second` to the LLVM dialect"
    assert action.kind == "refactor.rewrite"
    assert action.edit is not None
    (change,) = action.edit.document_changes or []
    assert isinstance(change, types.TextDocumentEdit)
    assert (change.text_document.uri, change.text_document.version) == (buffer.uri, buffer.version)
    (edit,) = edits_of(action.edit)
    assert buffer.slice(edit.range) == FUNCTION.format("second").rstrip()
    start, end = buffer.offset(edit.range.start), buffer.offset(edit.range.end)
    buffer.replace(start, end, edit.new_text)
    assert "llvm.func @second(%arg0: i32) -> i32" in buffer.text
    assert await buffer.diagnostics() == []
    assert not [offered for offered in await buffer.actions(buffer.at("@second")) if "Lower" in offered.title]


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        ([], {"refactor.rewrite", "refactor.extract", "source.organizeAliases", "source.writeChecks"}),
        (["refactor"], {"refactor.rewrite", "refactor.extract"}),
        (["refactor.rewrite"], {"refactor.rewrite"}),
        ([""], {"refactor.rewrite", "refactor.extract", "source.organizeAliases", "source.writeChecks"}),
        (["quickfix"], set[str]()),
        (["refactor.rewrite.more"], set[str]()),
        (["ref"], set[str]()),
        (["source"], {"source.organizeAliases", "source.writeChecks"}),
        (["quickfix", "refactor.extract"], {"refactor.extract"}),
    ],
)
async def test_only_the_kinds_asked_for(session: Session, only: list[str], kinds: set[str]) -> None:
    buffer = session.open("!t = memref<4xi32>\nfunc.func private @g(memref<4xi32>)\n")
    actions = await buffer.actions(buffer.at("@g(memref", 4), only or None)
    assert {str(action.kind) for action in actions} == kinds


async def test_source_actions_only_where_a_person_asks(session: Session) -> None:
    buffer = session.open("!t = i32\n" + PAIR)
    place = types.Range(buffer.at("@first"), buffer.at("@first"))
    kinds: list[set[str]] = []
    for trigger in (types.CodeActionTriggerKind.Automatic, types.CodeActionTriggerKind.Invoked):
        context = types.CodeActionContext([], trigger_kind=trigger)
        params = types.CodeActionParams(buffer.identifier, place, context)
        actions = await session.client.text_document_code_action_async(params) or []
        kinds.append({str(action.kind) for action in actions if isinstance(action, types.CodeAction)})
    assert "source.organizeAliases" not in kinds[0]
    assert "source.organizeAliases" in kinds[1]


async def test_what_was_offered_for_another_version_is_refused() -> None:
    async with started(capabilities(resolve=True)) as session:
        buffer = session.open("func.func @f(%0: i32) -> i32 {\n  return %0 : i32\n}\n")
        (action,) = [candidate for candidate in await buffer.actions(buffer.at("@f")) if "readable" in candidate.title]
        resolved = await session.client.code_action_resolve_async(action)
        assert [edit.new_text for edit in edits_of(resolved.edit or types.WorkspaceEdit())] == ["%n", "%n"]
        buffer.edit(("@f", "@ff"))
        resolved = await session.client.code_action_resolve_async(action)
        assert resolved.edit is None
        assert resolved.disabled is not None
        assert resolved.disabled.reason == "the document was edited meanwhile"


@pytest.mark.parametrize(
    ("right", "wrong", "preferred"),
    [
        ("return", "retrun", []),
        ("arith.addi", "arith.add", []),
        ("arith.addi %a", "arith.addi %aa", []),
        ("i32\n}", "i64\n}", []),
        ("arith.addi", "std.addi", ["Change to `arith.addi`"]),
    ],
)
async def test_a_quick_fix_says_what_it_mends(session: Session, right: str, wrong: str, preferred: list[str]) -> None:
    buffer = session.open(FUNCTION.format("f").replace(right, wrong))
    await buffer.diagnostics(bool)
    shown = await buffer.raw_diagnostics()
    context = types.CodeActionContext(shown, only=["quickfix"])
    params = types.CodeActionParams(buffer.identifier, shown[0].range, context)
    actions = await session.client.text_document_code_action_async(params) or []
    fixes = [action for action in actions if isinstance(action, types.CodeAction)]
    assert fixes
    assert all([*(fix.diagnostics or ())] == shown[:1] for fix in fixes)
    # What is offered alone is what is meant, but where it is a guess by spelling.
    assert [fix.title for fix in fixes if fix.is_preferred] == preferred


async def test_a_quick_fix_of_a_mistake_in_a_name(session: Session) -> None:
    buffer = session.open(PAIR.replace("return %x : i32\n}\n\n", "retrun %x : i32\n}\n\n"))
    await buffer.diagnostics(bool)
    (action,) = await buffer.actions(buffer.at("retrun"), ["quickfix"])
    assert (action.title, action.kind) == ("Change to `return`", "quickfix")
    assert action.edit is not None
    (edit,) = edits_of(action.edit)
    assert (buffer.slice(edit.range), edit.new_text) == ("retrun", "return")


async def test_an_action_that_is_not_possible_says_why(session: Session) -> None:
    buffer = session.open(PAIR.replace("@first(%a: i32)", "@first(%a: )"))
    action = await buffer.lowering(buffer.at("@first"))
    assert action.edit is None
    assert action.disabled is not None
    assert "(line 1)" in action.disabled.reason


async def test_a_client_that_resolves_and_knows_no_document_changes() -> None:
    async with started(capabilities(resolve=True, document_changes=False)) as session:
        buffer = session.open(PAIR)
        action = await buffer.lowering(buffer.at("@first"))
        assert action.edit is None
        resolved = await session.client.code_action_resolve_async(action)
        assert resolved.edit is not None
        assert list(resolved.edit.changes or {}) == [buffer.uri]
        assert "llvm.func @first" in edits_of(resolved.edit)[0].new_text
        buffer.close()
        assert await code_of(session.client.code_action_resolve_async(action)) == -32602


async def test_the_command_has_the_client_make_the_edit(session: Session) -> None:
    buffer = session.open(PAIR)
    assert await session.command("fathom.lowerFunction", buffer.uri, "first") == {"applied": True}
    assert "llvm.func @first" in edits_of(session.edits[-1])[0].new_text
    session.accepts_edits = False
    refused = await session.command("fathom.lowerFunction", buffer.uri, "first")
    session.accepts_edits = True
    assert refused == {"applied": False, "failureReason": "the buffer has changed"}
    nowhere = await session.command("fathom.lowerFunction", buffer.uri, "nowhere")
    assert nowhere == {"applied": False, "failureReason": "there is no function @nowhere"}
    assert await code_of(session.command("fathom.lowerFunction", "file:///other.mlir", "first")) == -32602
    assert await code_of(session.command("fathom.lowerFunction", buffer.uri)) == -32602
    assert await code_of(session.command("fathom.lowerFunction")) == -32602
    assert await code_of(session.command("fathom.nothing")) == -32602


# ---- functions


async def test_functions_for_a_menu(session: Session) -> None:
    buffer = session.open("func.func private @g(i64) -> (i1, f32)\nmodule @m {\n" + FUNCTION.format("f") + "}\n")
    declared, defined = await buffer.ask("fathom/functions")
    assert declared["isDeclaration"]
    assert declared["arguments"] == [{"type": "i64", "example": "4"}]
    assert declared["signature"] == "(i64) -> (i1, f32)"
    assert defined["name"] == "m::@f"
    assert defined["arguments"] == [{"name": "%a", "type": "i32", "example": "4"}]
    assert (defined["signature"], defined["results"]) == ("(%a: i32) -> i32", ["i32"])
    assert not defined["isDeclaration"]
    assert defined["range"]["start"] == {"line": 2, "character": 0}
    assert defined["selectionRange"] == {"start": {"line": 2, "character": 10}, "end": {"line": 2, "character": 12}}


# ---- requests that make no sense


async def test_requests_about_unknown_documents(session: Session) -> None:
    for method in ("fathom/stages", "fathom/functions", "fathom/preview"):
        params = {"textDocument": {"uri": "file:///unknown.mlir"}, "stage": "llvm-ir"}
        assert await code_of(session.request(method, params)) == -32602, method
        for malformed in ({}, {"textDocument": 3}, {"textDocument": {"uri": 7}}, None, [1]):
            assert await code_of(session.request(method, malformed)) == -32602, (method, malformed)
    unknown = types.TextDocumentIdentifier("file:///unknown.mlir")
    with pytest.raises(JsonRpcException):
        await session.command("fathom.runFunction", {"uri": unknown.uri, "function": "f", "arguments": []})
    assert await session.client.text_document_hover_async(types.HoverParams(unknown, types.Position(0, 0))) is None


async def test_an_unknown_method(session: Session) -> None:
    assert await code_of(session.request("fathom/nothing", {})) == -32601
    session.client.protocol.notify("fathom/nothing", {})
    session.client.protocol.notify("fathom/closePreview", {})
    assert await session.open(PAIR).diagnostics() == []


async def test_changes_of_a_closed_document_are_ignored(session: Session) -> None:
    buffer = session.open(PAIR)
    await buffer.diagnostics()
    buffer.close()
    buffer.edit(("@first", "@third"))
    await asyncio.sleep(0.1)
    assert (buffer.uri, buffer.version) not in session.published
