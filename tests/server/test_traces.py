"""Traces over the wire: the answers of a file are those about the document that it was written of."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pygls.exceptions import JsonRpcException

from fathom.recording.trace_reading import MOST_BYTES
from tests.cli.running import fathom
from tests.recording.test_trace_reading import good
from tests.server.client import Session, started
from tests.server.test_timeline import TEXT, cut

pytestmark = pytest.mark.asyncio(loop_scope="module")

FLAGS = TEXT.partition("%s ")[2].partition("\n")[0].split()
F = TEXT.partition("func.func @other")[0]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started() as session:
        yield session


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("traces")
    source, file = folder / "a.mlir", folder / "a ü.json"
    source.write_text(F, encoding="utf-8")
    assert fathom("opt", *FLAGS, f"--record={file}", "--record-source-names", str(source))[0] == 0
    return file


async def ask(session: Session, file: Path, question: str = "", **more: Any) -> Any:
    words = {"question": question, **more} if question else more
    return await session.request("fathom/trace", {"uri": file.as_uri(), **words})


async def test_what_there_is(session: Session, trace: Path) -> None:
    answer = await ask(session, trace)
    (part,) = answer["parts"]
    assert part["stages"] == ["source", "1-canonicalize", "2-convert-scf-to-cf", "3-convert-to-llvm"]
    assert part["pipeline"].startswith("builtin.module(canonicalize")


async def test_the_timeline(session: Session, trace: Path) -> None:
    rows = (await ask(session, trace, "timeline"))["passes"]
    assert [(row["stage"], row["changed"], row["steps"]) for row in rows] == [
        ("1-canonicalize", True, 1),
        ("2-convert-scf-to-cf", True, 1),
        ("3-convert-to-llvm", True, 8),
        ("4-reconcile-unrealized-casts", False, 0),
    ]


async def test_the_answers_are_those_about_the_document(session: Session, trace: Path) -> None:
    buffer = session.open(F)
    stages = {"before": "source", "after": "canonicalize"}
    live = await buffer.ask("fathom/difference", **stages, function="f", sourceNames=True)
    told = await ask(session, trace, "difference", before="source", after="1-canonicalize")
    assert [(each["kind"], len(each["before"]), len(each["after"])) for each in told["changes"]] == [
        (each["kind"], len(each["before"]), len(each["after"])) for each in live["changes"]
    ]
    first = told["changes"][0]
    assert cut(told["before"]["text"], first["before"][0]) == "%twice = arith.divsi %same, %a : i32"
    live = await buffer.ask("fathom/blame", stage="llvm-dialect", function="f", sourceNames=True)
    told = await ask(session, trace, "blame", stage="3-convert-to-llvm")
    assert [who and (who["title"], who["source"]) for who in told["lines"] if who] == [
        who and (who["title"], who["source"]) for who in live["lines"] if who
    ]


def place(text: str, word: str) -> dict[str, int]:
    before = text[: text.index(word)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


async def test_lives_steps_and_why_not(session: Session, trace: Path) -> None:
    shown = await ask(session, trace, "blame", stage="2-convert-scf-to-cf")
    target = place(shown["text"], "arith.divsi")
    lived = await ask(session, trace, "life", stage="2-convert-scf-to-cf", target=target)
    assert [step["title"] for step in lived["steps"]] == [
        "canonicalize: a fold",
        "convert-to-llvm: VectorConvertToLLVMPattern",
    ]
    assert lived["steps"][1]["after"] == ["%twice = llvm.sdiv %a, %a : i32"]
    why = await ask(session, trace, "whyNot", stage="2-convert-scf-to-cf", target=target)
    assert why["operation"] == "arith.divsi"
    assert why["passes"][-1]["note"] == "it became 'llvm.sdiv' by VectorConvertToLLVMPattern"
    listed = (await ask(session, trace, "steps", stage="2-convert-scf-to-cf"))["steps"]
    assert [step["pattern"] for step in listed if step["number"]] == ["IfLowering"]
    step = await ask(session, trace, "step", run=listed[0]["run"], number=1)
    assert "rewritten" in [each["kind"] for each in step["changes"]]
    nothing = await ask(session, trace, "whyNot", stage="source", target={"line": 1 << 20, "character": 0})
    assert nothing["problem"] == "there is no operation here"


async def check_refused(session: Session, file: Path, said: str, **words: Any) -> None:
    with pytest.raises(JsonRpcException) as refused:
        await ask(session, file, **words)
    assert said in str(refused.value)


async def test_what_cannot_be_read_is_refused_with_the_reason(session: Session, trace: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    await check_refused(session, file, "No such file")
    await check_refused(session, tmp_path, "s a directory")
    for text, said in (
        ("", "it is no JSON"),
        ("[" * 200_000, "nested too deep"),
        ('{"format": "other"}', "it is no trace"),
        ('{"format": "fathom-trace", "version": 99}', "version 99"),
    ):
        file.write_text(text, encoding="utf-8")
        await check_refused(session, file, said)
    circular = deepcopy(good())
    circular["parts"][0]["operations"][3]["madeOf"] = [4]
    circular["parts"][0]["operations"][4]["madeOf"] = [3]
    file.write_text(json.dumps(circular), encoding="utf-8")
    await check_refused(session, file, "it is made of itself")
    with file.open("wb") as large:
        large.truncate(MOST_BYTES + 1)
    await check_refused(session, file, "MiB")
    for words, said in (
        ({"question": "timeline", "part": 7}, "there is no part 8; there are 1"),
        ({"question": "x"}, "there is no question 'x'"),
        ({"question": 5}, "`question` is a text"),
        ({"question": "step", "run": -1}, "`run` is a number"),
        ({"question": "life", "target": [1]}, "`target` is"),
    ):
        await check_refused(session, trace, said, **words)
    for words in ({"question": "blame", "stage": "x"}, {"question": "difference"}, {"question": "step", "run": 99}):
        assert (await ask(session, trace, **words))["problem"]
    assert (await ask(session, trace))["parts"]
