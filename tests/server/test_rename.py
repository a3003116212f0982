"""Other names, through a real process."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.server.client import Buffer, Session, capabilities, started
from tests.server.fixture import unmark

pytestmark = pytest.mark.asyncio(loop_scope="module")

REQUEST_FAILED = types.LSPErrorCodes.RequestFailed.value


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started() as session:
        yield session


def placed(session: Session, marked: str) -> tuple[Buffer, types.Position]:
    """A new document, and where its mark stood."""
    text, (offset,) = unmark(marked)
    before = text[:offset]
    line = before.count("\n")
    return session.open(text), types.Position(line, len(before.rpartition("\n")[2].encode("utf-16-le")) // 2)


async def renamed(session: Session, marked: str, name: str) -> str:
    """The text after the name at a mark was changed."""
    buffer, place = placed(session, marked)
    params = types.RenameParams(types.TextDocumentIdentifier(buffer.uri), place, name)
    edit = await session.client.text_document_rename_async(params)
    assert edit is not None
    assert edit.document_changes is not None
    (change,) = edit.document_changes
    assert isinstance(change, types.TextDocumentEdit)
    assert (change.text_document.uri, change.text_document.version) == (buffer.uri, buffer.version)
    lines = buffer.text.split("\n")
    for text_edit in reversed(change.edits):
        assert isinstance(text_edit, types.TextEdit)
        assert text_edit.range.start.line == text_edit.range.end.line
        line = lines[text_edit.range.start.line].encode("utf-16-le")
        start, end = 2 * text_edit.range.start.character, 2 * text_edit.range.end.character
        lines[text_edit.range.start.line] = (line[:start] + text_edit.new_text.encode("utf-16-le") + line[end:]).decode(
            "utf-16-le"
        )
    buffer.close()
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("marked", "name", "expected"),
    [
        ("func.func @f(%<|>a: i32) -> i32 {\n  return %a : i32 // %a\n}\n", "b", "func.func @f(%b: i32) -> i32 {\n"),
        ('func.func @"🙂"() {\n  call @"🙂<|>"() : () -> ()\n  return\n}\n', "f", "func.func @f() {\n  call @f() : ("),
        (
            "func.func @<|>f() {\n  call @f() : () -> ()\n  return\n}\n",
            '@"a b"',
            'func.func @"a b"() {\n  call @"a b"() :',
        ),
        ("#<|>a = 1 : i32\n// -----\n#a = 2 : i32\n", "#b", "#b = 1 : i32\n// -----\n#a = 2 : i32\n"),
    ],
)
async def test_a_name_is_another_wherever_it_stands(session: Session, marked: str, name: str, expected: str) -> None:
    assert (await renamed(session, marked, name)).startswith(expected)


@pytest.mark.parametrize(
    ("marked", "name", "reason"),
    [
        ("func.func @f(%<|>a: i32, %b: i32) {\n  return\n}\n", "b", "'%b' is defined in line 1 already"),
        ("func.func @f(%<|>a: i32) {\n  return\n}\n", "0x", "'0x' is not the name of a value"),
        ("func.func @<|>f()\nfunc.func @g()\n", "g", "'@g' is defined in line 2 already"),
        ("func.func @<|>f()\n", '"x', '"x is not the name of a symbol'),
        ("func.<|>func @f()\n", "x", "there is no name here"),
    ],
)
async def test_what_is_refused_says_why(session: Session, marked: str, name: str, reason: str) -> None:
    with pytest.raises(JsonRpcException) as caught:
        await renamed(session, marked, name)
    assert caught.value.code == REQUEST_FAILED
    assert reason in caught.value.message


async def test_what_can_be_renamed_is_told_before(session: Session) -> None:
    for marked, expected in (
        ("func.func @f(%long<|>er: i32) {\n  return\n}\n", "%longer"),
        ("func.func @<|>f()\n", "f"),
        ("func.<|>func @f()\n", None),
        ("// func.func @<|>f()\n", None),
    ):
        buffer, place = placed(session, marked)
        params = types.PrepareRenameParams(types.TextDocumentIdentifier(buffer.uri), place)
        renamable = await session.client.text_document_prepare_rename_async(params)
        assert (getattr(renamable, "placeholder", None)) == expected, marked
        buffer.close()


async def test_a_client_without_versions_gets_plain_changes() -> None:
    async with started(capabilities(document_changes=False)) as session:
        buffer, place = placed(session, "func.func @<|>f()\n")
        params = types.RenameParams(types.TextDocumentIdentifier(buffer.uri), place, "g")
        edit = await session.client.text_document_rename_async(params)
        assert edit is not None
        assert edit.document_changes is None
        assert [change.new_text for change in (edit.changes or {})[buffer.uri]] == ["@g"]
