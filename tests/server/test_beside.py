"""What takes longer than a key may is done beside the event loop, begins anew after an edit, and leaves no IR."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from threading import Event

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from benchmarks.big_functions import MISTAKE, PROGRAMS, RETURN, straight
from fathom.context import default_context
from fathom.elaborate.elaborator import Elaborator
from fathom.interruption import Interrupted, checkpoint, interruptible
from fathom.ir.clone import clone
from fathom.ir.operation import MODULE, Block, Operation, Region
from fathom.ir.printer import print_op
from fathom.pipeline import run
from fathom.pipeline.lowering import LOWER_TO_LLVM
from fathom.syntax.parse import parse
from fathom.translation import translate
from fathom.verify import verify
from fathom_server.features.lowered_lines import lines_by_place
from fathom_server.model.document import Document
from fathom_server.model.lowering import lowered, stalled
from fathom_server.model.settings import Settings
from fathom_server.session.aside import Aside
from tests.server.client import Session, started

STRAIGHT = straight(1500).text.replace(MISTAKE, RETURN)
LEFT = "  %left = math.sqrt %p : f32\n"


# ---- checkpoints


def test_nothing_is_interrupted_where_nobody_may() -> None:
    checkpoint()
    with interruptible(Event()):
        checkpoint()


CONTEXT = default_context()
STEPS: dict[str, Callable[[Operation], object]] = {
    "verify": lambda module: verify(module, context=CONTEXT),
    "clone": clone,
    "print": print_op,
    "lower": lambda module: run(LOWER_TO_LLVM, module, CONTEXT),
    "translate": translate,
}


@pytest.mark.parametrize("step", STEPS)
def test_all_that_goes_over_operations_can_be_interrupted(step: str) -> None:
    text = "llvm.func @f() {\n  %0 = llvm.mlir.constant(1 : i32) : i32\n  llvm.return\n}\n"
    (function,) = Elaborator(CONTEXT).run(parse(text, CONTEXT.shapes).items).operations
    function.unlink()
    module = Operation(MODULE, regions=[Region([Block()])], definition=CONTEXT.lookup(MODULE))
    next(module.regions[0].blocks).append(function)
    stop = Event()
    stop.set()
    with interruptible(stop), pytest.raises(Interrupted):
        STEPS[step](module)
    checkpoint()


def test_elaboration_can_be_interrupted() -> None:
    items = parse(STRAIGHT, CONTEXT.shapes).items
    stop = Event()
    stop.set()
    with interruptible(stop), pytest.raises(Interrupted):
        Elaborator(CONTEXT).run(items)


# ---- one piece of work at a time


async def test_interrupted_work_makes_room_for_the_next() -> None:
    aside, began = Aside(), Event()

    def endless() -> None:
        began.set()
        while True:
            checkpoint()

    async def begin() -> Callable[[], None]:
        return endless

    first = asyncio.ensure_future(aside.run(begin))
    await asyncio.to_thread(began.wait, 5)
    aside.interrupt()
    with pytest.raises(Interrupted):
        await first

    async def short() -> Callable[[], int]:
        return lambda: 7

    assert await aside.run(short) == 7


# ---- what is taken over


def test_answers_from_beside_are_taken_over_while_they_are_true() -> None:
    document = Document("file:///f.mlir", 0, STRAIGHT.replace(RETURN, LEFT + RETURN), default_context(), Settings())
    item = document.tree.items[0]
    apart = document.snapshot_apart()
    found = stalled(apart, item)
    assert [each.severity for each in found] == ["warning"]
    lines_by_place(apart, item)
    assert not stalled.is_known(document.snapshot(), item)
    document.adopt(apart)
    snapshot = document.snapshot()
    assert stalled.is_known(snapshot, item)
    assert stalled(snapshot, item) is found
    assert lines_by_place.is_known(snapshot, item)
    assert not snapshot.memory.items(lowered), "IR stays where it was made"
    document.edit((3, 0), (3, 0), "  \n")
    document.adopt(apart)
    assert not document.snapshot().memory.items(stalled), "the item is gone"


# ---- over the wire


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started() as session:
        yield session


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("program", sorted(PROGRAMS))
async def test_what_is_left_behind_of_a_big_function(session: Session, program: str) -> None:
    text = PROGRAMS[program](1000).text.replace(MISTAKE, LEFT + RETURN)
    buffer = session.open(text)
    await buffer.diagnostics(lambda found: any("math.sqrt" in each for each in found))
    buffer.edit((LEFT, "  // nothing\n"))
    assert await buffer.diagnostics(lambda found: not found) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_hover_shows_the_lowering_of_a_big_function_when_it_is_known(session: Session) -> None:
    buffer = session.open(STRAIGHT.replace(RETURN, LEFT + RETURN))
    await buffer.diagnostics(lambda found: any("math.sqrt" in each for each in found))
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
    for each in (first, second):
        with pytest.raises(JsonRpcException) as caught:
            await each
        assert caught.value.code == -32801
