"""Progress that the server shows of its own accord: of the index of the workspace, and of commands that take long."""

from __future__ import annotations

import asyncio
import fcntl
import signal
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.patience import PATIENCE
from tests.server.client import Session, capabilities, started

pytestmark = pytest.mark.asyncio

FILES = 60
CALLER = "func.func @caller() {\n  call @f0() : () -> ()\n  return\n}\nfunc.func private @f0()\n"
ENDLESS = "func.func @endless() {\n  cf.br ^bb1\n^bb1:\n  cf.br ^bb1\n}\n"


def filled(folder: Path) -> Path:
    """A folder whose files take some seconds to be looked at."""
    folder.mkdir()
    for number in range(FILES):
        rest = "".join(f"func.func @g{number}_{index}() {{\n  return\n}}\n" for index in range(250))
        (folder / f"{number}.mlir").write_text(f"func.func @f{number}() {{\n  return\n}}\n{rest}")
    return folder


async def until_kind(session: Session, token: Any, kind: str) -> None:
    await session.until(lambda: any(at == token and report["kind"] == kind for at, report in session.progress) or None)


async def until_shown(session: Session, count: int) -> Any:
    """The token of what is shown as so many-th, not counting after that what was over before it began to be shown."""

    def begun() -> Any:
        tokens = {token for token, _ in session.progress}
        return next((token for token in session.shown[count - 1 :] if token in tokens), None)

    return await session.until(begun)


async def names(session: Session) -> set[str]:
    symbols = await session.client.workspace_symbol_async(types.WorkspaceSymbolParams("@f")) or []
    return {symbol.name for symbol in symbols if symbol.name.startswith("@f")}


def rename(session: Session, uri: str) -> Any:
    """The answer to a request that waits until all files are known."""
    params = types.RenameParams(types.TextDocumentIdentifier(uri), types.Position(1, 9), "h")
    return asyncio.ensure_future(session.client.text_document_rename_async(params))


async def test_the_index_says_how_far_it_is(tmp_path: Path) -> None:
    async with started(capabilities(shows_progress=True), folder=filled(tmp_path / "folder")) as session:
        token = await until_shown(session, 1)
        await until_kind(session, token, "end")
        values = [value for at, value in session.progress if at == token]
        assert [value["kind"] for value in values] == ["begin", *["report"] * (len(values) - 2), "end"]
        assert (values[0]["title"], values[0]["cancellable"]) == ("Indexing the workspace", True)
        assert len(values) > 3
        parts = [value["percentage"] for value in values[:-1]]
        assert parts == sorted(parts)
        assert 0 < parts[-1] < 100
        told = [value["message"].split(" of ") for value in values[:-1]]
        assert {files for _, files in told} == {f"{FILES} files"}
        assert [100 * int(done) // FILES for done, _ in told] == parts
        assert len(await names(session)) == FILES


@contextmanager
def withheld(files: Iterable[Path]) -> Iterator[None]:
    """Whoever opens one of the files waits until this is over: this process has a lease on them (fcntl(2)), which the
    kernel has it give back within 45 seconds."""
    with ExitStack() as held:
        for path in files:
            file = held.enter_context(path.open("r+"))
            try:
                # What says that somebody waits is a signal that does nothing.
                fcntl.fcntl(file, fcntl.F_SETSIG, signal.SIGURG)
                fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
            except (AttributeError, OSError):
                pytest.skip("there are no leases on files on this machine")
        yield


async def test_the_index_can_be_given_up(tmp_path: Path) -> None:
    folder = filled(tmp_path / "folder")
    async with started(capabilities(shows_progress=True), folder=folder) as session:
        with withheld(folder.iterdir()):
            buffer = session.open(CALLER)
            first = await until_shown(session, 1)
            waiting = rename(session, buffer.uri)
            await buffer.hover(buffer.at("@f0() :", 1))
            session.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(first))
            await until_kind(session, first, "end")
            with pytest.raises(JsonRpcException, match="given up"):
                await asyncio.wait_for(waiting, PATIENCE)
        await asyncio.sleep(0.5)
        # The file that was being read is still taken in; the buffer has a declaration of its own.
        assert len(await names(session) - {"@f0"}) <= 1
        # Whoever needs all files has them looked at after all.
        edit = await asyncio.wait_for(rename(session, buffer.uri), PATIENCE)
        changed = [Path(change.text_document.uri).name for change in edit.document_changes]
        assert sorted(changed) == ["0.mlir", "buffer1.mlir"]
        assert len(await names(session)) == FILES
        assert all(value["kind"] != "begin" or token in session.shown for token, value in session.progress)


async def test_a_client_that_shows_nothing_is_told_nothing(tmp_path: Path) -> None:
    async with started(folder=filled(tmp_path / "folder")) as session:
        buffer = session.open(CALLER)
        assert await asyncio.wait_for(rename(session, buffer.uri), PATIENCE) is not None
        assert (session.shown, session.progress) == ([], [])


async def test_a_run_without_a_token_is_shown_when_it_takes_a_while() -> None:
    async with started(capabilities(shows_progress=True)) as session:
        buffer = session.open("func.func @f() {\n  return\n}\n" + ENDLESS)
        # The first run starts the process that it is done in.
        assert (await buffer.run("f"))["status"] == "ok"
        assert (await buffer.run("f"))["status"] == "ok"
        former = len(session.shown)
        waiting = asyncio.ensure_future(buffer.run("endless"))
        token = await until_shown(session, former + 1)
        assert [value for at, value in session.progress if at == token] == [
            {"kind": "begin", "title": "Running @endless", "cancellable": True, "message": "compiling and running"}
        ]
        session.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        with pytest.raises(JsonRpcException):
            await asyncio.wait_for(waiting, PATIENCE)
        await until_kind(session, token, "end")
        assert (await buffer.run("f"))["status"] == "ok"
