"""Each row of mistakes has a file in `examples/errors`: what the tools and Fathom say of it is kept beside it, the real
server shows it, and what a fix makes of it is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.examples.errors import (
    EXAMPLES,
    TOOLS,
    TRANSLATED,
    command_of,
    fixes_of,
    found_in,
    run,
    said_by_fathom,
    said_by_mlir,
)
from tests.oracles import require_tool
from tests.server.answers import edited
from tests.server.client import started

FIXED = [path for path in EXAMPLES if fixes_of(path.read_text(encoding="utf-8"), path.stem)]
"""The examples that have a fix."""
UNFIXED = {"failed-to-legalize", "unconverted-signature", "no-translation", "unknown-op", "main-arguments"}
"""Those in which no pipeline and no single edit is at fault."""

examples = pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])


def test_all_others_have_a_fix() -> None:
    assert {path.stem for path in EXAMPLES} - {path.stem for path in FIXED} <= UNFIXED


@examples
def test_the_tools_still_say_so(path: Path) -> None:
    for tool in TOOLS:
        require_tool(tool)
    assert said_by_mlir(path) == path.with_suffix(".mlir-opt.txt").read_text(encoding="utf-8")


@examples
def test_fathom_still_says_so(path: Path) -> None:
    assert said_by_fathom(path) == path.with_suffix(".fathom.txt").read_text(encoding="utf-8")


async def test_the_server_shows_it() -> None:
    """At the same places, with the same codes; and offers the same fixes."""
    async with started() as session:
        for path in EXAMPLES:
            text = path.read_text(encoding="utf-8")
            buffer = session.open(text, path.name)
            expected = [text.count("\n", 0, place) for place, each in found_in(text) if each.code == path.stem]

            def lines(path: Path = path, uri: str = buffer.uri) -> list[int]:
                found = session.published.get((uri, 1), [])
                return [each.range.start.line for each in found if each.code == path.stem]

            await session.until(
                lambda lines=lines, expected=expected: lines() == expected or None, lambda: f"{session.published}"
            )
            place = buffer.position(next(place for place, each in found_in(text) if each.code == path.stem))
            offered = [each.title for each in await buffer.actions(place, ["quickfix"])]
            assert {fix.title for fix in fixes_of(text, path.stem)[:1]} <= set(offered)


@pytest.mark.parametrize("path", FIXED, ids=[path.stem for path in FIXED])
def test_a_fix_mends_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for fix in fixes_of(text, path.stem):
        after = edited(text, list(fix.edit))
        assert [each.message for _, each in found_in(after) if each.code == path.stem] == []
        for tool in TOOLS:
            require_tool(tool)
        command = command_of(after)
        is_lowered = "reconcile" in command and "mlir-to-llvmir" not in command and "mlir-runner" not in command
        done = run(f"{command} | {TRANSLATED}" if is_lowered else command, after, path.name)
        assert done.returncode == 0, f"{fix.title}: {command}\n{done.stdout}"
