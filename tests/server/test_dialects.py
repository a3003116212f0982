"""Dialects that files of the workspace describe: what is open knows them, and each change of a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types
from pygls.uris import to_fs_path

from fathom.descriptions.files import DialectFile, dialects_in
from fathom_server.model.own_code import mentions_code, standing_in
from fathom_server.session.opened import OpenDocument
from tests.hunts.fuzz.check import looked_at, new_document
from tests.server.client import Buffer, Session, capabilities, started
from tests.server.test_beside import STRAIGHT

SHOP = """\
dialect = "shop"

[type.basket]

[op.fill]
summary = "puts items into a basket"
operands = ["items: Variadic<AnyInteger>"]
results = ["out: basket"]
syntax = "$items `:` type($items) attr-dict `->` type($out)"
"""
TEXT = """\
func.func @f(%a: i32, %b: f32) {
  %0 = shop.fill %a : i32 -> !shop.basket
  %1 = shop.fill %b : f32 -> !shop.basket
  return
}
"""
TELLS_ALL = {"diagnostics": {"lowering": "always"}}
UNKNOWN = [f"{line}: operation 'shop.fill' is not known and is kept as it is written" for line in (2, 3)]
WRONG = ["3: 'shop.fill' op operand #0 must be variadic of integer, but got 'f32'"]


def changed(session: Session, *paths: Path) -> None:
    """Says that files of the workspace changed."""
    events = [types.FileEvent(path.as_uri(), types.FileChangeType.Changed) for path in paths]
    session.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))


async def check_shown(buffer: Buffer, *expected: str) -> None:
    """What is said of the text itself; that nothing lowers it is said besides."""

    def holds(messages: list[str]) -> bool:
        return [
            message.partition("\n")[0]
            for message in messages
            if "was left behind" not in message and "does not reach LLVM IR" not in message
        ] == list(expected)

    await buffer.diagnostics(holds)


async def check_wrong_in(session: Session, path: Path, *expected: str) -> None:
    """A file has these mistakes, each with the line and the column where it stands."""

    def shown() -> list[str] | None:
        diagnostics = session.published.get((path.as_uri(), None))
        told = [f"{d.range.start.line + 1}:{d.range.start.character + 1}: {d.message}" for d in diagnostics or ()]
        return told if diagnostics is not None and told == list(expected) else None

    await session.until(shown, lambda: f"{session.published}")


async def test_a_file_of_the_workspace_names_a_description(tmp_path: Path) -> None:
    shop = tmp_path / "dialects" / "shop.toml"
    shop.parent.mkdir()
    shop.write_text(SHOP)
    (tmp_path / "fathom.toml").write_text('dialects = ["dialects/*.toml"]\n')
    async with started(capabilities(watches_files=True), folder=tmp_path, options=TELLS_ALL) as session:
        buffer = session.open(TEXT)
        await check_shown(buffer, *WRONG)
        assert "puts items into a basket" in await buffer.hover(buffer.at("shop.fill %a", 2))
        (registration,) = await session.until(lambda: session.registered or None)
        assert registration.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES

        shop.write_text(SHOP.replace("AnyInteger", "AnyFloat"))
        changed(session, shop)
        await check_shown(
            buffer, WRONG[0].replace("3:", "2:").replace("of integer", "of floating-point").replace("f32", "i32")
        )

        shop.write_text(SHOP.replace("AnyInteger", "AnyInt"))
        changed(session, shop)
        await check_wrong_in(session, shop, "7:30: op.fill.operands[0]: unknown type constraint 'AnyInt'")
        await check_shown(buffer, *UNKNOWN)

        shop.write_text(SHOP)
        changed(session, shop)
        await check_wrong_in(session, shop)
        await check_shown(buffer, *WRONG)

        shop.unlink()
        changed(session, shop)
        await check_shown(buffer, *UNKNOWN)


async def test_the_setting_names_descriptions_by_their_paths(tmp_path: Path) -> None:
    (tmp_path / "shop.toml").write_text(SHOP)
    async with started(options={"dialects": [str(tmp_path / "shop.toml"), "none.toml"], **TELLS_ALL}) as session:
        buffer = session.open(TEXT)
        await check_shown(buffer, *WRONG)
        await session.until(lambda: "shown: fathom.dialects: there is no file 'none.toml'" in session.log or None)
        settings = types.DidChangeConfigurationParams({"fathom": {"dialects": []}})
        session.client.workspace_did_change_configuration(settings)
        await check_shown(buffer, *UNKNOWN)


async def test_mistakes_in_the_file_that_names_them(tmp_path: Path) -> None:
    names = tmp_path / "fathom.toml"
    names.write_text('dialect = "x"\ndialects = ["a.toml", 3, "shop.toml"]\n')
    (tmp_path / "shop.toml").write_text(SHOP)
    async with started(folder=tmp_path, options=TELLS_ALL) as session:
        buffer = session.open(TEXT)
        await check_shown(buffer, *WRONG)
        await check_wrong_in(
            session,
            names,
            "1:1: dialect: unknown key 'dialect'; did you mean 'dialects'?",
            "2:1: dialects: expected a path",
            "2:14: dialects: there is no file 'a.toml'",
        )
        # While it is no TOML, what it said before holds.
        names.write_text("dialects = [")
        changed(session, names)
        await check_wrong_in(session, names, "1:13: Invalid value")
        await check_shown(buffer, *WRONG)
        again = session.open(TEXT)
        await check_shown(again, *WRONG)
        names.write_text("dialects = []")
        changed(session, names)
        await check_shown(buffer, *UNKNOWN)
        await check_wrong_in(session, names)


async def test_what_is_done_beside_the_server_knows_them(tmp_path: Path) -> None:
    (tmp_path / "shop.toml").write_text(SHOP)
    (tmp_path / "fathom.toml").write_text('dialects = ["shop.toml"]\n')
    fill = "  %left = shop.fill %p : i32 -> !shop.basket\n"
    text = STRAIGHT.replace("  return", fill.replace("%p : i32", ": ") + "  return", 1)
    async with started(folder=tmp_path, options=TELLS_ALL) as session:
        buffer = session.open(text)
        line = text[: text.index("shop.fill")].count("\n") + 1
        await buffer.diagnostics(
            lambda messages: any(message.startswith(f"{line}: ") and "shop.fill" in message for message in messages)
        )


def test_a_mistake_in_the_use_of_a_described_operation_is_told_once() -> None:
    described = dialects_in((DialectFile("shop.toml", SHOP),))
    opened = looked_at(OpenDocument(new_document(TEXT, standing_in(described, {}))))
    messages = [
        diagnostic.message for _, of_item in opened.found() for diagnostic in of_item if diagnostic.severity == "error"
    ]
    assert messages == [message.partition(": ")[2] for message in WRONG]
    assert not mentions_code(opened.document.snapshot())


# ---- a description from uses


def applied(edit: types.WorkspaceEdit) -> None:
    """Does as a client does with an edit that creates files and inserts lines."""
    for change in edit.document_changes or ():
        if isinstance(change, types.CreateFile):
            path = Path(to_fs_path(change.uri) or "")
            path.parent.mkdir(exist_ok=True)
            path.touch(exist_ok=False)
        elif isinstance(change, types.TextDocumentEdit):
            path = Path(to_fs_path(change.text_document.uri) or "")
            lines = path.read_text().splitlines(keepends=True) or [""]
            (insertion,) = change.edits
            assert isinstance(insertion, types.TextEdit)
            at = insertion.range.start
            lines[at.line] = lines[at.line][: at.character] + insertion.new_text + lines[at.line][at.character :]
            path.write_text("".join(lines))


USES = """\
func.func @g(%a: i32, %s: f32) {
  %0 = shop.fill %a, %a sized 3 {open} : i32, i32 -> !shop.basket
  %1 = shop.fill %a, %a sized 4 : i32, i32 -> !shop.basket
  shop.pair %0, %1 : !shop.basket
  shop.each %0 : !shop.basket {
    shop.next
  }
  shop.odd [%a x %s]
  return
}
"""
DRAFT = """\
dialect = "shop"
checked = "declared"
allow_unknown_operations = true

[op.each]
operands = ["operand: AnyType"]
regions = ["region: AnyRegion"]
traits = ["NoTerminator"]
opaque = true

[op.fill]
operands = ["operand0: AnyType", "operand1: AnyType"]
results = ["result: AnyType"]
attributes = ["sized: I64Attr"]
syntax = "$operand0 `,` $operand1 `sized` $sized attr-dict `:` type($operand0) `,` type($operand1) `->` type($result)"

[op.next]
syntax = "attr-dict"

[op.odd]
operands = ["operand0: AnyType", "operand1: AnyType"]
opaque = true

[op.pair]
operands = ["operand0: AnyType", "operand1: AnyType"]
traits = ["SameTypeOperands"]
syntax = "$operand0 `,` $operand1 attr-dict `:` type($operand0)"
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, 'dialects = ["dialects/*.toml"]\n'),
        ("# Nothing.\n", 'dialects = ["dialects/shop.toml"]\n# Nothing.\n'),
        ('dialects = ["a.toml"]\n', 'dialects = ["dialects/shop.toml", "a.toml"]\n'),
        ('dialects = [\n  "dialects/*.toml",\n]\n', 'dialects = [\n  "dialects/*.toml",\n]\n'),
    ],
)
async def test_a_dialect_is_described_from_its_uses(tmp_path: Path, before: str | None, after: str) -> None:
    names, shop = tmp_path / "fathom.toml", tmp_path / "dialects" / "shop.toml"
    if before is not None:
        names.write_text(before)
    (tmp_path / "uses.mlir").write_text(USES)
    async with started(capabilities(creates_files=True), folder=tmp_path, options=TELLS_ALL) as session:
        buffer = session.open("func.func @f() {\n  shop.next\n  return\n}\n")
        await check_shown(buffer, UNKNOWN[0].replace("fill", "next"))
        (action,) = await buffer.fixes(buffer.at("shop.next", 2))
        assert action.title == "Describe dialect `shop`…"
        assert action.command is not None
        answer = await session.command(action.command.command, *(action.command.arguments or ()))
        assert answer["applied"], answer
        applied(session.edits[-1])
        assert names.read_text() == after
        assert shop.read_text() == DRAFT
        changed(session, shop, names)
        await check_shown(buffer)
        uses = session.open(USES)
        await check_shown(uses)


async def test_a_dialect_is_described_from_uses_in_generic_form(tmp_path: Path) -> None:
    text = """\
func.func @f(%a: i32) {
  "shop.fill"(%a) <{sized = 3 : i64}> ({}) {open} : (i32) -> ()
  "shop.goto"()[^bb1] : () -> ()
^bb1:
  return
}
"""
    async with started(capabilities(creates_files=True), folder=tmp_path, options=TELLS_ALL) as session:
        buffer = session.open(text)
        await check_shown(buffer, UNKNOWN[0], UNKNOWN[1].replace("fill", "goto"))
        (action,) = await buffer.fixes(buffer.at("shop.goto", 2))
        assert action.title == "Describe dialect `shop`…"
        assert action.command is not None
        answer = await session.command(action.command.command, *(action.command.arguments or ()))
        assert answer["applied"], answer
        applied(session.edits[-1])
        changed(session, tmp_path / "dialects" / "shop.toml", tmp_path / "fathom.toml")
        await check_shown(buffer)


async def test_a_client_that_creates_no_files_is_not_offered_one(tmp_path: Path) -> None:
    async with started(folder=tmp_path, options=TELLS_ALL) as session:
        buffer = session.open("func.func @f() {\n  shop.next\n  return\n}\n")
        assert await buffer.fixes(buffer.at("shop.next", 2)) == []
        refused = await session.command("fathom.describeDialect", buffer.uri, "shop")
        assert refused == {"applied": False, "failureReason": "the client creates no files"}


# ---- IRDL

IRDL = """\
irdl.dialect @bank {
  irdl.operation @pay {
    %0 = irdl.is i32
    irdl.operands(amount: %0)
  }
}
"""
PAYS = 'func.func @f(%a: i64) {\n  "bank.pay"(%a) : (i64) -> ()\n  return\n}\n'


async def test_a_file_of_irdl_is_known_as_it_is_typed(tmp_path: Path) -> None:
    bank = tmp_path / "bank.mlir"
    bank.write_text(IRDL)
    (tmp_path / "fathom.toml").write_text('dialects = ["bank.mlir"]\n')
    async with started(folder=tmp_path, options=TELLS_ALL) as session:
        buffer = session.open(PAYS)
        await check_shown(buffer, "2: expected 'i32' but got 'i64'")
        params = types.DefinitionParams(buffer.identifier, buffer.at("bank.pay", 2))
        places = await session.client.text_document_definition_async(params)
        assert isinstance(places, list)
        place = places[0]
        assert isinstance(place, types.Location)
        assert (place.uri, place.range.start.line) == (bank.as_uri(), 1)

        edited = session.open(IRDL, str(bank).lstrip("/"))
        assert edited.uri == bank.as_uri()
        edited.edit(("is i32", "is i64"))
        await check_shown(buffer)
        # What it said before is known while it is broken.
        edited.edit(("irdl.is i64", "irdl.is"))
        assert await edited.diagnostics(bool)
        edited.edit(("irdl.is", "irdl.is f32"))
        await check_shown(buffer, "2: expected 'f32' but got 'i64'")


def test_code_of_a_workspace_is_passed_over(tmp_path: Path) -> None:
    from fathom_server.session.sources import find_sources

    for name in ("shop.toml", "shop.py"):
        (tmp_path / name).write_text("1 / 0" if name.endswith(".py") else SHOP, encoding="utf-8")
    (tmp_path / "fathom.toml").write_text('dialects = ["shop.*"]\n', encoding="utf-8")
    sources = find_sources([tmp_path], {}, {})
    assert sources.paths == (str(tmp_path / "shop.toml"),)
    (note,) = sources.findings
    assert (note.severity, note.place.line) == ("note", 0)
    assert note.place.text[note.place.start : note.place.end] == 'shop.*"]'
    assert "'shop.py' is Python" in note.message
    assert "`fathom opt --dialect shop.py`" in note.message


def test_code_that_a_setting_names_is_said_to_be_passed_over(tmp_path: Path) -> None:
    from fathom_server.session.sources import find_sources

    (tmp_path / "shop.py").write_text("1 / 0", encoding="utf-8")
    sources = find_sources([tmp_path], {"shop.py": [tmp_path]}, {})
    assert sources.paths == ()
    (problem,) = sources.problems
    assert problem.startswith("fathom.dialects: 'shop.py' is Python")
