"""What the garbage collector leaves alone is not lost: nothing of a closed document waits for it."""

from __future__ import annotations

import gc
from collections import Counter

import pytest

from fathom.context import Context
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from fathom_server.session import collector
from fathom_server.session.collector import configure_collector
from fathom_server.session.opened import OpenDocument

COUNT = 30
FUNCTION = """\
func.func @f{0}(%a: i32) -> i32 {{
  %0 = arith.addi %a, %nowhere : i32
  %1 = call @f{0}(%0) : (i32) -> i32
  return %1 : i32
}}
"""
CONTEXT = Context()


def check_all(opened: OpenDocument) -> None:
    while opened.to_check:
        opened.check(opened.to_check.popleft())


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
    return Counter(type(each).__name__ for each in gc.get_objects())


def test_nothing_of_a_closed_document_waits_for_the_collector() -> None:
    a_session()
    gc.collect()
    gc.disable()
    try:
        before = known()
        a_session()
        left = known() - before
    finally:
        gc.enable()
    for kind in ("Item", "Symbol", "Names", "_Fact", "_Answer", "SymbolIndex"):
        assert not left[kind], left


def test_what_took_long_is_not_gone_over_again(monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds, callbacks = gc.get_threshold(), list(gc.callbacks)
    try:
        configure_collector()
        configure_collector()
        assert len(gc.callbacks) <= len(callbacks) + 1
        gc.unfreeze()
        gc.collect(1)
        assert gc.get_freeze_count() == 0
        monkeypatch.setattr(collector, "LONG", 0.0)
        gc.collect(1)
        assert gc.get_freeze_count() == 0
        gc.collect()
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()
        gc.callbacks[:] = callbacks
        gc.set_threshold(*thresholds)
