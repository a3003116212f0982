"""Each request gets an answer, whatever it holds and whenever it comes; and the server goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from typing import Any

import pytest

from fathom_server.lsp.server import create_server
from fathom_server.lsp.table import COMMANDS, REQUESTS
from tests.patience import PATIENCE
from tests.server.raw import URI, Raw, raw_server

pytestmark = pytest.mark.asyncio

TEXT = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"
DOCUMENT = {"textDocument": {"uri": URI}}
PARSE_ERROR, INVALID_REQUEST, NOT_FOUND, INVALID_PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
NOT_INITIALIZED = -32002

METHODS = [request.method for request in REQUESTS]
WRONG: list[object] = [
    None,
    5,
    "x",
    [],
    [1, 2],
    {},
    {"textDocument": None},
    {"textDocument": {"uri": 5}},
    {"textDocument": {"uri": "file:///nowhere"}, "position": {"line": 0, "character": 0}},
    {**DOCUMENT, "position": "here"},
    {**DOCUMENT, "position": {"line": -1, "character": 0}},
    {**DOCUMENT, "position": {"line": 0.5, "character": 0}},
    {**DOCUMENT, "position": {"line": "0", "character": None}},
    {**DOCUMENT, "stage": 5, "function": 7},
    {**DOCUMENT, "stage": "source", "function": ["f"], "part": "x"},
    {**DOCUMENT, "stage": "source", "position": {"line": -1, "character": 0}},
    {**DOCUMENT, "stage": "source", "function": "f", "part": {"line": 0, "character": 1 << 31}},
    {**DOCUMENT, "range": {"start": 1}, "context": None},
    {**DOCUMENT, "data": {"uri": 5}, "title": 7},
    {"title": "x", "data": None},
    {"title": "x", "data": {"uri": URI, "function": 5}},
    {"title": "x", "data": {"uri": URI, "name": "lower", "arguments": [5], "version": 1}},
    {"title": "x", "data": {"uri": URI, "name": "extractAlias", "arguments": ["x", 0], "version": 1}},
    {"title": "x", "data": {"uri": URI, "name": "extractAlias", "arguments": [1 << 40, -5], "version": 1}},
    {"title": "x", "data": {"uri": URI, "name": "splitDocument", "arguments": [1 << 40], "version": 1}},
    {"title": "x", "data": {"uri": URI, "name": "joinParts", "arguments": [-1], "version": 1}},
    {"title": "x", "data": {"uri": URI, "name": "inlineAlias", "arguments": ["!t", 99], "version": 1}},
    {"title": "x", "data": {"uri": URI, "name": "genericForm", "arguments": [99, -1], "version": 1}},
    {"title": "x", "data": {"uri": URI, "name": "x", "arguments": [], "version": 1}},
]


async def check_alive(server: Raw) -> None:
    answer = await server.ask("textDocument/hover", {**DOCUMENT, "position": {"line": 1, "character": 8}})
    assert "arith.addi" in str(answer["result"]), answer


@pytest.mark.parametrize("method", METHODS)
async def test_wrong_parameters(method: str) -> None:
    async with raw_server() as server:
        server.open(TEXT)
        for params in WRONG:
            answer = await server.ask(method, params)
            assert "error" not in answer or answer["error"]["code"] == INVALID_PARAMS, (params, answer)
        await check_alive(server)
        # Why an action is not possible is shown as a warning; a fault of the server's would be an error.
        told = [notice["params"]["type"] for notice in server.told if notice["method"] == "window/showMessage"]
        assert set(told) <= ({WARNING} if method == "codeAction/resolve" else set())


WARNING = 2
"""`MessageType.Warning` of the protocol."""
PULLS: dict[str, Any] = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
WRONG_PULLS: list[object] = [
    {**DOCUMENT, "previousResultId": 5},
    {**DOCUMENT, "previousResultId": {"value": "x"}, "identifier": ["fathom"]},
    {**DOCUMENT, "partialResultToken": {}, "workDoneToken": []},
    {"previousResultIds": None},
    {"previousResultIds": 5},
    {"previousResultIds": "x"},
    {"previousResultIds": [5]},
    {"previousResultIds": [None]},
    {"previousResultIds": {"uri": URI, "value": "x"}},
    {"previousResultIds": [{"uri": URI}]},
    {"previousResultIds": [{"uri": 5, "value": {}}]},
    {"previousResultIds": [{"uri": "", "value": ""}]},
    {"previousResultIds": [{"uri": "file://", "value": "x"}, {"uri": "x:\0", "value": "x"}]},
    {"previousResultIds": [{"uri": "file:///\ud800", "value": "\ud800"}]},
    {"previousResultIds": [], "identifier": 5},
    {"previousResultIds": [], "partialResultToken": {"a": [None]}},
    {"previousResultIds": [], "partialResultToken": 0.5, "workDoneToken": None},
]


@pytest.mark.parametrize("method", ["textDocument/diagnostic", "workspace/diagnostic"])
async def test_wrong_parameters_of_pulled_diagnostics(method: str) -> None:
    async with raw_server(capabilities=PULLS) as server:
        server.open(TEXT)
        for params in [*WRONG, *WRONG_PULLS]:
            answer = await server.ask(method, params)
            assert "error" not in answer or answer["error"]["code"] == INVALID_PARAMS, (params, answer)
        await check_alive(server)
        right: dict[str, Any] = {**DOCUMENT, "previousResultIds": []}
        result = (await server.ask(method, right))["result"]
        reports = result["items"] if method.startswith("workspace") else [result]
        assert [(report.get("uri", URI), report["items"]) for report in reports] == [(URI, [])]
        assert not [told for told in server.told if told["method"] == "window/showMessage"]


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
async def test_wrong_arguments_of_commands(command: str) -> None:
    run = {"uri": URI, "function": "f"}
    wrong: list[object] = [
        *(None, [], [5], [None, None], ["x", "y"], [URI, 5], [{}], [{"uri": 5}], [[]]),
        *([{**run, "arguments": 5}], [{**run, "limits": 5}], [{**run, "limits": {"timeoutSeconds": "x"}}]),
        *([{**run, "arguments": [{"shape": [-1]}]}], [{**run, "function": ["f"]}], [{**run, "uri": None}]),
        *([{**run, "arguments": [float("1e400")]}], [{**run, "arguments": [{"a": {"b": [[[]]]}}]}]),
    ]
    async with raw_server() as server:
        server.open(TEXT)
        for arguments in wrong:
            answer = await server.ask("workspace/executeCommand", {"command": command, "arguments": arguments})
            assert "error" not in answer or answer["error"]["code"] == INVALID_PARAMS, (arguments, answer)
        answer = await server.ask("workspace/executeCommand", {"command": "nosuch", "arguments": []})
        assert answer["error"]["code"] == INVALID_PARAMS
        await check_alive(server)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", {"textDocument": {"uri": 5}, "position": {"line": 0, "character": 0}}),
        ("textDocument/hover", {**DOCUMENT, "position": {"line": "0", "character": 0}}),
        ("textDocument/hover", {**DOCUMENT, "position": {"line": 0.5, "character": 0}}),
        ("textDocument/hover", {**DOCUMENT, "position": {"line": True, "character": 0}}),
        ("textDocument/rename", {**DOCUMENT, "position": {"line": 0, "character": 11}, "newName": 5}),
        ("textDocument/formatting", {**DOCUMENT, "options": {"tabSize": "2", "insertSpaces": True}}),
        ("workspace/symbol", {"query": 5}),
        ("workspace/symbol", {"query": None}),
        ("workspace/executeCommand", {"command": 5}),
    ],
)
async def test_texts_and_numbers_of_another_type(method: str, params: dict[str, Any]) -> None:
    async with raw_server() as server:
        server.open(TEXT)
        answer = await server.ask(method, params)
        assert answer.get("error", {}).get("code") == INVALID_PARAMS, answer
        whole = {**DOCUMENT, "position": {"line": 1.0, "character": 8}}
        assert "arith.addi" in str(await server.ask("textDocument/hover", whole))


async def test_a_client_may_say_of_itself_what_it_likes() -> None:
    async with raw_server(initialized=False) as server:
        itself = {"name": 5, "version": 1.5}
        params: dict[str, Any] = {"processId": None, "rootUri": None, "clientInfo": itself, "capabilities": {}}
        assert "result" in await server.ask("initialize", params)


@pytest.mark.parametrize("told", [{"result": None}, {"result": {"applied": "x", "failedChange": {}}}, {"error": 5}, {}])
async def test_an_answer_of_the_client_that_makes_no_sense(told: dict[str, Any]) -> None:
    async with raw_server() as server:
        server.open(TEXT)
        lower = {"command": "fathom.lowerFunction", "arguments": [URI, "f"]}
        server.send({"jsonrpc": "2.0", "id": 1, "method": "workspace/executeCommand", "params": lower})
        message = await server.next()
        while message.get("method") != "workspace/applyEdit":
            message = await server.next()
        server.send({"jsonrpc": "2.0", "id": message["id"], **told})
        answer = await server.answer(1)
        assert "the client's answer makes no sense" in str(answer), answer
        await check_alive(server)


async def test_positions_out_of_range_are_clamped() -> None:
    most = (1 << 31) - 1
    places = [(0, most), (1, 1000), (3, 0), (4, 0), (5, 0), (most, 0), (most, most)]
    async with raw_server() as server:
        server.open(TEXT)
        for line, character in places:
            place = {"line": line, "character": character}
            for method in ("textDocument/hover", "textDocument/definition", "fathom/preview"):
                params = {**DOCUMENT, "position": place, "stage": "source"}
                assert "result" in await server.ask(method, params), (method, place)
            whole = {"start": {"line": 0, "character": 0}, "end": place}
            about: dict[str, Any] = {**DOCUMENT, "range": whole, "context": {"diagnostics": []}}
            assert "result" in await server.ask("textDocument/codeAction", about)
        # The end of a line counts for what is beyond it.
        far = {"start": {"line": 4, "character": 7}, "end": {"line": 99, "character": 99}}
        change = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"range": far, "text": "// end\n"}]}
        server.notify("textDocument/didChange", change)
        await check_alive(server)
        shown = await server.ask("fathom/preview", {**DOCUMENT, "stage": "source"})
        assert shown["result"]["version"] == 2


async def test_messages_that_are_none() -> None:
    async with raw_server() as server:
        server.open(TEXT)
        for body, code in (
            (b"{", PARSE_ERROR),
            (b"\xff\xfe\xff", PARSE_ERROR),
            (b"[" * 100_000, PARSE_ERROR),
            (b"[]", INVALID_REQUEST),
            (b"5", INVALID_REQUEST),
            (b"null", INVALID_REQUEST),
            (b"{}", INVALID_REQUEST),
            (b'{"jsonrpc": "1.0", "method": "x"}', INVALID_REQUEST),
            (b'{"jsonrpc": "2.0", "method": 5}', INVALID_REQUEST),
            (b'{"jsonrpc": "2.0", "id": null, "method": "shutdown"}', INVALID_REQUEST),
            (b'{"jsonrpc": "2.0", "id": [1], "method": "shutdown"}', INVALID_REQUEST),
        ):
            server.send_bytes(body)
            assert (await server.answer(None))["error"]["code"] == code, body
        server.send({"jsonrpc": "2.0", "id": 1, "method": "no/such"})
        assert (await server.answer(1))["error"]["code"] == NOT_FOUND
        server.send({"jsonrpc": "2.0", "id": 2, "method": "textDocument/didOpen", "params": {}})
        assert "error" in await server.answer(2)
        # Answers to nothing, and notifications that make no sense, are passed over.
        messages: list[dict[str, Any]] = [
            {"jsonrpc": "2.0", "id": 77, "result": None},
            {"jsonrpc": "2.0", "id": 77, "error": {"code": 1, "message": "m"}},
            {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "m"}},
            {"jsonrpc": "2.0", "method": "textDocument/hover", "params": {}},
            {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {}},
            {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": "x"}}},
            {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {}},
            {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "nosuch"}},
            {"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration", "params": 5},
        ]
        for message in messages:
            server.send(message)
        await check_alive(server)


async def test_requests_before_and_after_their_time() -> None:
    hover = {**DOCUMENT, "position": {"line": 1, "character": 8}}
    async with raw_server(initialized=False) as server:
        server.open(TEXT)
        answer = await server.ask("textDocument/hover", hover)
        assert answer["error"]["code"] == NOT_INITIALIZED
        await server.initialize()
        answer = await server.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        assert answer["error"]["code"] == INVALID_REQUEST
        server.open(TEXT)
        await check_alive(server)
        assert (await server.ask("shutdown", None))["result"] is None
        for method, params in (("textDocument/hover", hover), ("shutdown", None), ("no/such", None)):
            answer = await server.ask(method, params)
            assert answer["error"]["code"] == INVALID_REQUEST
        server.open(TEXT)
        server.notify("exit", None)
        assert await asyncio.wait_for(server.process.wait(), PATIENCE) == 0


async def test_a_lone_surrogate_is_no_fault() -> None:
    name = "\ud800"
    text = (
        f'func.func @"{name}"(%a: i32) -> i32 {{\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}}\n'
        f'func.func @g(%a: i32) -> i32 {{\n  %0 = call @"{name}"(%a) : (i32) -> i32\n'
        f'  "x.y"() {{s = "{name}"}} : () -> ()\n  return %0 : i32\n}}\n// {name}\n'
    )
    for uri in (URI, f"file:///{name}.mlir"):
        async with raw_server() as server:
            server.open(text, uri)
            document = {"textDocument": {"uri": uri}}
            place = {"line": 5, "character": 16}
            extent = {"start": {"line": 0, "character": 0}, "end": place}
            for method in METHODS:
                for function in (name, "g", None):
                    params: dict[str, Any] = {**document, "position": place, "stage": "llvm-ir", "range": extent}
                    params |= {"context": {"diagnostics": [], "includeDeclaration": True}}
                    params |= {"function": function} if function else {}
                    params |= {"title": "x", "data": {"uri": uri, "function": function}}
                    answer = await server.ask(method, params)
                    assert "error" not in answer or answer["error"]["code"] == INVALID_PARAMS, (method, answer)
            for stage in ("source", "llvm-dialect", "llvm-ir", "llvm-optimized", "assembly"):
                assert "result" in await server.ask("fathom/preview", {**document, "stage": stage})
            for function in (name, "g"):
                run = {"uri": uri, "function": function, "arguments": [2]}
                answer = await server.ask(
                    "workspace/executeCommand", {"command": "fathom.runFunction", "arguments": [run]}
                )
                assert "result" in answer, answer
                lower = {"command": "fathom.lowerFunction", "arguments": [uri, "nosuch" + name]}
                assert "result" in await server.ask("workspace/executeCommand", lower)


@pytest.mark.parametrize(
    "head",
    [
        "content-length: {}",
        "CONTENT-LENGTH:{}",
        "Content-Type: x\r\nContent-Length :  {} ",
        "X-Other: 1\r\nContent-Length: {}",
    ],
)
async def test_heads_in_any_case(head: str) -> None:
    async with raw_server() as server:
        server.send_bytes(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "shutdown"}).encode(), head)
        assert (await server.answer(1))["result"] is None


@pytest.mark.parametrize("length", ["99999999999999999999999999", "-5", "1e3", str(1 << 40)])
async def test_absurd_lengths_end_the_connection_with_a_message(length: str) -> None:
    async with raw_server() as server:
        server.writer.write(f"Content-Length: {length}\r\n\r\n{{}}".encode())
        message = await server.next()
        while message.get("method") != "window/showMessage":
            message = await server.next()
        assert length[:20] in message["params"]["message"]
        assert await asyncio.wait_for(server.process.wait(), PATIENCE) == 1


async def test_messages_in_pieces_and_together() -> None:
    async with raw_server() as server:
        server.open(TEXT)
        bodies = [
            json.dumps(
                {
                    "jsonrpc": "2.0",
                    "id": number,
                    "method": "textDocument/hover",
                    "params": {**DOCUMENT, "position": {"line": 1, "character": 8}},
                }
            ).encode()
            for number in range(20)
        ]
        data = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
        server.writer.write(data[:500])
        for start in range(500, 700):
            server.writer.write(data[start : start + 1])
            await asyncio.sleep(0)
        server.writer.write(data[700:])
        # The answer to a question that took longer than a slice comes after those of the next ones.
        waiting = set(range(20))
        while waiting:
            answer = await server.next()
            if "method" not in answer:
                waiting.remove(answer["id"])
                assert "arith.addi" in str(answer["result"])


async def test_questions_that_are_answered_elsewhere_wait_for_those_before_them() -> None:
    """What is asked while another question takes longer than a slice."""
    lines = "".join(f"  %{number} = arith.addi %a, %a : i32\n" for number in range(1500))
    text = f"{TEXT}func.func @long(%a: i32) {{\n{lines}  return\n}}\n"
    run = {"command": "fathom.runFunction", "arguments": [{"uri": URI, "function": "f", "arguments": [2]}]}
    questions: list[tuple[str, dict[str, Any]]] = [
        ("fathom/preview", {**DOCUMENT, "stage": "llvm-ir", "function": "f"}),
        ("textDocument/semanticTokens/full", DOCUMENT),
        ("workspace/executeCommand", run),
        ("fathom/preview", {**DOCUMENT, "stage": "source", "function": "f"}),
        ("textDocument/hover", {**DOCUMENT, "position": {"line": 1, "character": 8}}),
        ("workspace/executeCommand", {"command": "fathom.lowerFunction", "arguments": [URI, "nosuch"]}),
    ]
    async with raw_server() as server:
        server.open(text)
        for number, (method, params) in enumerate(questions):
            server.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        waiting = set(range(len(questions)))
        while waiting:
            answer = await server.next()
            if "method" not in answer:
                waiting.remove(answer["id"])
                assert "error" not in answer, answer


async def test_nothing_is_kept_of_messages_that_were_handled() -> None:
    """Each notification left a future behind in the library below, for as long as the server ran."""
    server = create_server()
    protocol: Any = server.protocol
    done: list[object] = []

    def notified() -> Generator[None, Any, None]:
        yield

    for number in range(5):
        protocol._execute_handler(f"n{number}", notified, done.append)
        protocol._execute_handler(f"r{number}", lambda: None, done.append)
    await asyncio.sleep(0)
    assert len(done) == 10
    assert not protocol._request_futures
