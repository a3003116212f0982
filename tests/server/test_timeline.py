"""What each pass did, over the wire: the answers as lines, with their places in the texts that they are about."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.server.client import Buffer, Session, started

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXT = """\
// é
// RUN: mlir-opt %s --canonicalize --convert-scf-to-cf --convert-to-llvm --reconcile-unrealized-casts
func.func @f(%a: i32, %c: i1) -> i32 {
  %zero = arith.constant 0 : i32
  %same = arith.addi %a, %zero : i32
  %r = scf.if %c -> i32 {
    %twice = arith.divsi %same, %a : i32
    scf.yield %twice : i32
  } else {
    scf.yield %zero : i32
  }
  return %r : i32
}
func.func @other(%t: tensor<4xf32>) -> tensor<4xf32> {
  %u = arith.addf %t, %t : tensor<4xf32>
  return %u : tensor<4xf32>
}
"""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started(options={"compile": {"target": "x86-64"}}) as session:
        yield session


def cut(text: str, where: dict[str, dict[str, int]]) -> str:
    """What stands at a range of one line."""
    start, end = where["start"], where["end"]
    assert start["line"] == end["line"], "heads are in one line"
    line = text.split("\n")[start["line"]]
    return line[start["character"] : end["character"]]


def lines_of(difference: Any) -> Iterator[str]:
    """Changes as lines."""
    for change in difference["changes"]:
        before = [cut(difference["before"]["text"], where) for where in change["before"]]
        after = [cut(difference["after"]["text"], where) for where in change["after"]]
        yield f"{change['kind']}: {' / '.join(before)} => {' / '.join(after)}"


def source_of(buffer: Buffer, step: Any) -> str:
    start, end = (types.Position(**step["source"][side]) for side in ("start", "end"))
    return buffer.slice(types.Range(start, end))


async def test_the_timeline_of_a_function(session: Session) -> None:
    answer = await session.open(TEXT).ask("fathom/timeline", function="f")
    rows = [(row["stage"], row["before"], row["after"], row["changed"], row["steps"]) for row in answer["passes"]]
    assert rows == [
        ("canonicalize", 9, 8, True, 1),
        ("convert-scf-to-cf", 8, 9, True, 1),
        ("convert-to-llvm", 9, 9, True, 8),
        ("llvm-dialect", 9, 9, False, 0),
    ]


async def test_the_difference_of_two_stages(session: Session) -> None:
    buffer = session.open(TEXT)
    question = {"before": "source", "after": "canonicalize", "function": "f", "sourceNames": True}
    assert list(lines_of(await buffer.ask("fathom/difference", **question))) == [
        "renamed: %twice = arith.divsi %same, %a : i32 => %twice = arith.divsi %a, %a : i32",
        "removed: %same = arith.addi %a, %zero : i32 => ",
    ]


async def test_blame_names_the_pattern_of_each_line(session: Session) -> None:
    buffer = session.open(TEXT)
    answer = await buffer.ask("fathom/blame", stage="llvm-dialect", function="f")
    whose = {
        line.strip(): who
        for line, who in zip(answer["text"].split("\n"), answer["lines"], strict=False)
        if who is not None
    }
    division = whose["%1 = llvm.sdiv %arg0, %arg0 : i32"]
    assert division["title"] == "convert-to-llvm: VectorConvertToLLVMPattern"
    assert source_of(buffer, division) == "arith.divsi %same, %a : i32"


async def test_the_life_of_an_operation_goes_on_to_the_object_file(session: Session) -> None:
    buffer = session.open(TEXT)
    answer = await buffer.ask("fathom/life", position=buffer.at("arith.divsi"))
    steps = [(step["title"], step["before"], step["after"]) for step in answer["steps"]]
    assert steps == [
        (
            "canonicalize: a fold",
            ["%twice = arith.divsi %same, %a : i32"],
            ["%twice = arith.divsi %a, %a : i32"],
        ),
        (
            "convert-to-llvm: VectorConvertToLLVMPattern",
            ["%twice = arith.divsi %a, %a : i32"],
            ["%twice = llvm.sdiv %a, %a : i32"],
        ),
        ("translation to LLVM IR", [], ["%4 = sdiv i32 %0, %0"]),
        ("LLVM's optimisation", ["%4 = sdiv i32 %0, %0"], []),
        ("LLVM's code", [], []),
        ("the object file", [], []),
    ]
    # A division of a value by itself is gone, and nothing says where it went.
    assert [step.get("note") for step in answer["steps"]] == [None, None, None, NOWHERE, NOWHERE, NOWHERE]
    blame = await buffer.ask("fathom/blame", stage="llvm-dialect", function="f")
    line = next(number for number, text in enumerate(blame["text"].split("\n")) if "sdiv" in text)
    target = {"line": line, "character": 9}
    assert (await buffer.ask("fathom/life", stage="llvm-dialect", target=target, function="f"))["steps"] == [
        *answer["steps"]
    ]


NOWHERE = "LLVM gives no line a location of it: it is gone, or part of what comes from elsewhere"


async def check_life(buffer: Buffer, question: dict[str, Any], expected: list[str]) -> None:
    """What an operation is at each stage below the LLVM dialect."""
    steps = (await buffer.ask("fathom/life", **question))["steps"]
    assert [" / ".join(step["after"]) for step in steps if step["kind"] in ("translation", "llvm")] == expected


MADE_OF_IF = [
    "br i1 %1, label %3, label %5 / br label %6 / br label %6 / br label %8",
    "%spec.select = zext i1 %1 to i32",
    "andl $1, %eax",
    "2: 83 e0 01 andl $1, %eax",
]


async def test_what_becomes_of_an_operation_below_the_llvm_dialect(session: Session) -> None:
    buffer = session.open(TEXT)
    await check_life(buffer, {"position": buffer.at("scf.if")}, MADE_OF_IF)
    await check_life(buffer, {"position": buffer.at("arith.addi")}, [])
    returned = ["ret i32 %7", "ret i32 %spec.select", "retq", "5: c3 retq"]
    await check_life(buffer, {"position": buffer.at("return %r")}, returned)


@pytest.mark.parametrize(
    ("stage", "line"),
    [("llvm-ir", "br i1 %1"), ("llvm-optimized", "zext i1"), ("assembly", "andl"), ("object", "andl")],
)
async def test_blame_and_life_from_a_stage_below(session: Session, stage: str, line: str) -> None:
    buffer = session.open(TEXT)
    blame = await buffer.ask("fathom/blame", stage=stage, function="f")
    number = next(number for number, text in enumerate(blame["text"].split("\n")) if line in text)
    who = blame["lines"][number]
    assert (who["title"], source_of(buffer, who)[:8]) == ("convert-to-llvm: CondBranchOpLowering", "scf.if %")
    # What stands there is the branch of what the `scf.if` became.
    below = [text.split(" / ")[0] for text in MADE_OF_IF]
    await check_life(buffer, {"stage": stage, "target": {"line": number, "character": 3}, "function": "f"}, below)
    nowhere = {"stage": stage, "target": {"line": 0, "character": 0}, "function": "f"}
    assert (await buffer.ask("fathom/life", **nowhere))["problem"] == "there is no operation here"


async def test_the_stages_below_the_llvm_dialect(session: Session) -> None:
    answer = await session.open(TEXT).ask("fathom/below", function="f")
    assert [(each["stage"], each["instructions"], each.get("bytes")) for each in answer["stages"]] == [
        ("llvm-ir", 7, None),
        ("llvm-optimized", 2, None),
        ("assembly", 3, None),
        ("object", 3, 6),
    ]
    left = await session.open(TEXT).ask("fathom/below", function="other")
    assert len(left["stages"]) == 4
    assert all("problem" in each for each in left["stages"])
    with pytest.raises(JsonRpcException, match="assembly"):
        await session.open(TEXT).ask("fathom/difference", before="source", after="assembly", function="f")


async def test_a_pass_step_by_step(session: Session) -> None:
    buffer = session.open(TEXT)
    listed = (await buffer.ask("fathom/steps", stage="convert-to-llvm", function="f"))["steps"]
    patterns = [(step["number"], step.get("pattern", step["kind"])) for step in listed]
    assert patterns[:3] == [(1, "FuncOpConversion"), (2, "ConstantOpLowering"), (3, "CondBranchOpLowering")]
    words = {"stage": "convert-to-llvm", "run": listed[0]["run"], "function": "f"}
    third = await buffer.ask("fathom/step", number=3, **words)
    assert "cf.cond_br" in third["before"]["text"]
    assert list(lines_of(third)) == ["rewritten: cf.cond_br %arg1, ^bb1, ^bb2 => llvm.cond_br %arg1, ^bb1, ^bb2"]
    fourth = await buffer.ask("fathom/step", number=4, **words)
    assert fourth["before"]["text"] == third["after"]["text"]


async def test_why_an_operation_is_left(session: Session) -> None:
    buffer = session.open(TEXT)
    answer = await buffer.ask("fathom/whyNot", position=buffer.at("arith.addf"), stage="convert-to-llvm")
    reasons = {each["pattern"]: each["reason"] for each in answer["passes"][0]["reasons"]}
    assert answer["operation"] == "arith.addf"
    assert reasons["VectorConvertToLLVMPattern"] == "unable to convert type for operand #0, type was 'tensor<4xf32>'"


async def test_what_makes_no_sense_is_refused_and_what_is_broken_is_said(session: Session) -> None:
    buffer = session.open(TEXT)
    for method, words in (
        ("fathom/blame", {"stage": "none"}),
        ("fathom/steps", {"stage": "llvm-ir"}),
        ("fathom/steps", {"stage": "none"}),
        ("fathom/step", {"stage": "canonicalize", "number": -1}),
        ("fathom/life", {}),
        ("fathom/difference", {"before": "source"}),
    ):
        with pytest.raises(JsonRpcException):
            await buffer.ask(method, **words)
    assert (await buffer.ask("fathom/timeline", function="none"))["problem"] == "there is no function @none"
    buffer.edit(("arith.divsi", "arith.divs"))
    assert (await buffer.ask("fathom/timeline", function="f"))["problem"]
    assert (await buffer.ask("fathom/timeline", function="other"))["passes"]


async def test_a_big_function_is_looked_at_beside(session: Session) -> None:
    body = "".join(f"  %{n} = arith.addi %a, %c{n} : i32\n  %c{n} = arith.constant {n} : i32\n" for n in range(300))
    lines = [line for pair in zip(*[iter(body.splitlines())] * 2, strict=True) for line in reversed(pair)]
    text = "func.func @f(%a: i32) -> i32 {\n" + "\n".join(lines) + "\n  return %299 : i32\n}\n"
    answer = await session.open(text).ask("fathom/timeline", function="f")
    assert [row["pass"] for row in answer["passes"] if row["changed"]]
