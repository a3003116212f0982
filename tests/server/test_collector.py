"""What the garbage collector leaves alone is not lost: nothing of a closed document waits for it."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

from fathom.context import Context
from fathom.ir.operation import Operation
from fathom.ir.printer import print_module
from fathom.slices import GivenUp, Slices, checkpoint
from fathom_server.model.document import Document
from fathom_server.model.lowered import KEPT, lowered, lowered_beside
from fathom_server.model.pipelines import pipeline
from fathom_server.model.settings import Settings
from fathom_server.session import collector
from fathom_server.session.collector import (
    configure_collector,
    forget_text,
    leave_alone,
    leave_nothing_alone,
    let_collect,
    look_at_all,
)
from fathom_server.session.opened import OpenDocument
from tests.server.hostile import DOCUMENTS

COUNT = 30
ANY_NUMBER = 10**9
FUNCTION = """\
func.func @f{0}(%a: i32) -> i32 {{
  %0 = arith.addi %a, %nowhere : i32
  %1 = call @f{0}(%0) : (i32) -> i32
  return %1 : i32
}}
"""
STOPS = "func.func @stops(%a: i32) -> i32 {\n  return %nowhere : i32\n}\n"
CONTEXT = Context()


def check_all(opened: OpenDocument) -> None:
    while opened.to_check:
        opened.check_first()


def a_session() -> None:
    """A document is opened, looked at, edited in each function, and closed."""
    text = "#map = affine_map<(d0) -> (d0)>\n" + "".join(FUNCTION.format(index) for index in range(COUNT))
    opened = OpenDocument(Document("file:///a.mlir", 0, text, CONTEXT, Settings()))
    check_all(opened)
    gc.collect()
    for index in range(COUNT):
        line = 2 + 5 * index
        opened.changed(opened.document.edit((line, 2), (line, 3), "%x"))
        opened.settle()
        check_all(opened)
    opened.document.close()


def known() -> Counter[str]:
    kinds = Counter[type[Any]](map(type, gc.get_objects()))
    counts = Counter[str]()
    for kind, count in kinds.items():
        counts[kind.__name__] += count
    return counts


def left_by(work: Callable[[], None]) -> Counter[str]:
    """What waits for the collector after work that was done before, so that what it has to know once is known."""
    work()
    gc.collect()
    leave_nothing_alone()
    gc.disable()
    try:
        before = known()
        work()
        return known() - before
    finally:
        gc.enable()


OF_TEXTS = ("Carrier", "Token", "Piece", "Frame", "Leaf", "Elaborated", "Operation", "Site", "Diagnostic")


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if "functions with" not in name])
def test_nothing_of_a_closed_hostile_document_waits_for_the_collector(name: str) -> None:
    """Of functions only the last are kept: the IR of others is the collector's from the beginning, as are operations
    with regions or results that an edit took away, and the IR of what names an alias that one changed."""
    text = DOCUMENTS[name](2500)

    def opened_and_closed() -> None:
        opened = OpenDocument(Document("file:///a.mlir", 0, text, CONTEXT, Settings()))
        check_all(opened)
        if not any(word in name for word in ("nested", "errors", "doubled")):
            line = text.count("\n") // 2
            opened.changed(opened.document.edit((line, 0), (line, 0), " "))
            opened.settle()
            check_all(opened)
        opened.document.close()

    left = left_by(opened_and_closed)
    assert not {kind: count for kind in OF_TEXTS if (count := left[kind]) > 20}, left.most_common(20)


def test_work_that_was_given_up_does_not_keep_what_it_knew() -> None:
    class Much:
        pass

    seen: list[weakref.ref[Much]] = []

    def work() -> None:
        much = Much()
        seen.append(weakref.ref(much))
        while True:
            checkpoint()

    gc.disable()
    try:
        slices = Slices(work)
        assert not slices.go_on(0.0)
        slices.end()
        for _ in range(2):
            with pytest.raises(GivenUp):
                slices.result()
        assert seen[0]() is None
    finally:
        gc.enable()


def test_text_that_nobody_needs_counts_like_many_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "_lost", 0)
    monkeypatch.setattr(collector, "_known", ANY_NUMBER)
    # However much the tests before it left in this process.
    monkeypatch.setattr(collector, "MOST", ANY_NUMBER)
    leave_nothing_alone()
    gc.disable()
    try:
        circle = weakref.ref(Circle())
        leave_alone()
        assert not forget_text(collector.HEAVY // 2)
        look_at_all()
        assert circle() is not None
        assert forget_text(collector.HEAVY // 2)
        look_at_all()
        assert circle() is None
    finally:
        gc.enable()
        leave_nothing_alone()


def test_nothing_of_a_closed_document_waits_for_the_collector() -> None:
    left = left_by(a_session)
    for kind in ("Item", "Symbol", "Names", "_Fact", "_Answer", "SymbolIndex"):
        assert not left[kind], left


def lowered_functions() -> int:
    return sum(type(held) is Operation and held.name == "llvm.func" for held in gc.get_objects())


def test_no_lowering_that_is_not_kept_waits_for_the_collector() -> None:
    text = "".join(FUNCTION.replace("%nowhere", "%a").format(index) for index in range(2 * KEPT))
    opened = OpenDocument(Document("file:///a.mlir", 0, text, CONTEXT, Settings()))
    check_all(opened)
    gc.collect()
    before = lowered_functions()
    gc.disable()
    try:
        while opened.to_lower:
            opened.lower_first()
        # Each calls itself, and so has no declaration of another with it.
        assert 0 < lowered_functions() - before <= KEPT
        opened.document.close()
        assert lowered_functions() == before
    finally:
        gc.enable()


def test_a_lowering_that_stopped_goes_on_to_be_shown_when_that_of_a_former_stage_was_taken_apart() -> None:
    text = STOPS + "".join(FUNCTION.replace("%nowhere", "%a").format(index) for index in range(KEPT - 1))
    opened = OpenDocument(Document("file:///a.mlir", 0, text, CONTEXT, Settings()))
    check_all(opened)
    snapshot = opened.document.snapshot()
    stops, *others = snapshot.tree.items
    query = cast("Any", lowered_beside)
    passes = len(pipeline(snapshot).passes)
    assert lowered(snapshot, stops, passes - 1, False).stops
    known = lowered(snapshot, stops, passes, False)
    shown = print_module(known.module.op)
    for item in others:
        lowered(snapshot, item, passes, False)
    assert not query.is_known(snapshot, stops, passes - 1, False, frozenset())
    snapshot.memory.dismantle_answers()
    assert query.remembered(snapshot, stops, passes, False, frozenset()) is known
    assert print_module(known.module.op) == shown
    opened.document.close()


class Circle:
    """An object that only the collector can tell is not needed any more."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def configured() -> Iterator[None]:
    """The collector as the server has it, with nothing left alone."""
    thresholds, callbacks = gc.get_threshold(), list(gc.callbacks)
    try:
        configure_collector()
        configure_collector()
        assert len(gc.callbacks) <= len(callbacks) + 1
        leave_nothing_alone()
        yield
    finally:
        leave_nothing_alone()
        gc.callbacks[:] = callbacks
        gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("configured")
def test_what_took_long_is_not_gone_over_again(monkeypatch: pytest.MonkeyPatch) -> None:
    gc.collect(1)
    assert gc.get_freeze_count() == 0
    monkeypatch.setattr(collector, "LONG", 0.0)
    gc.collect(1)
    assert gc.get_freeze_count() == 0
    gc.collect()
    assert gc.get_freeze_count() > 10_000


@pytest.mark.usefixtures("configured")
def test_what_is_left_alone_is_counted_where_that_tells_something(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []

    def count(counted: Callable[[], int] = gc.get_freeze_count) -> int:
        counts.append(counted())
        return counts[-1]

    monkeypatch.setattr(gc, "get_freeze_count", count)
    monkeypatch.setattr(collector, "FEW", 0)
    monkeypatch.setattr(collector, "MOST", 0)
    monkeypatch.setattr(collector, "_lost", 0)
    monkeypatch.setattr(collector, "_uncounted", 0)
    leave_alone()
    for expected in (1, 1, 2, 2):
        look_at_all()
        gc.collect()
        assert len(counts) == expected
        if forget_text(collector.HEAVY // 2):
            look_at_all()
    more = [[index] for index in range(counts[-1])]
    leave_alone()
    look_at_all()
    assert counts[-1] > len(more)


@pytest.mark.usefixtures("configured")
def test_what_was_left_alone_is_gone_over_again_where_it_is_not_much(monkeypatch: pytest.MonkeyPatch) -> None:
    for few, is_left in ((ANY_NUMBER, False), (0, True)):
        monkeypatch.setattr(collector, "FEW", few)
        monkeypatch.setattr(collector, "_known", 0)
        circle = weakref.ref(Circle())
        leave_alone()
        gc.collect()
        assert (circle() is not None) is is_left


@pytest.mark.usefixtures("configured")
def test_what_was_left_alone_is_gone_over_in_a_pause_when_it_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "USUAL", 0)
    monkeypatch.setattr(collector, "FEW", 0)
    monkeypatch.setattr(collector, "MOST", ANY_NUMBER)
    monkeypatch.setattr(collector, "LONG", 0.0)
    monkeypatch.setattr(collector, "_known", 0)
    gc.collect()
    circle = weakref.ref(Circle())
    leave_alone()
    look_at_all()
    assert circle() is not None
    more = [[index] for index in range(gc.get_freeze_count())]
    leave_alone()
    look_at_all()
    assert circle() is None
    del more


def test_what_much_work_made_is_not_gone_over(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[list[object]] = []
    try:
        leave_nothing_alone()
        for many, frozen in ((collector.MANY, False), (100, True)):
            monkeypatch.setattr(collector, "MANY", many)
            gc.disable()
            made.extend([] for _ in range(1000))
            let_collect()
            assert gc.isenabled()
            assert (gc.get_freeze_count() > 0) is frozen
    finally:
        gc.enable()
        leave_nothing_alone()
