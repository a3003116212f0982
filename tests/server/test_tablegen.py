"""`.td` files in the editor: what is open knows the dialects that they define, and they have answers of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from fathom.tablegen.folders import usual_folders
from tests.server.client import Buffer, Session, started
from tests.server.test_dialects import changed, check_shown, check_wrong_in

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.skipif(not list(usual_folders()), reason="MLIR's .td files are not installed"),
]

BASE = """\
include "mlir/IR/OpBase.td"

def Shop_Dialect : Dialect {
  let name = "shop";
  let cppNamespace = "::shop";
}

// What all operations of the dialect are.
class Shop_Op<string mnemonic, list<Trait> traits = []> : Op<Shop_Dialect, mnemonic, traits>;
"""
OPS = """\
include "shop/Base.td"

def Shop_FillOp : Shop_Op<"fill"> {
  let summary = "puts items into a basket";
  let arguments = (ins Variadic<AnyInteger>:$items);
  let assemblyFormat = "$items `:` type($items) attr-dict";
}
"""
TEXT = """\
func.func @f(%a: i32, %b: f32) {
  shop.fill %a : i32
  shop.fill %b : f32
  return
}
"""
OF_INTEGERS = "3: 'shop.fill' op operand #0 must be variadic of integer, but got 'f32'"
OF_FLOATS = "2: 'shop.fill' op operand #0 must be variadic of floating-point, but got 'i32'"


def shop(folder: Path) -> Path:
    """A workspace with a dialect in two files; the path of that of the operations."""
    ops = folder / "include" / "shop" / "Ops.td"
    ops.parent.mkdir(parents=True)
    ops.write_text(OPS)
    (ops.parent / "Base.td").write_text(BASE)
    (folder / "fathom.toml").write_text('dialects = ["include/**/*Ops.td"]\nincludes = ["include"]\n')
    return ops


def lines_of(path: Path) -> list[str]:
    return path.read_text().split("\n")


def open_file(session: Session, path: Path) -> Buffer:
    """Opens a `.td` file as it is on disk."""
    buffer = Buffer(session, path.as_uri(), path.read_text())
    item = types.TextDocumentItem(buffer.uri, "tablegen", buffer.version, buffer.text)
    session.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return buffer


async def test_what_is_open_knows_what_is_edited_and_saved(tmp_path: Path) -> None:
    ops = shop(tmp_path)
    async with started(folder=tmp_path) as session:
        buffer = session.open(TEXT)
        await check_shown(buffer, OF_INTEGERS)
        assert "puts items into a basket" in await buffer.hover(buffer.at("shop.fill %a", 2))

        # What a file includes is saved.
        base = ops.parent / "Base.td"
        base.write_text(BASE.replace('"shop"', '"store"'))
        changed(session, base)
        await buffer.diagnostics(lambda shown: any("nobody has described 'shop'" in message for message in shown))
        base.write_text(BASE)
        changed(session, base)
        await check_shown(buffer, OF_INTEGERS)

        # What is edited need not be saved.
        edited = open_file(session, ops)
        assert await edited.diagnostics() == []
        edited.edit(("AnyInteger", "AnyFloat"))
        await check_shown(buffer, OF_FLOATS)

        # A file with a mistake shows it; what it said before is known on.
        edited.edit(("Shop_Op<", "Shop_Operation<"))
        assert await edited.diagnostics(bool) == ["3: Couldn't find class 'Shop_Operation'"]
        assert "floating-point" in str(await buffer.diagnostics())
        edited.edit(("Shop_Operation<", "Shop_Op<"), ("$items `:`", "$item `:`"))
        wrong = ["6: op.fill.syntax: "]
        messages = await edited.diagnostics(bool)
        assert [message[: len(wrong[0])] for message in messages] == wrong
        again = session.open(TEXT)
        await check_shown(again, OF_FLOATS)

        # When it is closed, what is on disk counts.
        session.client.text_document_did_close(types.DidCloseTextDocumentParams(edited.identifier))
        await check_shown(buffer, OF_INTEGERS)
        ops.write_text(OPS + "def Wrong : Nothing;\n")
        changed(session, ops)
        await check_wrong_in(session, ops, "8:13: Couldn't find class 'Nothing'")


async def test_answers_about_a_file(tmp_path: Path) -> None:
    ops = shop(tmp_path)
    base = ops.parent / "Base.td"
    async with started(options={"includes": [str(tmp_path / "include")]}) as session:
        buffer = open_file(session, ops)
        client, identifier = session.client, buffer.identifier

        assert await buffer.hover(buffer.at("Shop_FillOp", 2)) == (
            "**def** `Shop_FillOp`\n***\nputs items into a basket\n***"
        )
        assert await buffer.hover(buffer.at("Shop_Op<", 2)) == (
            "**class** `Shop_Op`\n***\n\n What all operations of the dialect are.\n"
        )
        assert "**field** `summary`\n***\nType: `string`" in await buffer.hover(buffer.at("let summary", 5))
        assert await buffer.hover(buffer.at("shop/Base.td", 2)) == f"`Base.td`\n***\n{base}"

        async def places(position: types.Position) -> list[str]:
            answer = await client.text_document_definition_async(types.DefinitionParams(identifier, position))
            assert isinstance(answer, list)
            return [
                f"{place.uri}:{place.range.start.line + 1}" for place in answer if isinstance(place, types.Location)
            ]

        assert await places(buffer.at("Shop_Op<", 2)) == [f"{base.as_uri()}:9"]
        assert await places(buffer.at("shop/Base.td", 2)) == [f"{base.as_uri()}:1"]
        assert "OpBase.td" in (await places(buffer.at("let summary", 5)))[0]

        opened = open_file(session, base)
        params = types.ReferenceParams(
            types.ReferenceContext(include_declaration=True), opened.identifier, opened.at("Shop_Op<", 2)
        )
        locations = await client.text_document_references_async(params) or []
        assert [(location.uri, location.range.start.line + 1) for location in locations] == [
            (base.as_uri(), 9),
            (ops.as_uri(), 3),
        ]

        assert [(entry.name, entry.detail) for entry in await opened.symbols()] == [
            ("Shop_Dialect", "def"),
            ("Shop_Op", "class"),
        ]
        (symbol,) = await buffer.symbols()
        assert buffer.slice(symbol.range) == OPS[OPS.index("Shop_FillOp") :].rstrip("\n")
        assert buffer.slice(symbol.selection_range) == "Shop_FillOp"
        links = await client.text_document_document_link_async(types.DocumentLinkParams(identifier)) or []
        assert [(buffer.slice(link.range), link.target) for link in links] == [('"shop/Base.td"', base.as_uri())]


async def test_a_build_says_where_includes_are(tmp_path: Path) -> None:
    ops = shop(tmp_path)
    (tmp_path / "fathom.toml").write_text('dialects = ["include/shop/Ops.td"]\n')
    build = tmp_path / "build"
    build.mkdir()
    (build / "tablegen_compile_commands.yml").write_text(
        f'--- !FileInfo:\n  filepath: "{ops}"\n  includes: "/nowhere;{tmp_path}/include"\n'
    )
    async with started(folder=tmp_path) as session:
        buffer = session.open(TEXT)
        await check_shown(buffer, OF_INTEGERS)


async def test_definition_of_names_of_a_dialect(tmp_path: Path) -> None:
    ops = shop(tmp_path)
    (ops.parent / "Base.td").write_text(
        BASE.replace('"mlir/IR/OpBase.td"', '"mlir/IR/AttrTypeBase.td"\ninclude "mlir/IR/OpBase.td"')
        + 'def Shop_Basket : TypeDef<Shop_Dialect, "Basket"> { let mnemonic = "basket"; }\n'
    )
    ops.write_text(OPS.replace("Variadic<AnyInteger>", "Variadic<AnyTypeOf<[AnyInteger, Shop_Basket]>>"))
    store = tmp_path / "store.toml"
    store.write_text('dialect = "store"\n\n[type.shelf]\n\n[op.put]\noperands = ["what: shelf"]\n')
    (tmp_path / "fathom.toml").write_text('dialects = ["include/shop/*.td", "store.toml"]\nincludes = ["include"]\n')
    text = """\
func.func @f(%a: !shop.basket, %s: !store.shelf) {
  shop.fill %a : !shop.basket
  "store.put"(%s) : (!store.shelf) -> ()
  return
}
"""
    async with started(folder=tmp_path) as session:
        buffer = session.open(text)
        await buffer.diagnostics(lambda messages: not any("nobody has described" in message for message in messages))

        async def check_place(needle: str, path: Path, expected: str) -> None:
            params = types.DefinitionParams(buffer.identifier, buffer.position(text.index(needle) + 2))
            places = await session.client.text_document_definition_async(params)
            assert isinstance(places, list)
            first = places[0]
            assert isinstance(first, types.Location)
            assert first.uri == path.as_uri()
            place = first.range
            line = lines_of(path)[place.start.line]
            assert line[place.start.character : place.end.character] == expected

        await check_place("shop.fill", ops, "Shop_FillOp")
        await check_place("!shop.basket", ops.parent / "Base.td", "Shop_Basket")
        await check_place("store.put", store, "[op.put]")
        await check_place("!store.shelf", store, "[type.shelf]")
