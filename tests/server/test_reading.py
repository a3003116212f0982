"""What an editor asks for while one reads, through the real server: semantic tokens, highlights, folds, selections,
linked names, links to files, and inlay hints."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

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
    texts: list[str] = []
    for line, start, length, kind, modifiers in decoded(",".join(map(str, numbers))):
        begin, end = types.Position(line, start), types.Position(line, start + length)
        said = [able.legend.token_types[kind]]
        said += [name for bit, name in enumerate(able.legend.token_modifiers) if modifiers >> bit & 1]
        texts.append(f"{buffer.slice(types.Range(begin, end))} {'|'.join(said)}")
    return texts


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
        for edit in changed.edits:
            numbers[edit.start : edit.start + edit.delete_count] = edit.data or []
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
        assert [list(edit.data or []) for edit in changed.edits] == [[0, 0, 4, 13, 0]]


# ---- names


async def test_highlights_and_linked_names(session: Session) -> None:
    buffer = session.open(FUNCTION)
    params = buffer.identifier, buffer.at("%a, %a")
    highlights = await session.client.text_document_document_highlight_async(types.DocumentHighlightParams(*params))
    kinds = [types.DocumentHighlightKind.Write, *[types.DocumentHighlightKind.Read] * 2]
    assert [(buffer.slice(highlight.range), highlight.kind) for highlight in highlights or ()] == [
        ("%a", kind) for kind in kinds
    ]
    linked = await session.client.text_document_linked_editing_range_async(types.LinkedEditingRangeParams(*params))
    assert linked is not None
    assert list(linked.ranges) == [highlight.range for highlight in highlights or ()]
    nowhere = types.DocumentHighlightParams(buffer.identifier, types.Position(3, 0))
    assert await session.client.text_document_document_highlight_async(nowhere) is None


# ---- folds and selections


async def test_folds() -> None:
    can = capabilities()
    assert can.text_document is not None
    can.text_document.folding_range = types.FoldingRangeClientCapabilities(range_limit=2, line_folding_only=True)
    text = "// one\n// two\nmodule {\n" + FUNCTION + "}\n"
    for limited, expected in (
        (can, [(0, 1, "comment"), (2, 6, None)]),
        (None, [(0, 1, "comment"), (2, 6, None), (3, 5, None)]),
    ):
        async with started(limited) as session:
            buffer = session.open(text)
            folded = await session.client.text_document_folding_range_async(types.FoldingRangeParams(buffer.identifier))
            assert [(fold.start_line, fold.end_line, fold.kind) for fold in folded or ()] == expected


async def test_selections(session: Session) -> None:
    buffer = session.open(FUNCTION)
    places = [buffer.at("arith"), buffer.at('🌍"}')]
    selections = await session.client.text_document_selection_range_async(
        types.SelectionRangeParams(buffer.identifier, places)
    )
    assert selections is not None
    for selection, expected in zip(selections, (["arith.addi"], ['"🌍"', 'ab.c = "🌍"']), strict=True):
        around: list[str] = []
        here: types.SelectionRange | None = selection
        while here is not None:
            around.append(buffer.slice(here.range))
            here = here.parent
        assert around[: len(expected)] == expected
        assert around[-2:] == [FUNCTION.strip(), FUNCTION]


# ---- links and hints


async def test_links_to_files(tmp_path: Path) -> None:
    (tmp_path / "größe.py").write_text("# 🌍\n", encoding="utf-8")
    text = 'func.func private @"🌍"() loc("größe.py":3:4)\nfunc.func private @g() loc("nowhere.py":3:4)\n'
    async with started(folder=tmp_path) as session:
        buffer = session.open(text, str(tmp_path / "a.mlir").lstrip("/"))
        links = await session.client.text_document_document_link_async(types.DocumentLinkParams(buffer.identifier))
        (link,) = list(links or ())
        assert buffer.slice(link.range) == "größe.py"
        assert link.target is not None
        assert link.target.endswith("/gr%C3%B6%C3%9Fe.py#L3,4")
        unsaved = session.open(text, "")
        assert not await session.client.text_document_document_link_async(types.DocumentLinkParams(unsaved.identifier))


HINTED = "func.func @f(%m: memref<4xf32>, %i: index) {\n  %x = memref.load %m[%i] : memref<4xf32> // 🌍\n  return\n}\n"


async def test_inlay_hints_follow_the_settings() -> None:
    can = capabilities()
    assert can.workspace is not None
    can.workspace.inlay_hint = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
    async with started(can, options={"inlayHints": {"llvmTypes": True}}) as session:
        buffer = session.open(HINTED)
        whole = types.Range(types.Position(1, 0), types.Position(2, 0))
        params = types.InlayHintParams(buffer.identifier, whole)
        (hint,) = list(await session.client.text_document_inlay_hint_async(params) or ())
        assert (hint.label, hint.position, hint.kind) == (": f32", types.Position(1, 4), types.InlayHintKind.Type)
        resolved = await session.client.inlay_hint_resolve_async(hint)
        assert isinstance(resolved.tooltip, types.MarkupContent)
        assert "result of `memref.load`" in resolved.tooltip.value
        session.client.workspace_did_change_configuration(
            types.DidChangeConfigurationParams({"fathom": {"inlayHints": {"types": False}}})
        )
        assert not await session.client.text_document_inlay_hint_async(params)
        assert session.asked_again == [types.WORKSPACE_INLAY_HINT_REFRESH]
        head = types.InlayHintParams(buffer.identifier, types.Range(types.Position(0, 0), types.Position(1, 0)))
        (hint,) = list(await session.client.text_document_inlay_hint_async(head) or ())
        assert str(hint.label).startswith("⇒ %m: !llvm.struct<(ptr, ptr, i64")
        buffer.replace(0, 0, "\n")
        stale = await session.client.inlay_hint_resolve_async(hint)
        assert stale.tooltip is None
