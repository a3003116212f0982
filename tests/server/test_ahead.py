"""What is done ahead stands back while somebody types."""

from __future__ import annotations

import asyncio

import pytest

from fathom_server.session import session as module
from fathom_server.session.edits import Edit
from fathom_server.session.session import Session
from tests.patience import PATIENCE

URI = "file:///f.mlir"


@pytest.mark.parametrize(("seconds", "is_done"), [(0.0, True), (3600.0, False)])
async def test_nothing_is_done_ahead_while_somebody_types(
    monkeypatch: pytest.MonkeyPatch, seconds: float, is_done: bool
) -> None:
    monkeypatch.setattr(module, "BREAK", seconds)
    session, done = Session(lambda _opened: None, lambda _opened: None), list[str]()

    async def ahead() -> None:
        await session.do_ahead([lambda: done.append("a step")])
        await session.load("json")
        done.append("a module")

    try:
        session.open(URI, 0, "// text\n")
        await asyncio.wait_for(session.do_ahead([lambda: done.append("before a key")]), PATIENCE)
        session.change(URI, 1, [Edit("// typed\n")])
        waiting = asyncio.create_task(ahead())
        await asyncio.wait([waiting], timeout=PATIENCE if is_done else 0.2)
        assert done == ["before a key", *(["a step", "a module"] if is_done else [])]
        waiting.cancel()
    finally:
        session.shutdown()
