"""An MLIR on disk as the edition of the documents of a workspace, in the real server."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from lsprotocol import types

from fathom_server.session.projects import ProjectFile
from tests.editions.mlir_folder import TINY, mlir_in
from tests.server.client import Session, capabilities, started
from tests.server.test_dialects import TELLS_ALL, changed, check_shown, check_wrong_in

TEXT = """\
func.func @f(%a: i32) -> i32 {
  %0 = tiny.add %a, %a by "carry"
  return %0 : i32
}
"""
BEFORE = ["2: operation 'tiny.add' is not known and is kept as it is written"]
MOST_ASKED = 600
NAMED = 'mlir = "../llvm-project"\n'


def workspace(folder: Path, named: str = NAMED) -> Path:
    """A folder of a workspace whose project names an MLIR beside it."""
    made = folder / "workspace"
    made.mkdir()
    (made / "fathom.toml").write_text(named)
    return made


def definitions(folder: Path) -> Path:
    return folder / "llvm-project/mlir/include/mlir/Dialect/Tiny/TinyOps.td"


async def check_hover(session: Session, text: str, at: str, expected: str) -> None:
    """What is said of a place of a document, once the server knows it."""
    buffer, told = session.open(text), ""
    for _ in range(MOST_ASKED):
        told = await buffer.hover(buffer.at(at, 2))
        if expected in told:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(told)


async def test_a_project_names_a_folder(tmp_path: Path) -> None:
    mlir_in(tmp_path / "llvm-project")
    async with started(capabilities(watches_files=True), folder=workspace(tmp_path), options=TELLS_ALL) as session:
        await check_hover(session, TEXT, "tiny.add", "two numbers together")


async def test_a_setting_names_a_folder(tmp_path: Path) -> None:
    folder = mlir_in(tmp_path / "llvm-project")
    async with started(folder=tmp_path, options={"mlir": str(folder)}) as session:
        await check_hover(session, TEXT, "tiny.add", "two numbers together")


async def test_an_operation_is_defined_in_its_file(tmp_path: Path) -> None:
    folder = mlir_in(tmp_path / "llvm-project")
    async with started(folder=tmp_path, options={"mlir": str(folder)}) as session:
        await check_hover(session, TEXT, "tiny.add", "two numbers together")
        buffer = session.open(TEXT)
        places = await session.client.text_document_definition_async(
            types.DefinitionParams(buffer.identifier, buffer.at("tiny.add", 2))
        )
        assert isinstance(places, list)
        (place,) = places
        assert isinstance(place, types.Location)
        assert (place.uri, place.range.start.line) == (definitions(tmp_path).as_uri(), 3)


async def test_a_file_of_it_changes(tmp_path: Path) -> None:
    mlir_in(tmp_path / "llvm-project")
    async with started(capabilities(watches_files=True), folder=workspace(tmp_path), options=TELLS_ALL) as session:
        buffer = session.open(TEXT)
        await check_shown(buffer)
        file = definitions(tmp_path)
        file.write_text(TINY.replace("$lhs `,` $rhs (`by` $how^)?", "$lhs `and` $rhs"))
        changed(session, file)
        await check_shown(buffer, "2: custom op 'tiny.add' expected 'and'")
        buffer.edit((', %a by "carry"', " and %a"))
        await check_shown(buffer)


async def test_what_cannot_be_read_is_told_in_its_file(tmp_path: Path) -> None:
    mlir_in(tmp_path / "llvm-project")
    file = definitions(tmp_path)
    file.write_text(f"{TINY}def Tiny_SubOp : Tiny_Op<\n")
    async with started(capabilities(watches_files=True), folder=workspace(tmp_path), options=TELLS_ALL) as session:
        buffer = session.open(TEXT)
        await check_wrong_in(session, file, "11:1: Unknown or reserved token when parsing a value")
        await check_shown(buffer)
        file.write_text(TINY)
        changed(session, file)
        await check_wrong_in(session, file)


async def test_the_folder_goes_and_comes(tmp_path: Path) -> None:
    folder = mlir_in(tmp_path / "llvm-project")
    place = workspace(tmp_path)
    async with started(capabilities(watches_files=True), folder=place, options=TELLS_ALL) as session:
        buffer = session.open(TEXT)
        await check_shown(buffer)
        shutil.rmtree(folder)
        changed(session, definitions(tmp_path), place / "fathom.toml")
        where = "'../llvm-project': there is no such folder: a checkout of LLVM has 'mlir/include/mlir/IR/OpBase.td'"
        await check_wrong_in(
            session, place / "fathom.toml", f"1:9: mlir: {where}, an installation 'include/mlir/IR/OpBase.td'"
        )
        await check_shown(buffer, *BEFORE)
        mlir_in(folder)
        changed(session, definitions(tmp_path), place / "fathom.toml")
        await check_wrong_in(session, place / "fathom.toml")
        await check_shown(buffer)


def test_a_folder_without_an_mlir_is_told_at_its_place(tmp_path: Path) -> None:
    file = ProjectFile(str(tmp_path / "fathom.toml"), 'includes = []\nmlir = "./"\n')
    assert file.read().mlir == ""
    assert [str(finding) for finding in file.findings] == [
        f"{tmp_path}/fathom.toml:2:9: mlir: './': no definitions of MLIR are in it: a checkout of LLVM has "
        "'mlir/include/mlir/IR/OpBase.td', an installation 'include/mlir/IR/OpBase.td'"
    ]
