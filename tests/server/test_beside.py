"""What takes longer than a key may is done in a process beside the server's, begins anew after an edit, and whatever
becomes of that process, the server stays well."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, cast

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from benchmarks.big_functions import MISTAKE, PROGRAMS, RETURN, straight
from fathom.context import default_context
from fathom_server.features import actions_with_edits
from fathom_server.features.hover import hover
from fathom_server.features.hover.in_memory import TOO_MANY
from fathom_server.features.lenses import counted
from fathom_server.model import learned
from fathom_server.model.became import lines_by_place
from fathom_server.model.document import Document, TextChange
from fathom_server.model.learned import Found, found_by_lowering, learn
from fathom_server.model.lowered import lowered, stalled, takes_long
from fathom_server.model.settings import Settings
from fathom_server.session.beside.messages import Work, frame, message_of
from fathom_server.session.beside.process import MOST_DEATHS, BesideProcess, Failed, Interrupted
from fathom_server.session.beside.questions import rest_before
from fathom_server.session.keys import REST
from tests.patience import PATIENCE
from tests.server import beside_work
from tests.server.client import ROOT, Buffer, Session, capabilities, started

STRAIGHT = straight(1500).text.replace(MISTAKE, RETURN)
LEFT = "  %left = gpu.thread_id x\n"


SHORT = "func.func @short(%a: i32) -> i32 {\n  return %a : i32\n}\n"


def document_of(text: str, settings: Settings | None = None) -> Document:
    return Document("file:///f.mlir", 0, text, default_context(), settings or Settings())


def lines_of(pid: int, field: str) -> str:
    """What the system says of a process."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return next(line.partition(":")[2].strip() for line in status.splitlines() if line.startswith(field))


def is_gone(pid: int) -> bool:
    """Whether a process is over, a moment later at most."""
    for _ in range(30_000):
        if not Path(f"/proc/{pid}").exists() or lines_of(pid, "State").startswith("Z"):
            return True
        time.sleep(0.01)
    return False


def children_of(pid: int) -> list[int]:
    pids = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8")
    return [int(child) for child in pids.split()]


needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


# ---- one piece of work at a time


@pytest_asyncio.fixture
async def process(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[BesideProcess]:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    process = BesideProcess()
    yield process
    process.close()
    await gone(process)


async def gone(process: BesideProcess) -> None:
    """Waits until the end of the process has been noticed."""
    for _ in range(30_000):
        if process.pid is None:
            return
        await asyncio.sleep(0.01)


async def do(process: BesideProcess, document: Document, function: Callable[..., object], *arguments: object) -> object:
    async def begin() -> tuple[Document, Work[object]]:
        return document, Work(function, arguments, tuple(range(min(len(document.tree.items), 1))))

    return await asyncio.wait_for(process.run(begin), PATIENCE)


def edit(process: BesideProcess, document: Document, change: TextChange) -> None:
    document.apply(change)
    document.version += 1
    process.changed(document.uri, change)
    process.interrupt()


async def test_it_follows_the_edits(process: BesideProcess) -> None:
    document = document_of(STRAIGHT)
    assert await do(process, document, beside_work.text) == STRAIGHT
    edit(process, document, TextChange("  // nothing\r", (3, 0), (3, 0)))
    edit(process, document, TextChange("\n\ud800é", (4, 0), (4, 0)))
    assert await do(process, document, beside_work.text) == document.tree.text
    edit(process, document, TextChange(STRAIGHT))
    assert await do(process, document, beside_work.text) == STRAIGHT
    document.configure(Settings(pipeline_text="cse"))
    assert await do(process, document, beside_work.pipeline) == "cse"
    process.forget(document.uri)
    assert await do(process, document_of("other"), beside_work.text) == "other"


@pytest.mark.parametrize("seed", range(2))
async def test_it_finds_what_the_server_does_after_edits(process: BesideProcess, seed: int) -> None:
    rng, document = random.Random(seed), document_of(STRAIGHT)
    for _ in range(6):
        for _ in range(rng.randrange(1, 3)):
            line = rng.randrange(1, 1400)
            text = document.tree.line(line)
            column = rng.randrange(len(text))
            typed = rng.choice(["7", "{", "", "\n", "}", "%"])
            edit(process, document, TextChange(typed, (line, column), (line, column)))
        expected = beside_work.messages(document.snapshot(), 0)
        assert await do(process, document, beside_work.messages, 0) == expected


async def test_a_fork_answers_and_goes_on(process: BesideProcess) -> None:
    document = document_of(STRAIGHT)
    first, again = [await do(process, document, beside_work.fork) for _ in range(2)]
    assert first == again
    assert await goes_on(process, document)
    document.configure(Settings(pipeline_text="cse"))
    assert await do(process, document, beside_work.pipeline) == "cse"
    assert await do(process, document, beside_work.text) == document.tree.text


async def goes_on(
    process: BesideProcess,
    document: Document,
    function: Callable[..., object] = beside_work.fork,
    tries: int = 20,
) -> bool:
    """Whether what answers by its process id goes on with edits: it may not be at rest yet when one comes soon."""
    for number in range(tries):
        former = await do(process, document, function)
        await asyncio.sleep(0.05 * (number + 1))
        edit(process, document, TextChange("\n", (3, 0), (3, 0)))
        if await do(process, document, function) == former:
            return True
    return False


async def test_a_fork_that_grew_much_does_not_go_on(process: BesideProcess) -> None:
    assert not await goes_on(process, document_of(STRAIGHT), beside_work.growth, tries=3)


async def test_a_fork_that_failed_does_not_go_on(process: BesideProcess) -> None:
    document = document_of(STRAIGHT)
    fork = await do(process, document, beside_work.fork)
    with pytest.raises(Failed):
        await do(process, document, beside_work.fault)
    assert await do(process, document, beside_work.fork) == fork
    await asyncio.sleep(0.05)
    edit(process, document, TextChange("\n", (3, 0), (3, 0)))
    assert await do(process, document, beside_work.fork) != fork


@needs_proc
async def test_a_fork_that_died_at_rest_is_missed_by_nobody(process: BesideProcess) -> None:
    document = document_of(STRAIGHT)
    for told in (False, True):
        fork = await do(process, document, beside_work.fork)
        assert isinstance(fork, int)
        if told:
            edit(process, document, TextChange("\n", (3, 0), (3, 0)))
            process.follow(document)
        os.kill(fork, signal.SIGKILL)
        assert is_gone(fork)
        await asyncio.sleep(0.1)
        edit(process, document, TextChange("  // nothing\n", (3, 0), (3, 0)))
        assert await do(process, document, beside_work.text) == document.tree.text


@pytest.mark.parametrize("seed", range(2))
async def test_what_a_fork_that_goes_on_shows_is_what_is_shown_of_the_text(process: BesideProcess, seed: int) -> None:
    rng, document = random.Random(seed), document_of(STRAIGHT)
    for _ in range(6):
        assert await do(process, document, beside_work.shown) == beside_work.shown(
            document_of(document.tree.text).snapshot()
        )
        await asyncio.sleep(rng.choice([0, 0.05]))
        line = rng.choice([n for n in range(1, 1400) if "arith.constant" in document.tree.line(n)])
        at = document.tree.line(line).index("arith.constant") + len("arith.constant ")
        typed = rng.choice(["1", "7", "x", "\n"])
        edit(process, document, TextChange(typed, (line, at), (line, at + rng.randrange(2))))
        if rng.randrange(2):
            process.follow(document)


@needs_proc
async def test_a_fork_is_ready_for_the_next_version_where_each_is_asked_about(process: BesideProcess) -> None:
    document = document_of(STRAIGHT)
    former = await do(process, document, beside_work.growth)
    edit(process, document, TextChange("  // nothing\n", (3, 0), (3, 0)))
    process.follow(document)
    assert process.pid is not None and isinstance(former, int) and is_gone(former)
    ready = await until_forked(process.pid)
    assert await do(process, document, beside_work.fork) == ready
    assert await do(process, document, beside_work.text) == document.tree.text
    edit(process, document, TextChange("\n", (3, 0), (3, 0)))
    process.follow(document)
    edit(process, document, TextChange("\n", (3, 0), (3, 0)))
    process.follow(document)  # Nobody asked about the version before: it is told with the question.
    assert await do(process, document, beside_work.text) == document.tree.text


async def until_forked(pid: int) -> int:
    """The fork of a process, a moment later at most."""
    for _ in range(30_000):
        if forks := [child for child in children_of(pid) if not is_zombie(child)]:
            return forks[-1]
        await asyncio.sleep(0.01)
    raise AssertionError("there is no fork")


def is_zombie(pid: int) -> bool:
    """Whether a child is over."""
    return lines_of(pid, "State").startswith("Z")


async def test_interrupted_work_makes_room_for_the_next(process: BesideProcess) -> None:
    document = document_of(STRAIGHT)
    fork = await do(process, document, beside_work.fork)
    first = asyncio.ensure_future(do(process, document, beside_work.endless))
    await asyncio.sleep(0.1)
    edit(process, document, TextChange("\n", (3, 0), (3, 0)))
    with pytest.raises(Interrupted):
        await first
    assert await do(process, document, beside_work.text) == document.tree.text
    assert isinstance(fork, int)
    assert is_gone(fork)


async def test_cancelled_work_makes_room_for_the_next(process: BesideProcess) -> None:
    document = document_of(STRAIGHT)
    first = asyncio.ensure_future(do(process, document, beside_work.endless))
    await asyncio.sleep(0.1)
    first.cancel()
    assert await do(process, document, beside_work.text) == STRAIGHT


# ---- what may become of it


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (beside_work.fault, "ValueError: a mistake in a pass"),
        (beside_work.crash, "the process ended with signal 11"),
        (beside_work.gluttony, "there is not enough memory for it"),
        (beside_work.crash_all, "the process beside the server ended"),
    ],
)
async def test_what_goes_wrong_is_said_once(
    process: BesideProcess, function: Callable[..., object], reason: str
) -> None:
    document = document_of(STRAIGHT)
    with pytest.raises(Failed) as caught:
        await do(process, document, function)
    assert str(caught.value) == reason
    assert await do(process, document, beside_work.text) == STRAIGHT


async def test_a_worker_that_died_while_idle_is_started_again(process: BesideProcess) -> None:
    document = document_of(STRAIGHT)
    await do(process, document, beside_work.text)
    first = process.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    await gone(process)
    edit(process, document, TextChange("\n", (3, 0), (3, 0)))
    assert await do(process, document, beside_work.text) == document.tree.text
    assert process.pid not in (None, first)


async def test_a_worker_that_always_dies_is_not_started_for_ever(process: BesideProcess) -> None:
    document = document_of(STRAIGHT)
    for _ in range(MOST_DEATHS):
        with pytest.raises(Failed, match="the process beside the server ended"):
            await do(process, document, beside_work.crash_all)
    with pytest.raises(Failed, match="again and again"):
        await do(process, document, beside_work.text)
    edit(process, document, TextChange("\n", (3, 0), (3, 0)))
    assert await do(process, document, beside_work.text) == document.tree.text


async def test_after_the_end_nothing_is_started(process: BesideProcess) -> None:
    process.close()
    with pytest.raises(Failed, match="shutting down"):
        await do(process, document_of(STRAIGHT), beside_work.text)


# ---- what is taken over


def test_answers_from_beside_are_taken_over_while_they_are_true() -> None:
    text = STRAIGHT.replace(RETURN, LEFT + "  call @g() : () -> ()\n" + RETURN) + "func.func @g() {\n  return\n}\n"
    here, there = document_of(text), document_of(text)
    item = here.tree.items[0]
    message: Found = message_of(frame(found_by_lowering(there.snapshot(), 0))[8:])
    assert [stall.severity for stall in message.stalls] == ["warning"]
    learn(here.snapshot(), item, message)
    snapshot = here.snapshot()
    assert stalled(snapshot, item) is message.stalls
    assert lines_by_place(snapshot, item) is message.lines
    assert not snapshot.memory.items(cast("Any", lowered)), "nothing was lowered here"
    last = here.tree.line_count - 1
    here.edit((last, 0), (last, 0), "  // only the body of the other\n")
    assert stalled.is_known(here.snapshot(), item), "what it follows from is as it was"
    here.edit((last - 2, 0), (last - 1, 0), "func.func @g(%a: i32) {\n")
    assert not stalled.is_known(here.snapshot(), item)
    assert not lines_by_place.is_known(here.snapshot(), item)


def test_the_lines_of_an_operation() -> None:
    text = STRAIGHT.replace(RETURN, "  %c:2 = arith.addui_extended %a, %a : i32, i1\n" + RETURN)
    snapshot = document_of(text).snapshot()
    lines = lines_by_place(snapshot, snapshot.tree.items[0])
    places = sorted(zip(lines.starts, lines.ends, strict=True))
    assert list(zip(lines.starts, lines.ends, strict=True)) == places
    assert len(places) == len(lines.lines) > 1000


@pytest.mark.parametrize(
    ("line", "is_beside"),
    [
        ("func.func @f(%a: vector<64x64xf32>) {", True),
        ("func.func @f(%a: vector<2000xf32>) {", True),
        ("func.func @f(%a: vector<16x16xf32>, %b: vector<16x16xf32>) {", False),
        ("func.func @f() { %v = ub.poison : vector<64x64xf32>", True),
        ("func.func @f() { scf.execute_region { ^a(%v: vector<64x64xf32>): scf.yield }", True),
        (f"func.func @f() {{ {'%v = ub.poison : vector<16xf32> ' * 100}", False),
        (f"func.func @f({', '.join(f'%a{n}: vector<8x8xf32>' for n in range(20))}) {{", True),
        (f'func.func @f(%a: i32) {{ "x.y"({", ".join(["%a"] * 1001)}) : ({", ".join(["i32"] * 1001)}) -> ()', True),
        (f"func.func @f(%a: index) {{ affine.max affine_map<(d0) -> ({', '.join(['d0'] * 1001)})>(%a)", True),
        (f"func.func @f(%a: index) {{ {'affine.max affine_map<(d0) -> (d0, 1)>(%a) ' * 300}", False),
    ],
)
def test_functions_of_many_elements_are_lowered_beside(line: str, is_beside: bool) -> None:
    snapshot = document_of(f"{line}\n  return\n}}\n").snapshot()
    assert takes_long(snapshot, snapshot.tree.items[0]) is is_beside


# ---- over the wire


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started(options={"diagnostics": {"lowering": "always"}}) as session:
        yield session


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("program", sorted(PROGRAMS))
async def test_what_is_left_behind_of_a_big_function(session: Session, program: str) -> None:
    text = PROGRAMS[program](1000).text.replace(MISTAKE, LEFT + RETURN)
    buffer = session.open(text)
    await buffer.diagnostics(lambda messages: any("gpu.thread_id" in message for message in messages))
    buffer.edit((LEFT, "  // nothing\n"))
    assert await buffer.diagnostics(lambda messages: not messages) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_hover_shows_the_lowering_of_a_big_function_when_it_is_known(session: Session) -> None:
    buffer = session.open(STRAIGHT.replace(RETURN, LEFT + RETURN))
    await buffer.diagnostics(lambda messages: any("gpu.thread_id" in message for message in messages))
    place = types.Position(3, STRAIGHT.split("\n")[3].index("arith") + 1)
    assert "llvm." in await buffer.hover(place)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_preview_of_a_big_function_is_that_of_the_last_edit(session: Session) -> None:
    buffer = session.open(STRAIGHT.replace("  %2 = arith.constant 2 :", "  %2 = arith.constant 77770 :"))
    question = asyncio.ensure_future(buffer.ask("fathom/preview", stage="llvm-dialect", function="straight"))
    for number in range(5):
        await asyncio.sleep(0.1)
        buffer.edit((f"7777{number}", f"7777{number + 1}"))
    shown = await question
    assert (shown["version"], shown["stale"]) == (buffer.version, False)
    assert "(77775 : i32)" in shown["text"]
    assert shown["map"]
    again = await buffer.ask("fathom/preview", stage="llvm-dialect", function="straight")
    assert again["text"] == shown["text"]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_question_that_is_asked_again_is_answered_once(session: Session) -> None:
    buffer = session.open(STRAIGHT)
    parameters = {"stage": "llvm-ir", "function": "straight"}
    buffer.edit((RETURN, f"{RETURN}  // nothing else"))
    first, second, third = (asyncio.ensure_future(buffer.ask("fathom/preview", **parameters)) for _ in range(3))
    assert not (await third)["stale"]
    for task in (first, second):
        with pytest.raises(JsonRpcException) as caught:
            await task
        assert caught.value.code == -32801


@pytest.mark.asyncio(loop_scope="module")
async def test_a_big_function_is_lowered_in_its_place(session: Session) -> None:
    buffer = session.open(STRAIGHT)
    session.edits.clear()
    assert await session.command("fathom.lowerFunction", buffer.uri, "straight") == {"applied": True}
    assert "llvm.func @straight" in str(session.edits)
    broken = session.open(STRAIGHT.replace(RETURN, LEFT + RETURN))
    answer = await session.command("fathom.lowerFunction", broken.uri, "straight")
    assert "@straight does not lower: 'gpu.thread_id' op" in answer["failureReason"]


@pytest.mark.asyncio(loop_scope="module")
async def test_the_edit_of_an_action_on_a_big_function() -> None:
    async with started(capabilities(resolve=True)) as session:
        buffer = session.open(STRAIGHT)
        action = await buffer.lowering(types.Position(0, 12))
        assert action.edit is None
        resolved = await asyncio.wait_for(session.client.code_action_resolve_async(action), PATIENCE)
        assert "llvm.func @straight" in str(resolved.edit)


@pytest.mark.asyncio(loop_scope="module")
async def test_an_action_on_a_big_function_with_its_edit() -> None:
    """A client that cannot ask for the edit gets it at once, made where that keeps nobody waiting."""
    snapshot = document_of(STRAIGHT).snapshot()
    (item,) = snapshot.tree.items
    assert actions_with_edits.items_beside(snapshot, 12, 12, (), True, True) == (item,)
    assert actions_with_edits.items_beside(snapshot, 12, 12, (), True, False) is None
    assert actions_with_edits.items_beside(document_of(SHORT).snapshot(), 12, 12, (), True, True) is None
    async with started(capabilities()) as session:
        action = await session.open(STRAIGHT).lowering(types.Position(0, 12))
        assert "llvm.func @straight" in str(action.edit)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_big_function_runs(session: Session) -> None:
    additions = "".join(f"  %{n + 1} = arith.addi %{n}, %a : i32\n" for n in range(1000))
    text = f"func.func @sum(%a: i32) -> i32 {{\n  %0 = arith.constant 0 : i32\n{additions}  return %1000 : i32\n}}\n"
    outcome = await session.open(text).run("sum", 7)
    assert (outcome["status"], outcome["results"]) == ("ok", [{"type": "i32", "value": 7000}])
    outcome = await session.open(text.replace("return %1000", "return %a1000")).run("sum", 7)
    assert outcome["kind"] == "lowering"


# ---- the end


async def lowered_beside(session: Session, others: set[int]) -> tuple[Buffer, int, int]:
    """A document whose function was lowered beside the server, and the processes of the server and of the work, of
    which none of `others` is one."""
    buffer = session.open(STRAIGHT.replace(RETURN, LEFT + RETURN))
    await buffer.diagnostics(lambda messages: any("does not reach LLVM IR" in message for message in messages))
    (server,) = set(children_of(os.getpid())) - others
    (worker,) = children_of(server)
    return buffer, server, worker


@needs_proc
@pytest.mark.parametrize("way", ["exit", "kill"])
async def test_it_ends_with_the_server(way: str) -> None:
    others = set(children_of(os.getpid()))
    async with started(own_process=True) as session:
        _, server, worker = await lowered_beside(session, others)
        forks = children_of(worker)
        assert len(forks) == 1
        if way == "kill":
            os.kill(server, signal.SIGKILL)
            assert all(map(is_gone, (server, worker, *forks)))
            await session.client.stop()
    assert all(map(is_gone, (server, worker, *forks)))


@needs_proc
async def test_a_crash_of_the_worker_leaves_the_server_well() -> None:
    others = set(children_of(os.getpid()))
    async with started(own_process=True) as session:
        buffer, _, worker = await lowered_beside(session, others)
        os.kill(worker, signal.SIGKILL)
        assert is_gone(worker)
        buffer.edit((LEFT, LEFT + "  // nothing\n"))
        await buffer.diagnostics(lambda messages: any("does not reach LLVM IR" in message for message in messages))
        shown = await buffer.ask("fathom/preview", stage="source", function="straight")
        assert not shown["stale"]


def test_of_too_many_tensors_it_is_said_that_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "MOST_TENSORS", 1)
    text = "func.func @f(%f: f32) -> tensor<4xf32> {\n  %0 = tensor.splat %f : tensor<4xf32>\n"
    text += "  %1 = math.exp %0 : tensor<4xf32>\n  return %1 : tensor<4xf32>\n}\n"
    here, there = document_of(text), document_of(text)
    message: Found = message_of(frame(found_by_lowering(there.snapshot(), 0))[8:])
    learn(here.snapshot(), here.tree.items[0], message)
    shown = hover(here.snapshot(), text.index("%1 ="))
    assert shown is not None and TOO_MANY in shown.markdown
    told = counted(here.snapshot(), "@f", "copies")
    assert told is not None and told.title == "too many tensors to count copies"


def test_a_question_waits_for_the_next_key_by_what_it_takes() -> None:
    assert rest_before(None) == rest_before(60.0) == REST
    assert rest_before(0.16) == 0.01
    assert rest_before(0.1) == 0.0
