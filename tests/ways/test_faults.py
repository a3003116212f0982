"""Whatever a program does, and whichever way it is called, who called it goes on, and is told the same."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio

import fathom
from fathom.cli import main
from tests.server.client import Session, started
from tests.ways.fault_table import HOSTILE, TEXT, Hostile
from tests.ways.values import as_python, as_typed

LATE: Final = 2.0
PATIENT: Final = 20.0
"""Seconds."""
OF_PROTOCOL: Final = {
    "bad-argument": "arguments",
    "exit": "crash",
    "memory-limit": "memory",
    "output-limit": "output",
    "thread-limit": "crash",
}
"""What the protocol calls a kind, where that is something else."""
each = pytest.mark.parametrize("hostile", HOSTILE, ids=str)


def seconds_of(hostile: Hostile) -> float:
    return LATE if hostile.is_quick else PATIENT


def test_there_are_so_many() -> None:
    assert len(HOSTILE) >= 42


# ---- on the command line


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The programs in a file, and code of them that is kept for the time of these tests."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "programs.mlir").write_text(TEXT, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FATHOM_CACHE", "on")
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        yield folder / "programs.mlir"


def run(file: Path, function: str, seconds: float, *options: str) -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    words = ["run", str(file), "-e", function, f"--timeout={seconds}", *options]
    return main(words, io.StringIO(), stdout, stderr), stdout.getvalue(), stderr.getvalue()


@each
def test_on_the_command_line(file: Path, hostile: Hostile) -> None:
    words = ", ".join(map(as_typed, hostile.arguments))
    status, _, stderr = run(file, hostile.function, seconds_of(hostile), f"--args={words}")
    assert (status, ": error: " in stderr, hostile.says in stderr) == (1, True, True), stderr


@each
def test_with_json(file: Path, tmp_path: Path, hostile: Hostile) -> None:
    given = tmp_path / "arguments.json"
    given.write_text(json.dumps(hostile.arguments), encoding="utf-8")
    status, stdout, _ = run(file, hostile.function, seconds_of(hostile), "--json", f"--args-file={given}")
    failure = json.loads(stdout)["failure"]
    assert (status, failure["kind"], hostile.says in failure["message"]) == (1, hostile.kind, True), failure


# ---- from Python


@pytest.fixture(scope="module")
def module() -> Iterator[fathom.Module]:
    with fathom.compile(TEXT, timeout=PATIENT) as module:
        yield module


@pytest.fixture(scope="module")
def hurried() -> Iterator[fathom.Module]:
    with fathom.compile(TEXT, timeout=LATE) as module:
        yield module


@each
def test_from_python(module: fathom.Module, hurried: fathom.Module, hostile: Hostile) -> None:
    used = hurried if hostile.is_quick else module
    function = used[hostile.function]
    given: list[Any] = list(hostile.arguments)
    if hostile.kind != "bad-argument":
        given = [as_python(type, value, None) for type, value in zip(function.signature.inputs, given, strict=True)]
    with pytest.raises(fathom.RunError) as raised:
        function(*given)
    assert (raised.value.failure.kind, hostile.says in str(raised.value)) == (hostile.kind, True), raised.value
    assert used.fine(5) == 5


# ---- in an editor


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started() as session:
        session.open(TEXT, "hostile.mlir")
        yield session


@pytest.mark.asyncio(loop_scope="module")
@each
async def test_in_an_editor(session: Session, hostile: Hostile) -> None:
    async def ask(function: str, *arguments: Any, seconds: float = PATIENT) -> Any:
        about = {"uri": "file:///hostile.mlir", "function": function, "arguments": list(arguments)}
        given = {**about, "checked": False, "limits": {"timeoutSeconds": seconds}}
        return await session.command("fathom.runFunction", given)

    answer = await ask(hostile.function, *hostile.arguments, seconds=seconds_of(hostile))
    kind = OF_PROTOCOL.get(hostile.kind, hostile.kind)
    assert (answer["status"], answer["kind"], hostile.says in answer["message"]) == ("error", kind, True), answer
    assert (await ask("fine", 5))["results"] == [{"type": "i32", "value": 5}]
