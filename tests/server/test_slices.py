"""What a big item needs to be looked at is done a part at a time, also while it is edited."""

from __future__ import annotations

from contextvars import Context as Variables
from contextvars import copy_context
from random import Random
from threading import Thread

import pytest

from fathom.cached import cached_property
from fathom.context import Context, default_context
from fathom.slices import Slices, checkpoint, paced
from fathom_server.model import elaboration
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from fathom_server.session import opened as opened_module
from fathom_server.session.opened import OpenDocument
from tests.elaborate.edits import KINDS, LOOPS, difference, lines_after
from tests.patience import PATIENCE

CONTEXT = default_context()


@pytest.fixture(autouse=True)
def _all_items_are_big(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elaboration, "LIVE_FROM", 1)
    monkeypatch.setattr(opened_module, "LARGE", 1)


def open_document(text: str) -> OpenDocument:
    return OpenDocument(Document("file:///a.mlir", 0, text, CONTEXT, Settings()))


def replace(opened: OpenDocument, after: list[str]) -> None:
    lines = opened.document.tree.text.splitlines(keepends=True)
    first, last = difference(lines, after)
    text = "".join(after[first : len(after) - last])
    opened.changed(opened.document.edit((first, 0), (len(lines) - last, 0), text))
    opened.settle()


def check_all(opened: OpenDocument) -> int:
    """Looks at all there is to be looked at; in how many slices."""
    count = 0
    while opened.to_check:
        work = Slices(opened.check_first)
        count += 1
        while not work.go_on(0.0):
            count += 1
    return count


def check_some(opened: OpenDocument, count: int) -> None:
    """Looks at something for so many slices, and is given up then."""
    work = Slices(opened.check_first)
    if not any(work.go_on(0.0) for _ in range(count)):
        work.end()


def shown(opened: OpenDocument) -> list[object]:
    return [(index, [(d.message, d.span, d.code) for d in diagnostics]) for index, diagnostics in opened.found()]


def test_a_big_function_is_looked_at_in_slices() -> None:
    body = "".join(f"  %{n} = arith.addi %arg0, %arg0 : i32\n" for n in range(3000))
    opened = open_document(f"func.func @f(%arg0: i32) {{\n{body}  return\n}}\n")
    assert check_all(opened) > 10
    replace(opened, opened.document.tree.text.replace("@f", "@g").splitlines(keepends=True))
    assert check_all(opened) > 10


@pytest.mark.parametrize("seed", range(12))
def test_edits_between_slices_find_what_a_new_document_finds(seed: int) -> None:
    numbers = Random(seed)
    body = "".join(f"  %n{n} = arith.addi %0, %1 : i32\n" for n in range(300))
    opened = open_document(LOOPS.replace("  %2 =", body + "  %2 ="))
    for _ in range(6):
        if opened.to_check:
            check_some(opened, numbers.choice((0, 1, 10, 100, 300, 400, 500, 1000)))
        lines = opened.document.tree.text.splitlines(keepends=True)
        place, one, two = numbers.choice((numbers.randrange(400), 310)), numbers.randrange(60), numbers.randrange(60)
        edit = (numbers.choice(KINDS), place, one, two)
        replace(opened, lines_after(edit, lines, []))
    check_all(opened)
    anew = open_document(opened.document.tree.text)
    check_all(anew)
    assert shown(opened) == shown(anew)


def test_what_is_worked_out_in_slices_keeps_nothing_else_from_being_worked_out() -> None:
    class Asked:
        @cached_property
        def answer(self) -> int:
            """Stands still on its way."""
            for _ in paced(range(3)):
                pass
            return 7

    first, second = Asked(), Asked()
    begun = Slices(lambda: first.answer)
    assert not begun.go_on(0.0)
    assert Slices(lambda: second.answer).finish() == 7
    assert begun.finish() == first.answer == 7


def test_dialects_are_loaded_in_slices() -> None:
    context = Context()
    names = context.dialect_names()
    work = Slices(lambda: [context.dialect(name) for name in names])
    count = 1
    while not work.go_on(0.0):
        count += 1
    assert count > len(names) > 40
    assert None not in work.result()


def test_what_work_hands_to_the_event_loop_does_not_stand_still() -> None:
    """A callback that work gives to a loop runs with the variables that the work had."""
    taken: list[Variables] = []

    def work() -> None:
        taken.append(copy_context())
        checkpoint()

    slices = Slices(work)
    slices.go_on(0.0)
    other = Thread(target=taken[0].run, args=(checkpoint,), daemon=True)
    other.start()
    other.join(PATIENCE)
    assert not other.is_alive()
    assert slices.go_on()
