"""Symbols of the files of a workspace: found in the background, watched, and kept between sessions."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from fathom_server.features.index_entry import IndexedSymbol, IndexEntry
from fathom_server.features.symbol_search import Searched, search
from fathom_server.session.index import Folders, WorkspaceIndex
from fathom_server.session.index_lines import FileState, line_of, read_line
from tests.server.client import Session, capabilities, started

ONE = "func.func @alpha() {\n  return\n}\nmodule @inner {\n  func.func private @beta()\n}\n"
TWO = 'func.func @"größe 🙂"() {\n  return\n}\n// -----\nfunc.func @alphabet() {\n  return\n}\n'


async def symbols(session: Session, query: str) -> list[str]:
    """The symbols that a query finds, each with its file, its line and its column."""
    answer = await session.client.workspace_symbol_async(types.WorkspaceSymbolParams(query)) or []
    return [
        f"{symbol.name} {Path(symbol.location.uri).name}:{symbol.location.range.start.line}:"
        f"{symbol.location.range.start.character}-{symbol.location.range.end.character}"
        + (f" in {symbol.container_name}" if symbol.container_name else "")
        for symbol in answer
        if isinstance(symbol, types.SymbolInformation)
    ]


async def until_found(session: Session, query: str, expected: list[str]) -> None:
    """Waits until a query finds what is expected."""
    for _ in range(6000):
        if await symbols(session, query) == expected:
            return
        await asyncio.sleep(0.1)
    assert await symbols(session, query) == expected


LLVM_IR = """\
%alphabet = type { i32 }
@"größe alpha" = global i32 0

define %alphabet @alphabetic(ptr %p) {
  ret %alphabet zeroinitializer
}
"""


@pytest.mark.asyncio
async def test_symbols_of_llvm_ir_are_found(tmp_path: Path) -> None:
    (tmp_path / "one.mlir").write_text(ONE)
    (tmp_path / "two.ll").write_text(LLVM_IR)
    async with started(capabilities(watches_files=True), folder=tmp_path) as session:
        found = ["@alpha one.mlir:0:10-16", "@alphabetic two.ll:3:17-28"]
        await until_found(session, "@alpha", [*found, "@größe alpha two.ll:1:0-14"])
        # What is open is as it is in the editor, and nothing in MLIR takes a name of it for its own.
        uri = (tmp_path / "two.ll").as_uri()
        item = types.TextDocumentItem(uri, "llvm", 1, "declare void @alpha()\n")
        session.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await until_found(session, "@alpha", ["@alpha two.ll:0:13-19", "@alpha one.mlir:0:10-16"])
        changed = types.FileEvent((tmp_path / "two.ll").as_uri(), types.FileChangeType.Deleted)
        (tmp_path / "two.ll").unlink()
        session.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
        session.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
        await until_found(session, "@alpha", found[:1])


@pytest.mark.asyncio
async def test_symbols_of_all_files_are_found(tmp_path: Path) -> None:
    (tmp_path / "one.mlir").write_text(ONE)
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "two.mlir").write_text(TWO)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "three.mlir").write_text(ONE)
    (tmp_path / "text.txt").write_text(ONE)
    async with started(capabilities(watches_files=True), folder=tmp_path) as session:
        await until_found(session, "alpha", ["@alpha one.mlir:0:10-16", "@alphabet two.mlir:4:10-19"])
        assert await symbols(session, "@inner::b") == ["@beta one.mlir:4:20-25 in inner"]
        assert await symbols(session, "größe") == ["@größe 🙂 two.mlir:0:10-21"]
        assert await symbols(session, "abt") == ["@alphabet two.mlir:4:10-19"]
        assert await symbols(session, "nowhere") == []
        # What is open is as it is in the editor, and what is closed as it is on disk.
        uri = (tmp_path / "one.mlir").as_uri()
        item = types.TextDocumentItem(uri, "mlir", 1, "\nfunc.func private @gamma()\n")
        session.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        assert await symbols(session, "gamma") == ["@gamma one.mlir:1:18-24"]
        assert await symbols(session, "alpha") == ["@alphabet two.mlir:4:10-19"]
        identifier = types.TextDocumentIdentifier(uri)
        session.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))
        assert await symbols(session, "gamma") == []
        assert await symbols(session, "beta") == ["@beta one.mlir:4:20-25 in inner"]
        # What changes on disk is read again.
        (tmp_path / "one.mlir").unlink()
        (tmp_path / "four.mlir").write_text("func.func private @delta()\n")
        changes = [
            types.FileEvent(uri, types.FileChangeType.Deleted),
            types.FileEvent((tmp_path / "four.mlir").as_uri(), types.FileChangeType.Created),
        ]
        session.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))
        await until_found(session, "delta", ["@delta four.mlir:0:18-24"])
        assert await symbols(session, "beta") == []
        (tmp_path / "deep").rename(tmp_path / "deeper")
        files = [types.FileRename((tmp_path / "deep").as_uri(), (tmp_path / "deeper").as_uri())]
        session.client.workspace_did_rename_files(types.RenameFilesParams(files))
        await until_found(session, "alphabet", ["@alphabet two.mlir:4:10-19"])


@pytest.mark.asyncio
async def test_the_index_can_be_switched_off(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    inner = second / "inner"
    inner.mkdir(parents=True)
    first.mkdir()
    for number, folder in enumerate((first, second, inner)):
        (folder / "x.mlir").write_text(f"func.func private @x{number}()\n")
    off: dict[str, Any] = {"workspace": {"index": False}}
    scoped = {first: off, second: {}, inner: off}
    async with started(capabilities(configuration=True, watches_files=True), scoped=scoped) as session:
        await until_found(session, "x", ["@x1 x.mlir:0:18-21"])
        session.open("func.func private @x9()\n")
        assert await symbols(session, "x") == ["@x1 x.mlir:0:18-21", "@x9 buffer1.mlir:0:18-21"]
        session.scoped[inner.as_uri()] = {"workspace": {"index": True}}
        session.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
        await until_found(session, "x2", ["@x2 x.mlir:0:18-21"])
        (second / "fathom.toml").write_text("[workspace]\nindex = false\n")
        changes = [types.FileEvent((second / "fathom.toml").as_uri(), types.FileChangeType.Created)]
        session.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))
        await until_found(session, "x", ["@x2 x.mlir:0:18-21", "@x9 buffer1.mlir:0:18-21"])
        (second / "x.mlir").write_text("func.func private @x1_changed()\n")
        (inner / "x.mlir").write_text("func.func private @x2_changed()\n")
        changes = [
            types.FileEvent((folder / "x.mlir").as_uri(), types.FileChangeType.Changed) for folder in (second, inner)
        ]
        session.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))
        await until_found(session, "changed", ["@x2_changed x.mlir:0:18-29"])


# ---- those of one document


@pytest.mark.asyncio
@pytest.mark.parametrize("nested", [True, False])
async def test_symbols_of_a_document_are_a_list_where_the_client_nests_none(nested: bool) -> None:
    can = capabilities()
    assert can.text_document is not None
    can.text_document.document_symbol = types.DocumentSymbolClientCapabilities(
        hierarchical_document_symbol_support=nested
    )
    async with started(can) as session:
        buffer = session.open("module @m {\n  func.func @f() {\n    %x = arith.constant 1 : i32\n    return\n  }\n}\n")
        params = types.DocumentSymbolParams(buffer.identifier)
        answer = await session.client.text_document_document_symbol_async(params) or []
        names: list[tuple[str, str | None]] = []
        for symbol in answer:
            while isinstance(symbol, types.DocumentSymbol):
                names.append((symbol.name, None))
                symbol = next(iter(symbol.children or ()), None)
            if symbol is not None:
                names.append((symbol.name, symbol.container_name))
        assert [name for name, _ in names] == ["@m", "@f", "%x"]
        assert [container for _, container in names] == ([None] * 3 if nested else [None, "@m", "@f"])


# ---- the index alone


async def indexed(folder: Path, cache: Path) -> dict[str, list[str]]:
    """The symbols of the files of a folder, in a session of its own."""
    index = WorkspaceIndex(cache)
    index.use(Folders((folder,)))
    await index.until_complete()
    names_by_file = {Path(path).name: [symbol.name for symbol in entry.symbols] for path, entry in index.entries()}
    index.close()
    await asyncio.sleep(0.1)  # until the process is gone
    return dict(sorted(names_by_file.items()))


@pytest.mark.asyncio
async def test_the_index_survives_a_restart_and_whatever_becomes_of_it(tmp_path: Path) -> None:
    folder, cache = tmp_path / "folder", tmp_path / "cache"
    folder.mkdir()
    (folder / "one.mlir").write_text(ONE)
    (folder / "two.mlir").write_text(TWO)
    expected = {"one.mlir": ["alpha", "inner", "beta"], "two.mlir": ["größe 🙂", "alphabet"]}
    assert await indexed(folder, cache) == expected
    (kept,) = cache.iterdir()
    size = kept.stat().st_size
    assert await indexed(folder, cache) == expected
    assert kept.stat().st_size == size, "nothing was read again"
    whole = kept.read_bytes()
    for broken in (b"", whole[:-40], whole[40:], whole.replace(b"alpha", b"\xff"), b"[" * 10_000, whole + whole[:-7]):
        kept.write_bytes(broken)
        assert await indexed(folder, cache) == expected
    (folder / "two.mlir").unlink()
    (folder / "one.mlir").write_text("func.func private @other()\n")
    assert await indexed(folder, cache) == {"one.mlir": ["other"]}
    kept.unlink()
    kept.mkdir()
    assert await indexed(folder, cache) == {"one.mlir": ["other"]}


@pytest.mark.asyncio
async def test_what_is_too_much_or_no_text_is_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "large.mlir").write_text("func.func private @f()\n" * 200_000)
    (folder / "binary.mlir").write_bytes(b"ML\xefR\0\0")
    (folder / "deep.mlir").write_text("module {\n" * 5_000 + "func.func private @f()\n")
    (folder / "long.mlir").write_text(f'func.func private @"{"x" * 100_000}"()\nfunc.func private @short()\n')
    (folder / "nowhere.mlir").symlink_to(folder / "gone")
    (folder / "folder.mlir").mkdir()
    names_by_file = await indexed(folder, tmp_path / "cache")
    assert names_by_file == {
        "binary.mlir": [],
        "deep.mlir": names_by_file["deep.mlir"],
        "large.mlir": [],
        "long.mlir": ["short"],
    }


def test_a_line_of_the_index_is_read_as_it_was_written() -> None:
    symbol = IndexedSymbol("f", "a::b", "FUNCTION", "func.func", 3, 4, 6, "", True, False)
    line = line_of("/a.mlir", FileState(5, 6), IndexEntry((symbol,), frozenset({"f", "g"})))
    read = read_line(line)
    assert read is not None
    assert read.entry == IndexEntry((symbol,), frozenset({"f", "g"}))
    for wrong in ("", "[]", "{}", line[:-1], line.replace("true", "1"), line.replace("3, 4", "-3, 4"), "[" * 100_000):
        assert read_line(wrong) is None, wrong


def test_the_best_come_first() -> None:
    names = ["matmul_tiled", "tile", "x_tile", "tile_all", "t_i_l_e", "Tile", "other"]
    symbols = tuple(IndexedSymbol(name, "m", "FUNCTION", "func.func", 0, 0, 0, "", True, False) for name in names)
    file = Searched.of(IndexEntry(symbols, frozenset()))
    assert [symbol.name for _, symbol in search([(0, file)], "tile")] == [
        *("Tile", "tile", "tile_all", "x_tile", "matmul_tiled", "t_i_l_e")
    ]
    assert [symbol.name for _, symbol in search([(0, file)], "tile", 2)] == ["Tile", "tile"]
    assert search([(0, file)], "n::tile") == []
    assert len(search([(0, file)], "")) == len(names)
