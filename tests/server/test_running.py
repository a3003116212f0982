"""The command `fathom.runFunction` over the wire: whatever a program does, the server goes on."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.patience import PATIENCE
from tests.server.client import CACHE, ROOT, Buffer, started

pytestmark = pytest.mark.asyncio(loop_scope="module")

SAXPY = (ROOT / "examples" / "saxpy.mlir").read_text(encoding="utf-8")

PROGRAMS = """\
func.func private @socket(i32, i32, i32) -> i32
func.func @plug() -> i32 {
  %unix = arith.constant 1 : i32
  %default = arith.constant 0 : i32
  %0 = call @socket(%unix, %unix, %default) : (i32, i32, i32) -> i32
  return %0 : i32
}
func.func private @nowhere()
func.func private @printI64(i64)
func.func @add(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  return %0 : i32
}
func.func @pair(%x: f32, %b: i1) -> (f32, i1, i64) {
  %big = arith.constant 9007199254740993 : i64
  return %x, %b, %big : f32, i1, i64
}
func.func @endless() {
  cf.br ^bb1
^bb1:
  cf.br ^bb1
}
func.func @crash() {
  %zero = arith.constant 0 : i64
  %p = llvm.inttoptr %zero : i64 to !llvm.ptr
  llvm.store volatile %zero, %p : i64, !llvm.ptr
  return
}
func.func @lost() {
  call @nowhere() : () -> ()
  return
}
func.func @chatty(%n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %i = %c0 to %n step %c1 : i64 {
    func.call @printI64(%i) : (i64) -> ()
  }
  return
}
func.func @greedy() -> memref<?xi8> {
  %n = arith.constant 100000000000 : index
  %m = memref.alloc(%n) : memref<?xi8>
  return %m : memref<?xi8>
}
func.func @double(%m: memref<?xf32>, %s: memref<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<?xf32>
  %y = arith.addf %x, %x : f32
  memref.store %y, %m[%c0] : memref<?xf32>
  return
}
func.func @fill(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %m[%i] : memref<4xi32>
  }
  memref.dealloc %m : memref<4xi32>
  return
}
func.func @fills(%n: index) {
  call @fill(%n) : (index) -> ()
  return
}
func.func @divide(%n: i32, %d: i32) -> i32 {
  %0 = arith.divsi %n, %d : i32
  return %0 : i32
}
func.func @positive(%n: i32) {
  %c0 = arith.constant 0 : i32
  %0 = arith.cmpi sgt, %n, %c0 : i32
  cf.assert %0, "not positive"
  return
}
func.func @broken(%a: i32) -> i32 {
  %0 = arith.addi %a %a : i32
  return %0 : i32
}
"""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def buffer() -> AsyncIterator[Buffer]:
    async with started() as session:
        yield session.open(PROGRAMS)


async def check_alive(buffer: Buffer) -> None:
    """The server still answers, and still runs programs."""
    assert (await buffer.symbols())[4].name == "@add"
    answer = await buffer.run("add", 2, 3)
    assert (answer["status"], answer["results"]) == ("ok", [{"type": "i32", "value": 5}])


async def check_failure(buffer: Buffer, kind: str, words: str, function: str, *arguments: Any, **more: Any) -> Any:
    answer = await buffer.run(function, *arguments, **more)
    assert (answer["status"], answer["kind"]) == ("error", kind), answer
    assert words in answer["message"]
    assert (answer["results"], answer["arguments"]) == ([], [])
    await check_alive(buffer)
    return answer


async def test_an_answer_has_all_its_fields(buffer: Buffer) -> None:
    answer = await buffer.run("add", -2, "3")
    assert answer.pop("compileMilliseconds") > 0
    assert answer.pop("runMilliseconds") >= 0
    assert answer == {"status": "ok", "results": [{"type": "i32", "value": 1}], "arguments": [], "output": ""}


async def test_results_of_several_types(buffer: Buffer) -> None:
    answer = await buffer.run("pair", "nan", True)
    assert answer["results"] == [
        {"type": "f32", "value": "nan"},
        {"type": "i1", "value": True},
        {"type": "i64", "value": "9007199254740993"},
    ]


async def test_memrefs_after_the_call(buffer: Buffer) -> None:
    answer = await buffer.run("double", [1.5, 2], {"shape": [2, 2], "fill": 7})
    assert answer["arguments"] == [
        {
            "name": "%m",
            "type": "memref<?xf32>",
            "value": [3.0, 2.0],
            "shape": [2],
            "changed": 1,
            "changes": [{"index": [0], "before": 1.5, "after": 3.0}],
        },
        {"name": "%s", "type": "memref<2x2xi32>", "value": [[7, 7], [7, 7]], "shape": [2, 2]},
    ]


async def test_an_example(buffer: Buffer) -> None:
    example = buffer.session.open(SAXPY)
    answer = await example.run("saxpy", 2.0, [1, 2], {"shape": [2], "fill": 10})
    assert answer["status"] == "ok", answer
    assert [12.0, 14.0] in [argument["value"] for argument in answer["arguments"]]


async def test_an_endless_loop(buffer: Buffer) -> None:
    await check_failure(buffer, "timeout", "0.3 s", "endless", limits={"timeoutSeconds": 0.3})


async def test_a_segmentation_fault(buffer: Buffer) -> None:
    await check_failure(buffer, "crash", "SIGSEGV", "crash")


async def test_a_missing_symbol(buffer: Buffer) -> None:
    await check_failure(buffer, "missing-symbol", "nowhere", "lost")


async def test_what_a_program_prints(buffer: Buffer) -> None:
    assert (await buffer.run("chatty", 3))["output"] == "012"


async def test_too_much_output(buffer: Buffer) -> None:
    answer = await check_failure(buffer, "output", "printed more", "chatty", 1000000000, limits={"outputKilobytes": 1})
    assert answer["output"].startswith("0123")
    assert len(answer["output"]) <= 1024


async def test_what_a_contained_program_is_refused(buffer: Buffer) -> None:
    answer = await buffer.run("plug")
    if sys.platform != "linux":
        assert "this platform" in answer["notes"][0]
        return
    assert answer["results"] == [{"type": "i32", "value": -1}]
    assert "refused to open a socket" in answer["notes"][0]
    await check_alive(buffer)


async def test_a_setting_lets_programs_do_more() -> None:
    async with started(options={"run": {"contained": False}}) as session:
        answer = await session.open(PROGRAMS).run("plug")
        assert answer["results"][0]["value"] >= 0
        assert "notes" not in answer


def kept() -> set[str]:
    """What servers have kept of programs."""
    folder = Path(CACHE.name) / "fathom" / "code"
    return {path.name for path in folder.iterdir() if path.is_file()} if folder.is_dir() else set()


async def test_a_setting_says_whether_code_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may change between runs; the second of two programs is kept, of which the others have nothing."""
    monkeypatch.setenv("FATHOM_CACHE", "on")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    before = kept()

    def program(number: int) -> str:
        return f"func.func @f(%a: i32) -> i32 {{\n  %c = arith.constant {number} : i32\n  return %c : i32\n}}\n"

    async with started(options={"run": {"cache": False}}, own_process=True) as session:

        async def check(number: int, *, keeps: bool) -> set[str]:
            settings = {"fathom": {"run": {"cache": keeps}}}
            session.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
            assert (await session.open(program(number)).run("f", 1))["results"][0]["value"] == number
            return kept() - before

        assert await check(41, keeps=False) == set()
        entries = await check(42, keeps=True)
        assert entries
        assert await check(42, keeps=True) == entries
        assert await check(43, keeps=False) == entries


async def test_too_much_memory(buffer: Buffer) -> None:
    await check_failure(buffer, "memory", "", "greedy", limits={"memoryMegabytes": 64})


@pytest.mark.parametrize(
    ("function", "arguments", "kind", "words"),
    [
        ("add", [1], "arguments", "takes 2 arguments, and 1 were given"),
        ("add", [1, "one"], "arguments", "arguments[1]"),
        ("add", [1, None], "arguments", "arguments[1]"),
        ("add", [1, 1 << 40], "arguments", "arguments[1]"),
        ("double", [[[1]], []], "arguments", "arguments[0]"),
        ("nothing", [], "lowering", "@nothing does not exist"),
        ("nowhere", [], "lowering", "only declared"),
        ("broken", [1], "lowering", "expected ','"),
    ],
)
async def test_what_cannot_be_called(
    buffer: Buffer, function: str, arguments: list[Any], kind: str, words: str
) -> None:
    await check_failure(buffer, kind, words, function, *arguments)


async def test_malformed_requests(buffer: Buffer) -> None:
    requests: tuple[list[Any], ...] = (
        [],
        [3],
        [{}],
        [{"uri": buffer.uri}],
        [{"uri": buffer.uri, "function": 3}],
        [{"uri": "file:///unknown.mlir", "function": "add"}],
        [{"uri": buffer.uri, "function": "add", "arguments": 3}],
        [{"uri": buffer.uri, "function": "add", "arguments": [1, 2], "limits": 3}],
        [{"uri": buffer.uri, "function": "add", "arguments": [1, 2], "limits": {"timeoutSeconds": -1}}],
    )
    for arguments in requests:
        with pytest.raises(JsonRpcException) as caught:
            await buffer.session.command("fathom.runFunction", *arguments)
        assert caught.value.code == -32602, arguments
    await check_alive(buffer)


def start(buffer: Buffer, function: str, token: str | None = None) -> tuple[str, asyncio.Future[Any]]:
    """Sends the command; the request's id, and its answer to come."""
    given: dict[str, Any] = {"uri": buffer.uri, "function": function, "arguments": []}
    params = types.ExecuteCommandParams("fathom.runFunction", [given], work_done_token=token)
    identifier = f"run-{function}-{time.monotonic_ns()}"
    protocol = buffer.session.client.protocol
    answer = protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id=identifier)
    return identifier, asyncio.wrap_future(answer)


def cancel(buffer: Buffer, identifier: str) -> None:
    buffer.session.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(identifier))


async def check_cancelled(answer: asyncio.Future[Any]) -> None:
    with pytest.raises(JsonRpcException) as caught:
        await asyncio.wait_for(answer, PATIENCE)
    assert caught.value.code == -32800


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.5])
async def test_cancelling(buffer: Buffer, delay: float) -> None:
    await check_alive(buffer)
    identifier, answer = start(buffer, "endless")
    await asyncio.sleep(delay)
    cancel(buffer, identifier)
    await check_cancelled(answer)
    await check_alive(buffer)


async def test_cancelling_a_run_that_waits_leaves_the_one_before_it_alone(buffer: Buffer) -> None:
    first, endless = start(buffer, "endless")
    second, waiting = start(buffer, "endless")
    await asyncio.sleep(0.3)
    cancel(buffer, second)
    await check_cancelled(waiting)
    assert not endless.done()
    cancel(buffer, first)
    await check_cancelled(endless)
    await check_alive(buffer)


async def test_progress(buffer: Buffer) -> None:
    session = buffer.session
    given = {"uri": buffer.uri, "function": "add", "arguments": [1, 2]}
    assert (await session.command("fathom.runFunction", given, token="token"))["status"] == "ok"
    await session.until(lambda: any(value["kind"] == "end" for _, value in session.progress) or None)
    assert {token for token, _ in session.progress} == {"token"}
    kinds = [value["kind"] for _, value in session.progress]
    assert kinds == ["begin", "report", "report", "end"]
    assert session.progress[0][1]["title"] == "Running @add"


async def test_the_button_of_the_progress_cancels(buffer: Buffer) -> None:
    _, answer = start(buffer, "endless", "button")
    await buffer.session.until(lambda: any(token == "button" for token, _ in buffer.session.progress) or None)
    await asyncio.sleep(0.1)
    params = types.WorkDoneProgressCancelParams("button")
    buffer.session.client.window_work_done_progress_cancel(params)
    await check_cancelled(answer)
    await check_alive(buffer)


async def test_requests_are_answered_while_a_program_runs(buffer: Buffer) -> None:
    identifier, answer = start(buffer, "endless")
    await asyncio.sleep(0.1)
    assert "%a : i32" in await buffer.hover(buffer.at("%a, %b : i32\n  return", 1))
    assert not answer.done()
    cancel(buffer, identifier)
    await check_cancelled(answer)


async def test_limits_of_the_settings() -> None:
    async with started(options={"run": {"timeoutSeconds": 0.2}}) as session:
        answer = await session.open(PROGRAMS).run("endless")
        assert (answer["kind"], "0.2 s" in answer["message"]) == ("timeout", True)


async def test_the_end_of_the_session_ends_the_program() -> None:
    async with started() as session:
        buffer = session.open(PROGRAMS)
        _, answer = start(buffer, "endless")
        await asyncio.sleep(0.5)
        await asyncio.wait_for(session.client.shutdown_async(None), PATIENCE)
        session.client.exit(None)
        await session.client.stop()
        answer.cancel()


# ---- checked runs


def line_of(text: str, document: str = PROGRAMS) -> int:
    """The line in which a text stands, counted from 0."""
    return document[: document.index(text)].count("\n")


async def check_failed(buffer: Buffer, message: str, statement: str, function: str, *arguments: Any) -> None:
    """The run fails with the message, and the place is that of the statement."""
    line = line_of(statement)
    answer = await buffer.run(function, *arguments)
    assert (answer["status"], answer["kind"]) == ("error", "assertion"), answer
    assert answer["message"] == f"{message} (line {line + 1})"
    source = PROGRAMS.splitlines()[line][answer["range"]["start"]["character"] : answer["range"]["end"]["character"]]
    assert (answer["range"]["start"]["line"], source, answer["version"]) == (line, statement, 1)


async def test_an_index_out_of_bounds(buffer: Buffer) -> None:
    message = "'memref.store' op out-of-bounds access: 4 is not in [0, 4)"
    await check_failed(buffer, message, "memref.store %v, %m[%i] : memref<4xi32>", "fill", 64)
    await check_failed(buffer, message, "memref.store %v, %m[%i] : memref<4xi32>", "fills", 5)
    assert (await buffer.run("fills", 4))["status"] == "ok"
    message = "'memref.load' op out-of-bounds access: 0 is not in [0, 0)"
    whole = {"shape": [2, 2], "fill": 7}
    await check_failed(buffer, message, "memref.load %m[%c0] : memref<?xf32>", "double", [], whole)


async def test_a_division_by_zero(buffer: Buffer) -> None:
    await check_failed(buffer, "'arith.divsi' op division by zero", "arith.divsi %n, %d : i32", "divide", 1, 0)


async def test_an_assertion_of_the_program(buffer: Buffer) -> None:
    statement = 'cf.assert %0, "not positive"'
    await check_failed(buffer, "assertion failed: not positive", statement, "positive", 0)
    assert (await buffer.run("positive", 0))["output"] == "not positive\n"


async def test_arguments_whose_shapes_do_not_fit(buffer: Buffer) -> None:
    for rows in ([[1, 2]], [[1, 2], [3]], [1, 2, 3, 4], {"shape": [2, 3], "fill": 0}):
        await check_failure(buffer, "arguments", "arguments[1]", "double", [1], rows)


async def test_a_run_that_is_not_checked(buffer: Buffer) -> None:
    answer = await buffer.run("divide", 1, 0, checked=False)
    assert (answer["kind"], "range" in answer) == ("crash", False)
    async with started(options={"run": {"checked": False}}) as session:
        other = session.open(PROGRAMS)
        assert (await other.run("divide", 1, 0))["kind"] == "crash"
        assert (await other.run("divide", 1, 0, checked=True))["kind"] == "assertion"


async def test_the_place_moves_with_the_text() -> None:
    async with started() as session:
        buffer = session.open(PROGRAMS)
        assert (await buffer.run("divide", 1, 0))["range"]["start"]["line"] == line_of("arith.divsi")
        buffer.edit(("func.func private @socket", "\n\nfunc.func private @socket"))
        answer = await buffer.run("divide", 1, 0)
        assert (answer["range"]["start"]["line"], answer["version"]) == (line_of("arith.divsi") + 2, 2)


async def test_a_function_that_is_lowered_beside_the_server() -> None:
    lines = "".join(f"  %x{n} = arith.addi %i, %i : index\n" for n in range(500))
    text = f"""func.func @before() {{
  return
}}
func.func @big(%m: memref<?xf32>, %i: index) -> f32 {{
{lines}  %0 = memref.load %m[%i] : memref<?xf32>
  return %0 : f32
}}
"""
    async with started() as session:
        buffer = session.open(text)
        answer = await buffer.run("big", [1, 2], 2)
        assert answer["message"] == "'memref.load' op out-of-bounds access: 2 is not in [0, 2) (line 505)"
        assert answer["range"]["start"]["line"] == line_of("memref.load", text) == 504
        assert (await buffer.run("big", [1, 2], 1))["results"] == [{"type": "f32", "value": 2.0}]


async def test_previews_show_no_checks(buffer: Buffer) -> None:
    shown = {"stage": "llvm-ir", "function": "fill"}
    before = await buffer.ask("fathom/preview", **shown)
    assert (await buffer.run("fill", 64))["kind"] == "assertion"
    assert (await buffer.ask("fathom/preview", **shown))["text"] == before["text"]
    assert "fathom" not in before["text"]


async def test_a_pipeline_that_does_not_lower_the_checks() -> None:
    text = """func.func @at(%m: memref<?xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i] : memref<?xf32>
  return %0 : f32
}
"""
    passes = "--finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts"
    async with started(options={"pipeline": passes}) as session:
        answer = await session.open(text).run("at", [1, 2], 1)
        assert (answer["status"], answer["results"]) == ("ok", [{"type": "f32", "value": 2.0}])
        assert answer["notes"][0].startswith("the run is not checked, because the pipeline does not lower the checks")


ODD = """\
#target = #omp.declaretarget<device_type = (any), capture_clause = (to)>
llvm.func @constraint(%p: !llvm.ptr) -> i32 {
  %0 = llvm.inline_asm "nop", "=r,*m" %p : (!llvm.ptr) -> i32
  llvm.return %0 : i32
}
func.func @asks(%a: i64) -> i32 {
  %p = llvm.inttoptr %a : i64 to !llvm.ptr
  %0 = llvm.call @constraint(%p) : (!llvm.ptr) -> i32
  return %0 : i32
}
llvm.func @kernel() -> i32 attributes {omp.declare_target = #target} {
  %0 = llvm.mlir.constant(7 : i32) : i32
  llvm.return %0 : i32
}
func.func @hinted() -> i32 {
  %0 = llvm.call @kernel() : () -> i32
  return %0 : i32
}
"""


async def test_what_llvm_refuses_is_an_answer() -> None:
    async with started() as session:
        odd = session.open(ODD)
        answer = await odd.run("asks", 0)
        assert answer["status"] == "error"
        assert "Operand for indirect constraint must have elementtype attribute" in answer["message"]
        answer = await odd.run("hinted")
        assert answer["results"] == [{"type": "i32", "value": 7}]
        (note,) = answer["notes"]
        assert "'omp.declare_target', which the translation to LLVM IR does not carry" in note
        assert note.endswith("(line 11)")
