"""Logs with dumps of IR, in the editor: as a list, and one by one with the dump before."""

from __future__ import annotations

import os
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pygls.exceptions import JsonRpcException

from tests.cli.test_timeline import LOG
from tests.server.client import Session, started

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started() as session:
        yield session


async def ask(session: Session, what: str, path: Path, **more: object) -> Any:
    return await session.client.protocol.send_request_async(what, {"uri": path.as_uri(), **more})


async def test_a_log_is_a_list_of_dumps(session: Session, tmp_path: Path) -> None:
    log = tmp_path / "a log.txt"
    log.write_text(LOG)
    answer = await ask(session, "fathom/dumps", log)
    listed = [(row["number"], row["pass"], row["changed"], row.get("outcome"), row["line"]) for row in answer["dumps"]]
    assert listed == [
        (1, "canonicalize", True, None, 1),
        (2, "cse", False, "unchanged", 6),
        (3, "inline", True, "failed", 11),
    ]
    assert (answer["leftOff"], answer["dumps"][0]["subject"]) == (0, "func.func @f")


async def test_a_dump_comes_with_the_one_before(session: Session, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text(LOG)
    text = "func.func @f() {\n  return\n}\n"
    assert await ask(session, "fathom/dump", log, number=1) == {"text": text, "languageId": "mlir"}
    assert await ask(session, "fathom/dump", log, number=3) == {
        "text": text.replace("return", "func.return"),
        "languageId": "mlir",
        "before": {"number": 2, "text": text},
    }


async def test_a_folder_is_a_list_too(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "builtin_module_no-symbol-name" / "func_func_f" / "0_0_canonicalize.mlir"
    file.parent.mkdir(parents=True)
    file.write_text("\n".join(LOG.splitlines()[1:5]))
    (row,) = (await ask(session, "fathom/dumps", tmp_path))["dumps"]
    assert (row["pass"], row["path"]) == ("canonicalize", str(file.relative_to(tmp_path)))
    assert (await ask(session, "fathom/dump", tmp_path, number=1))["text"] == "func.func @f() {\n  return\n}\n"


async def test_a_log_that_goes_on_is_read_again(session: Session, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text(LOG)
    assert [row.get("before") for row in (await ask(session, "fathom/dumps", log))["dumps"]] == [None, 1, 2]
    log.write_text(LOG + LOG)
    assert (await ask(session, "fathom/dump", log, number=6))["before"]["number"] == 5
    log.write_text("nothing")
    with pytest.raises(JsonRpcException, match="there is no dump 6; there are 0"):
        await ask(session, "fathom/dump", log, number=6)


async def test_mutated_logs_hurt_nobody(session: Session, tmp_path: Path) -> None:
    """Each dump that is listed of a log in which bytes are others, gone or twice can be asked for."""
    chance = random.Random(5)
    for number in range(30):
        data = bytearray((LOG * 3).encode())
        for _ in range(chance.randrange(1, 40)):
            at = chance.randrange(len(data))
            piece = bytes(chance.randrange(256) for _ in range(chance.randrange(6)))
            data[at : at + chance.randrange(30)] = piece
        log = tmp_path / f"{number}.log"
        log.write_bytes(data)
        for row in (await ask(session, "fathom/dumps", log))["dumps"]:
            assert isinstance((await ask(session, "fathom/dump", log, number=row["number"]))["text"], str)


async def test_what_is_no_file_is_refused_and_not_waited_for(session: Session, tmp_path: Path) -> None:
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    folder.mkdir()
    for each in (pipe, folder / "0_canonicalize.mlir"):
        os.mkfifo(each)
    for each in (pipe, Path("/dev/zero")):
        with pytest.raises(JsonRpcException, match="neither a file nor a folder"):
            await ask(session, "fathom/dumps", each)
    assert (await ask(session, "fathom/dumps", folder))["dumps"] == []


async def test_what_is_too_much_costs_a_message(session: Session, tmp_path: Path) -> None:
    """A file of 8 GB, which takes no room, and a dump without an end."""
    huge, long = tmp_path / "huge.log", tmp_path / "long.log"
    with huge.open("wb") as file:
        file.truncate(8 << 30)
    with pytest.raises(JsonRpcException, match=r"huge\.log"):
        await ask(session, "fathom/dumps", huge)
    long.write_text(LOG + LOG.splitlines()[1] + "\nfunc.func @f() {\n" + f"  a.b{' ' * 400}\n" * 90_000)
    assert len((await ask(session, "fathom/dumps", long))["dumps"]) == 4
    with pytest.raises(JsonRpcException, match="dump 4 is too long to be shown"):
        await ask(session, "fathom/dump", long, number=4)
    assert (await ask(session, "fathom/dump", long, number=1))["text"].startswith("func.func @f")


@pytest.mark.parametrize(
    ("what", "more", "reason"),
    [
        ("fathom/dumps", {}, "No such file"),
        ("fathom/dump", {"number": 1}, "No such file"),
        ("fathom/dump", {"number": "1"}, "`number` is that of a dump"),
        ("fathom/dumps", {"uri": "http://x/y"}, "`uri` is that of a file"),
        ("fathom/dumps", {"uri": 3}, "`uri` is that of a file"),
    ],
)
async def test_what_cannot_be_read_is_refused(
    session: Session, tmp_path: Path, what: str, more: dict[str, object], reason: str
) -> None:
    with pytest.raises(JsonRpcException, match=reason):
        await ask(session, what, tmp_path / "none", **more)
