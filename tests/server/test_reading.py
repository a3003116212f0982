"""What an editor asks for while one reads, through the real server: semantic tokens."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.server.answers import decoded
from tests.server.client import Buffer, Session, capabilities, started

pytestmark = pytest.mark.asyncio(loop_scope="module")

FUNCTION = """\
func.func @"größe🌍"(%a: i32 {ab.c = "🌍"}) -> i32 {
  %x = arith.addi %a, %a : i32 // 🌍
  return %x : i32
}
"""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started() as session:
        yield session


def words(buffer: Buffer, numbers: list[int]) -> list[str]:
    """The tokens with their kinds."""
    able = buffer.session.result.capabilities.semantic_tokens_provider
    assert able is not None
    found: list[str] = []
    for line, start, length, kind, modifiers in decoded(",".join(map(str, numbers))):
        begin, end = types.Position(line, start), types.Position(line, start + length)
        said = [able.legend.token_types[kind]]
        said += [name for bit, name in enumerate(able.legend.token_modifiers) if modifiers >> bit & 1]
        found.append(f"{buffer.slice(types.Range(begin, end))} {'|'.join(said)}")
    return found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_semantic_tokens(encoding: str) -> None:
    async with started(capabilities([encoding])) as session:
        buffer = session.open(FUNCTION)
        whole = await session.client.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(buffer.identifier)
        )
        assert whole is not None
        numbers = list(whole.data)
        assert words(buffer, numbers)[1:3] == ['@"größe🌍" function|definition', "%a parameter|definition"]
        assert words(buffer, numbers)[-4:] == ["// 🌍 comment", "return macro", "%x variable", "i32 type"]
        buffer.edit(("return %x", "return %a"), ("%x =", "%unused ="))
        changed = await session.client.text_document_semantic_tokens_full_delta_async(
            types.SemanticTokensDeltaParams(buffer.identifier, whole.result_id or "")
        )
        assert isinstance(changed, types.SemanticTokensDelta)
        for each in changed.edits:
            numbers[each.start : each.start + each.delete_count] = each.data or []
        assert "%unused variable|definition|unused" in words(buffer, numbers)
        fresh = await session.client.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(buffer.identifier)
        )
        assert fresh is not None
        assert list(fresh.data) == numbers
        last = types.Range(types.Position(2, 0), types.Position(2, 5))
        part = await session.client.text_document_semantic_tokens_range_async(
            types.SemanticTokensRangeParams(buffer.identifier, last)
        )
        assert part is not None
        assert words(buffer, list(part.data)) == ["return macro", "%a parameter", "i32 type"]


async def test_tokens_of_documents_with_nothing_in_them(session: Session) -> None:
    for text in ("", "\n\n", "  "):
        buffer = session.open(text)
        params = types.SemanticTokensParams(buffer.identifier)
        whole = await session.client.text_document_semantic_tokens_full_async(params)
        assert whole is not None
        assert list(whole.data) == []
        buffer.replace(0, 0, "// x\n")
        changed = await session.client.text_document_semantic_tokens_full_delta_async(
            types.SemanticTokensDeltaParams(buffer.identifier, whole.result_id or "")
        )
        assert isinstance(changed, types.SemanticTokensDelta)
        assert [list(each.data or []) for each in changed.edits] == [[0, 0, 4, 13, 0]]
