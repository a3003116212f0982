"""What a client is told of requests that asks for it, through the real server."""

from __future__ import annotations

import re

from lsprotocol import types

from tests.server.client import started

TEXT = """\
func.func @f(%a: i32) -> i32 {
  %x = arith.addi %a, %a : i32
  return %x : i32
}
"""


async def test_requests_are_told_when_that_is_wanted() -> None:
    async with started() as session:
        buffer = session.open(TEXT)
        await buffer.hover(buffer.at("arith.addi"))
        assert session.traced == []
        session.client.set_trace(types.SetTraceParams(types.TraceValue.Messages))
        await buffer.hover(buffer.at("arith.addi"))
        (told,) = await session.until(lambda: session.traced or None)
        assert re.fullmatch(r"textDocument/hover \(\S+\) answered after \d+\.\d ms", told.message)
        assert told.verbose is None
        session.client.set_trace(types.SetTraceParams(types.TraceValue.Verbose))
        await buffer.symbols()
        told = await session.until(lambda: session.traced[1] if len(session.traced) > 1 else None)
        assert buffer.uri in (told.verbose or "")
        session.client.set_trace(types.SetTraceParams(types.TraceValue.Off))
        await buffer.symbols()
        await buffer.symbols()
        assert len(session.traced) == 2
