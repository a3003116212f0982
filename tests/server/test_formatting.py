"""Formatting through the real server: what its edits make of a buffer, and what is done when something goes wrong."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator, Sequence

import pytest
import pytest_asyncio
from lsprotocol import types

from fathom.context import default_context
from fathom.formatting.texts import formatted
from fathom_server.features import formatting
from fathom_server.features.formatting import document_formatting, items_beside, range_formatting
from tests.server.client import Buffer, Session, started
from tests.server.fixture import snapshot_of

process = pytest.mark.asyncio(loop_scope="module")

OPTIONS = types.FormattingOptions(tab_size=8, insert_spaces=False)
FUNCTION = """\
 func.func @"größe {0}"( %a:i32 )->i32 {{   // “𝔸”
      %0 = "é.ü"( %a ):(i32)->i32 // 𝔸  é
  %x = arith.addi   %a,%0 : i32   return %x:i32 }}
"""
TWO = FUNCTION.format(0) + "\n\n\n// -----\n" + FUNCTION.format(1)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    # Findings of the text alone: those of lowering come later, at any time between two looks.
    async with started(options={"diagnostics": {"lowering": "never"}}) as session:
        yield session


async def check_formatted(buffer: Buffer) -> None:
    """The edits for a buffer make of it what `fathom fmt` does, and then there are none."""
    expected, messages = formatted(buffer.text, default_context()), await buffer.diagnostics()
    apply(buffer, await document_edits(buffer))
    assert buffer.text == expected
    assert [line.partition(": ")[2] for line in await buffer.diagnostics()] == [
        line.partition(": ")[2] for line in messages
    ]
    assert not await document_edits(buffer)


async def document_edits(buffer: Buffer) -> Sequence[types.TextEdit]:
    params = types.DocumentFormattingParams(buffer.identifier, OPTIONS)
    edits = await buffer.session.client.text_document_formatting_async(params)
    assert edits is not None, "the document is open"
    return edits


def apply(buffer: Buffer, edits: Sequence[types.TextEdit]) -> None:
    """Makes edits, all of which speak of the text before the first of them."""
    for start, end, text in _from_the_end(buffer, edits):
        buffer.replace(start, end, text)


def applied(buffer: Buffer, edits: Sequence[types.TextEdit]) -> str:
    """The text after edits, of which the server is told nothing: a thousand of them, one by one, take it long."""
    result = buffer.text
    for start, end, text in _from_the_end(buffer, edits):
        result = result[:start] + text + result[end:]
    return result


def _from_the_end(buffer: Buffer, edits: Sequence[types.TextEdit]) -> Iterator[tuple[int, int, str]]:
    places = [(buffer.offset(edit.range.start), buffer.offset(edit.range.end), edit.new_text) for edit in edits]
    for start, end, text in sorted(places, reverse=True):
        assert not (buffer.text[start:end] + text).strip(), "nothing but white space changes"
        yield start, end, text


@process
async def test_a_document(session: Session) -> None:
    await check_formatted(session.open(TWO))


@process
async def test_a_broken_document(session: Session) -> None:
    await check_formatted(session.open(TWO + "func.func @f( {\n    return\n"))


@process
async def test_a_long_document_in_the_process_beside_the_server(session: Session) -> None:
    text = "".join(FUNCTION.format(number) for number in range(150))
    assert items_beside(snapshot_of(text)) == ()
    assert items_beside(snapshot_of(TWO)) is None
    buffer = session.open(text)
    assert applied(buffer, await document_edits(buffer)) == formatted(text, default_context())


@process
async def test_some_lines(session: Session) -> None:
    buffer = session.open(TWO)
    start, end = buffer.position(TWO.index("%0")), buffer.position(TWO.index("%x"))
    params = types.DocumentRangeFormattingParams(buffer.identifier, types.Range(start, end), OPTIONS)
    edits = await session.client.text_document_range_formatting_async(params)
    apply(buffer, edits or ())
    lines = TWO.split("\n")
    lines[1:3] = ['  %0 = "é.ü"(%a) : (i32) -> i32 // 𝔸  é', "  %x = arith.addi %a, %0 : i32", "  return %x : i32", "}"]
    assert buffer.text == "\n".join(lines)


@process
async def test_a_new_line(session: Session) -> None:
    buffer = session.open("func.func @f(%c: i1) {\n  scf.if %c {\n\n")
    place = types.Position(2, 0)
    params = types.DocumentOnTypeFormattingParams(buffer.identifier, place, "\n", OPTIONS)
    edits = await session.client.text_document_on_type_formatting_async(params)
    assert list(edits or ()) == [types.TextEdit(types.Range(place, place), "    ")]


# ---- in this process


def test_a_fault_changes_nothing_and_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def differs(*_: object) -> bool:
        return False

    monkeypatch.setattr(formatting, "same_tokens", differs)
    snapshot = snapshot_of(TWO)
    with caplog.at_level(logging.ERROR):
        assert document_formatting(snapshot) == range_formatting(snapshot, 0, 100) == []
    assert "formatting would change the meaning of file:///test.mlir, version 1" in caplog.text


def test_what_means_something_else_in_the_generic_form_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    text = '"a.b"() {c = #d.e<  f>} : () -> ()\n'
    snapshot = snapshot_of(text)
    assert document_formatting(snapshot) == []
    start = text.index("  f")
    monkeypatch.setattr(formatting, "format_tree", lambda *_: [formatting.Change(start, start + 2, " ")])  # pyright: ignore
    assert document_formatting(snapshot) == range_formatting(snapshot, 0, 5) == []


def test_some_lines_of_a_very_long_function_are_compared_by_their_tokens() -> None:
    lines = "".join(f"  %{number} = arith.constant {number} : i32\n" for number in range(formatting.MOST_COMPARED))
    text = f"func.func @f() {{\n{lines}    return\n}}\n"
    (edit,) = range_formatting(snapshot_of(text), text.index("return"), text.index("return"))
    assert (text[edit.start : edit.end], edit.text) == ("    ", "  ")
