"""Each row of mistakes has a file in `examples/errors`: what the tools and Fathom say of it is kept beside it, the real
server shows it, and what a fix makes of it is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.examples.errors import (
    EXAMPLES,
    FOLDER,
    TOOLS,
    TRANSLATED,
    code_of,
    command_of,
    fixes_of,
    found_in,
    run,
    said_by_fathom,
    said_by_mlir,
)
from tests.oracles import require_tool
from tests.server.answers import edited
from tests.server.client import capabilities, started
from tests.server.test_dialects import applied, changed
from tests.server.test_end_to_end import edits_of

UNDESCRIBED = FOLDER / "unknown-op.mlir"
"""Its fix makes files beside the text."""

examples = pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])


@examples
def test_the_tools_still_say_so(path: Path) -> None:
    for tool in TOOLS:
        require_tool(tool)
    assert said_by_mlir(path) == path.with_suffix(".mlir-opt.txt").read_text(encoding="utf-8")


@examples
def test_fathom_still_says_so(path: Path) -> None:
    assert said_by_fathom(path) == path.with_suffix(".fathom.txt").read_text(encoding="utf-8")


async def test_the_server_shows_it() -> None:
    """At the same places, with the same codes; what its fixes make of the text is what is expected, and has none of
    these mistakes left."""
    async with started() as session:
        for path in EXAMPLES:
            code = code_of(path)
            text = path.read_text(encoding="utf-8")
            buffer = session.open(text, path.name)
            expected = [text.count("\n", 0, place) for place, diagnostic in found_in(text) if diagnostic.code == code]

            def lines(code: str = code, uri: str = buffer.uri) -> list[int]:
                diagnostics = session.published.get((uri, 1), [])
                return [diagnostic.range.start.line for diagnostic in diagnostics if diagnostic.code == code]

            await session.until(
                lambda lines=lines, expected=expected: lines() == expected or None, lambda: f"{session.published}"
            )
            place = buffer.position(next(place for place, diagnostic in found_in(text) if diagnostic.code == code))
            offered = {action.title: action.edit for action in await buffer.actions(place, ["quickfix"])}
            for fix in fixes_of(text, code)[:1]:
                edit = offered[fix.title]
                assert edit is not None
                for change in reversed(edits_of(edit)):
                    buffer.replace(buffer.offset(change.range.start), buffer.offset(change.range.end), change.new_text)
                assert buffer.text == edited(text, list(fix.edit))
                await buffer.diagnostics()
                await session.until(
                    lambda uri=buffer.uri, code=code, version=buffer.version: (
                        all(diagnostic.code != code for diagnostic in session.published[uri, version]) or None
                    )
                )


async def test_what_nobody_has_described_is_described(tmp_path: Path) -> None:
    """The fix of the example whose operation is not known drafts a description, with which it is."""
    async with started(capabilities(creates_files=True), folder=tmp_path) as session:
        buffer = session.open(UNDESCRIBED.read_text(encoding="utf-8"))
        assert any("nobody has described the dialect 'shop'" in message for message in await buffer.diagnostics())
        actions = await buffer.actions(buffer.at("shop.market @north"), ["quickfix"])
        command = next(action.command for action in actions if action.title == "Describe dialect `shop`…")
        assert command is not None
        assert (await session.command(command.command, *(command.arguments or ())))["applied"]
        applied(session.edits[-1])
        changed(session, tmp_path / "dialects" / "shop.toml", tmp_path / "fathom.toml")
        await buffer.diagnostics(lambda messages: not any("nobody has described" in message for message in messages))


@examples
def test_a_fix_mends_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    fixes = fixes_of(text, code_of(path))
    assert bool(fixes) == (path != UNDESCRIBED)
    for fix in fixes:
        after = edited(text, list(fix.edit))
        assert [diagnostic.message for _, diagnostic in found_in(after) if diagnostic.code == code_of(path)] == []
        for tool in TOOLS:
            require_tool(tool)
        command = command_of(after)
        is_lowered = "reconcile" in command and "mlir-to-llvmir" not in command and "mlir-runner" not in command
        done = run(f"{command} | {TRANSLATED}" if is_lowered else command, after, path.name)
        assert done.returncode == 0, f"{fix.title}: {command}\n{done.stdout}"
