"""Logs with dumps of IR, in the editor: as a list, and one by one with the dump before."""

from __future__ import annotations

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
