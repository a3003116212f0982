"""Functions of two hundred generated signatures give what Python says, whichever way they are called: on the command
line with typed arguments and with a file of JSON, from Python in a worker and in this process, and in an editor."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

import fathom
from fathom.cli import main
from tests.server.client import Session, started
from tests.ways.signature_table import COUNT, Called, table, without_numpy
from tests.ways.values import as_json, as_protocol, as_python, as_typed, numbers_in, numbers_of

TABLE = list(table())
WIDE = list(without_numpy(8))
SHARES = 8


def test_there_are_so_many() -> None:
    bodies = {called.text.partition("(")[2] for called in TABLE}
    assert (len(TABLE), len(bodies) >= COUNT * 0.8) == (COUNT, True)


# ---- on the command line


@pytest.mark.parametrize("share", range(SHARES))
def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: int) -> None:
    """The second call finds the code of the first, and reads its arguments anew."""
    monkeypatch.setenv("FATHOM_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for called in [*TABLE[share::SHARES], *WIDE[share::SHARES]]:
        check_json(called, tmp_path, level=share % 4)
        check_typed(called, level=share % 4)


def check_json(called: Called, folder: Path, level: int) -> None:
    (folder / "arguments.json").write_text(json.dumps(called.arguments), encoding="utf-8")
    answer = json.loads(printed(called, "--json", f"-O{level}", f"--args-file={folder / 'arguments.json'}"))
    assert answer["failure"] is None, called
    assert answer["results"] == called.results, called


def check_typed(called: Called, level: int) -> None:
    """The arguments as a person types them, and the results as one reads them."""
    words = ", ".join(map(as_typed, called.arguments))
    shown = printed(called, f"-O{level}", "--digits=all", f"--args={words}")
    assert numbers_in(shown) == numbers_of(called.results), (called, shown)


def printed(called: Called, *options: str) -> str:
    stdout, stderr = io.StringIO(), io.StringIO()
    status = main(["run", "-", "-e", called.name, "--timeout=300", *options], io.StringIO(called.text), stdout, stderr)
    assert (status, stderr.getvalue()) == (0, ""), called
    return stdout.getvalue()


# ---- from Python


@pytest.mark.parametrize("isolated", [True, False])
@pytest.mark.parametrize("share", range(SHARES))
def test_from_python(share: int, isolated: bool) -> None:
    rows = TABLE[share::SHARES]
    text = "".join(called.text for called in rows)
    with fathom.compile(text, isolated=isolated, optimize=share % 4, timeout=300.0) as module:
        for called in rows:
            check_python(module[called.name], called)


def check_python(function: fathom.Function, called: Called) -> None:
    signature = function.signature
    # What a function loads is what its pointer points to.
    pointed = signature.results[0] if signature.results else None
    given = [as_python(type, each, pointed) for type, each in zip(signature.inputs, called.arguments, strict=True)]
    own: Any = function(*given)
    results: tuple[Any, ...] = () if not signature.results else own if len(signature.results) > 1 else (own,)
    elements = [result["data"] if isinstance(result, dict) else result for result in called.results]
    assert [as_json(type, each) for type, each in zip(signature.results, results, strict=True)] == elements, called


def test_what_numpy_has_no_type_for_is_refused() -> None:
    with fathom.compile("".join(called.text for called in WIDE)) as module:
        for called in WIDE:
            with pytest.raises(fathom.RunError, match="NumPy has no type for elements of"):
                module[called.name](*called.arguments)


# ---- in an editor


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started(options={"run": {"timeoutSeconds": 300}}) as session:
        yield session


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("share", range(SHARES))
async def test_in_an_editor(session: Session, share: int) -> None:
    rows = [*TABLE[share::SHARES], *(WIDE if share == 0 else ())]
    buffer = session.open("// -----\n".join(called.text for called in rows))
    for called in rows:
        number = sum(other.name == called.name for other in rows[: rows.index(called)])
        answer = await buffer.run(called.name if not number else f"{called.name}#{number + 1}", *called.arguments)
        assert answer["status"] == "ok", (answer, called)
        told = [
            {"value": result["value"], "shape": result["shape"]} if "shape" in result else result["value"]
            for result in answer["results"]
        ]
        assert told == [as_protocol(result) for result in called.results], called
