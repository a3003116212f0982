"""`docs/dialects.md` is followed to the letter: from an empty folder to a dialect that is known, in each form."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest
from lsprotocol import types

from fathom.cli import main
from fathom.tablegen.folders import usual_folders
from tests.server.client import Buffer, Session, started

PAGE = (Path(__file__).parents[2] / "docs" / "dialects.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^### ([^\n]+)\n(.*?)(?=^##)", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^File `([^`]+)`[^\n]*\n\n```\w+\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
HOVER = re.compile(r"Point at `([^`]+)`: the hover has “([^”]+)”")
PLACE = re.compile(r"Go to its definition: the editor opens `([^`]+)` at `([^`]+)`")
EDIT = re.compile(r"Replace `([^`]+)` by `([^`]+)`: line (\d+) has the error “([^”]+)”")
COMPLETION = re.compile(r"Behind `([^`]+)`, completion offers `([^`]+)`")
FORMAT = re.compile(r"Format the document: line (\d+) becomes `([^`]+)`")
FMT = re.compile(r"`fathom (fmt [^`]+)` does so too")
COMMAND = re.compile(
    r"`fathom (opt [^`]+)` prints the program in good form:\n\n```mlir\n(.*?)^```\n", re.MULTILINE | re.DOTALL
)

SECTIONS = {name: text for name, text in SECTION.findall(PAGE) if FILE.search(text)}


def follow_files(section: str, folder: Path) -> None:
    """Writes the files of a section."""
    for name, text in FILE.findall(section):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def said(pattern: re.Pattern[str], section: str) -> list[str]:
    """What a section says once, wherever its lines end."""
    match = pattern.search(section.replace("\n", " "))
    assert match is not None, pattern.pattern
    return list(match.groups())


async def check_definition(session: Session, buffer: Buffer, position: types.Position, path: Path, text: str) -> None:
    places = await session.client.text_document_definition_async(types.DefinitionParams(buffer.identifier, position))
    assert isinstance(places, list)
    (place,) = places
    assert isinstance(place, types.Location)
    assert place.uri == path.as_uri()
    assert line_at(path, place.range.start).startswith(text)


async def check_completion(session: Session, buffer: Buffer, typed: str, offered: str) -> None:
    """What is offered on line 2 when so much of it is typed."""
    whole = buffer.text
    start = whole.index("\n") + 1
    end = whole.index("\n", start)
    buffer.replace(start, end, f"  {typed}")
    place = buffer.position(start + 2 + len(typed))
    completions = await session.client.text_document_completion_async(types.CompletionParams(buffer.identifier, place))
    assert isinstance(completions, types.CompletionList)
    assert offered in [item.label for item in completions.items]
    buffer.set(whole)


async def check_formatting(session: Session, buffer: Buffer, number: str, line: str) -> None:
    options = types.FormattingOptions(2, True)
    params = types.DocumentFormattingParams(buffer.identifier, options)
    for edit in reversed(await session.client.text_document_formatting_async(params) or ()):
        buffer.replace(buffer.offset(edit.range.start), buffer.offset(edit.range.end), edit.new_text)
    assert buffer.text.split("\n")[int(number) - 1] == line


def line_at(path: Path, position: types.Position) -> str:
    """What follows a place in its line."""
    return path.read_text().split("\n")[position.line][position.character :]


def test_the_page_has_three_ways() -> None:
    assert list(SECTIONS) == ["The short form", "TableGen", "IRDL"]


@pytest.mark.asyncio
@pytest.mark.parametrize("name", SECTIONS)
async def test_a_first_dialect(name: str, tmp_path: Path) -> None:
    section = SECTIONS[name]
    if name == "TableGen" and not list(usual_folders()):
        pytest.skip("MLIR's .td files are not installed")
    follow_files(section, tmp_path)
    async with started(folder=tmp_path) as session:
        buffer = session.open(dict(FILE.findall(section))["program.mlir"])
        before, after, line, message = said(EDIT, section)
        error = f"{line}: {message}"
        buffer.edit((before, after))
        await buffer.diagnostics(lambda messages: error in [text.partition("\n")[0] for text in messages])
        buffer.edit((after, before))
        await buffer.diagnostics(lambda messages: error not in [text.partition("\n")[0] for text in messages])
        needle, hover = said(HOVER, section)
        position = buffer.at(needle, 2)
        assert hover in await buffer.hover(position)
        file, at = said(PLACE, section)
        await check_definition(session, buffer, position, tmp_path / file, at)
        await check_completion(session, buffer, *said(COMPLETION, section))
        await check_formatting(session, buffer, *said(FORMAT, section))


@pytest.mark.parametrize("name", SECTIONS)
def test_what_the_command_prints(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = SECTIONS[name]
    if name == "TableGen" and not list(usual_folders()):
        pytest.skip("MLIR's .td files are not installed")
    follow_files(section, tmp_path)
    monkeypatch.chdir(tmp_path)
    (fmt,) = said(FMT, section)
    number, line = said(FORMAT, section)
    assert main(shlex.split(fmt), io.StringIO(), io.StringIO(), io.StringIO()) == 0
    program = tmp_path / "program.mlir"
    assert program.read_text().split("\n")[int(number) - 1] == line
    follow_files(section, tmp_path)
    match = COMMAND.search(section)
    assert match is not None
    output, errors = io.StringIO(), io.StringIO()
    assert main(shlex.split(match[1]), io.StringIO(), output, errors) == 0, errors.getvalue()
    assert output.getvalue() == match[2]
