"""Operations that are deprecated: told to clients that strike them through, and followed as they are typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.server.client import Buffer, capabilities, started
from tests.server.test_dialects import changed

pytestmark = pytest.mark.asyncio

TEXT = "// größe 😀\nfunc.func @f() {\n  rocdl.barrier\n  gpu.barrier\n  return\n}\n"
DIALECT = 'dialect = "toy"\n\n[op.buy]\ndeprecated = "use toy.sell"\n\n[op.sell]\n'
SHOPPING = 'func.func @f() {\n  "toy.sell"() : () -> ()\n  "toy.buy"() : () -> ()\n  return\n}\n'


def struck(buffer: Buffer) -> list[tuple[str, str]] | None:
    """What is struck through in the present version, each with why; None while nothing was told of the version."""
    diagnostics = buffer.session.published.get((buffer.uri, buffer.version))
    if diagnostics is None:
        return None
    tagged = [diagnostic for diagnostic in diagnostics if types.DiagnosticTag.Deprecated in (diagnostic.tags or ())]
    assert all(
        (diagnostic.code, diagnostic.severity) == ("deprecated", types.DiagnosticSeverity.Hint) for diagnostic in tagged
    )
    return [(buffer.slice(diagnostic.range), diagnostic.message) for diagnostic in tagged]


async def check_struck(buffer: Buffer, *expected: tuple[str, str]) -> None:
    await buffer.session.until(lambda: struck(buffer) == list(expected) or None, lambda: f"{struck(buffer)}")


async def test_it_follows_edits() -> None:
    barrier = "rocdl.barrier", "'rocdl.barrier' is deprecated: use gpu.barrier"
    async with started(capabilities(tags=True)) as session:
        buffer = session.open(TEXT)
        await check_struck(buffer, barrier)
        buffer.edit(("rocdl.barrier", "rocdl.barier"))
        await check_struck(buffer)
        buffer.edit(("rocdl.barier", "rocdl.barrier"), ("  gpu.", "  // gpu."))
        await check_struck(buffer, barrier)
        buffer.edit(("rocdl", "gpu"))
        await check_struck(buffer)


async def test_a_description_may_say_so(tmp_path: Path) -> None:
    (tmp_path / "fathom.toml").write_text('dialects = ["toy.toml"]\n')
    (tmp_path / "toy.toml").write_text(DIALECT)
    async with started(capabilities(tags=True, watches_files=True), folder=tmp_path) as session:
        buffer = session.open(SHOPPING)
        await check_struck(buffer, ('"toy.buy"', "'toy.buy' is deprecated: use toy.sell"))
        (tmp_path / "toy.toml").write_text(DIALECT.replace('deprecated = "use toy.sell"', ""))
        changed(session, tmp_path / "toy.toml")
        await check_struck(buffer)


async def offered(buffer: Buffer, typed: str) -> list[tuple[str, bool]]:
    """What is offered behind some text, and whether each is struck through."""
    params = types.CompletionParams(buffer.identifier, buffer.at(typed, len(typed)))
    completions = await buffer.session.client.text_document_completion_async(params)
    assert isinstance(completions, types.CompletionList)
    return [(item.label, types.CompletionItemTag.Deprecated in (item.tags or ())) for item in completions.items]


async def test_it_is_offered_last_and_struck_through() -> None:
    text = "func.func @f() {\n  rocdl.ba\n  return\n}\n"
    async with started(capabilities(tags=True)) as session:
        offered_names = await offered(session.open(text), "rocdl.ba")
        assert offered_names[-1] == ("rocdl.barrier", True)
        assert [name for name, is_struck in offered_names if is_struck] == ["rocdl.barrier"]
    async with started(capabilities()) as session:
        assert ("rocdl.barrier", False) in await offered(session.open(text), "rocdl.ba")


async def test_others_are_told_nothing() -> None:
    async with started(capabilities()) as session:
        buffer = session.open(TEXT)
        await buffer.diagnostics(lambda messages: any("does not reach LLVM IR" in message for message in messages))
        assert not any("deprecated" in message for message in await buffer.diagnostics())
