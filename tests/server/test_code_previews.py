"""Previews of what LLVM makes below LLVM IR: their texts, their maps, and what keeps them from being there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

from fathom_server.model import code
from fathom_server.model.settings import Problem, Settings, updated
from tests.server.client import Buffer, Session, started

pytestmark = pytest.mark.asyncio(loop_scope="module")

SOURCE = """\
func.func @f(%x: i32, %y: i32) -> i32 {
  %a = arith.muli %x, %x : i32
  %b = arith.addi %a, %y : i32
  return %b : i32
}
func.func @g(%x: i32) -> i32 {
  %a = call @f(%x, %x) : (i32, i32) -> i32
  return %a : i32
}
llvm.func internal @hidden(%x: i32) -> i32 {
  %a = llvm.add %x, %x : i32
  llvm.return %a : i32
}
"""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started(options={"compile": {"target": "aarch64"}}) as session:
        yield session


async def check_links(buffer: Buffer, stage: str, function: str | None, expected: list[str]) -> None:
    """The lines of a preview that come from somewhere, behind what they come from."""
    shown = await buffer.ask("fathom/preview", stage=stage, **({"function": function} if function else {}))
    assert not shown["stale"], shown
    assert links(buffer, shown) == expected


def links(buffer: Buffer, shown: Any) -> list[str]:
    found: list[tuple[int, str]] = []
    lines = shown["text"].split("\n")
    for entry in shown["map"]:
        start, end = (types.Position(**entry["source"][side]) for side in ("start", "end"))
        target = entry["target"]["start"]["line"]
        found.append((target, f"{buffer.slice(types.Range(start, end))} -> {_words(lines[target])}"))
    return [text for _, text in sorted(found)]


def _words(line: str) -> str:
    return " ".join(line.partition("//")[0].split())


async def test_lines_of_assembly_lead_to_the_source(session: Session) -> None:
    expected = ["arith.addi %a, %y : i32 -> madd w0, w0, w0, w1", "return %b : i32 -> ret"]
    await check_links(session.open(SOURCE), "assembly", "f", expected)


async def test_lines_of_optimised_ir_lead_to_the_source(session: Session) -> None:
    await check_links(
        session.open(SOURCE),
        "llvm-optimized",
        "f",
        [
            "arith.muli %x, %x : i32 -> %3 = mul i32 %0, %0",
            "arith.addi %a, %y : i32 -> %4 = add i32 %3, %1",
            "return %b : i32 -> ret i32 %4",
        ],
    )


async def test_lines_of_an_object_file_lead_to_the_source(session: Session) -> None:
    buffer = session.open(SOURCE)
    expected = [
        "arith.addi %a, %y : i32 -> 0: 1b000400 madd w0, w0, w0, w1",
        "return %b : i32 -> 4: d65f03c0 ret",
    ]
    await check_links(buffer, "object", "f", expected)
    shown = await buffer.ask("fathom/preview", stage="object", function="g")
    assert "\t\t0000000000000004:  R_AARCH64_JUMP26\tf\n" in shown["text"]
    assert (shown["languageId"], shown["uri"].partition("?")[0]) == ("asm", "fathom-preview:/object/%40g.s")
    graph = await buffer.ask("fathom/graph", kind="cfg", stage="object", function="f")
    assert graph["problem"] == "of assembly there is no graph"


async def test_what_has_no_object_file_says_so() -> None:
    async with started(options={"compile": {"target": "nvptx64"}}) as session:
        shown = await session.open(SOURCE).ask("fathom/preview", stage="object", function="f")
        assert shown["stale"]
        assert "there is no object file for nvptx64: a driver makes code of its assembly" in shown["staleReason"]


async def test_a_function_is_compiled_alone_and_the_file_as_a_whole(session: Session) -> None:
    buffer = session.open(SOURCE)
    alone = await buffer.ask("fathom/preview", stage="assembly", function="g")
    assert "b\tf\n" in alone["text"]
    assert "madd" not in alone["text"]
    assert (alone["languageId"], alone["uri"].partition("?")[0]) == ("asm", "fathom-preview:/assembly/%40g.s")
    whole = await buffer.ask("fathom/preview", stage="assembly")
    assert whole["text"].count("madd") == 2
    assert "hidden" not in whole["text"]
    hidden = await buffer.ask("fathom/preview", stage="assembly", function="hidden")
    assert "hidden:" in hidden["text"]


async def test_previews_follow_edits(session: Session) -> None:
    buffer = session.open(SOURCE)
    await buffer.ask("fathom/preview", stage="assembly", function="f")
    buffer.edit(("arith.addi %a, %y", "arith.subi %a, %y"))
    shown = await buffer.ask("fathom/preview", stage="assembly", function="f")
    assert (shown["version"], shown["stale"]) == (buffer.version, False)
    assert "neg\tw" in shown["text"]
    buffer.edit(("arith.subi %a, %y", "arith.subi %a, %nothing"))
    broken = await buffer.ask("fathom/preview", stage="assembly", function="f")
    assert broken["stale"]
    assert broken["text"] == shown["text"]


async def test_what_moves_in_the_source_is_linked_anew(session: Session) -> None:
    buffer = session.open(SOURCE)
    await buffer.ask("fathom/preview", stage="assembly", function="f")
    buffer.edit(("  %b = ", "  // A comment.\n  %b = "))
    shown = await buffer.ask("fathom/preview", stage="assembly", function="f")
    assert links(buffer, shown) == ["arith.addi %a, %y : i32 -> madd w0, w0, w0, w1", "return %b : i32 -> ret"]


async def test_settings_say_how() -> None:
    async with started(options={"compile": {"target": "x86-64", "optimize": 0}}) as session:
        buffer = session.open(SOURCE)
        stages = await buffer.ask("fathom/stages")
        assert [stage["title"] for stage in stages[-3:]] == [
            "Optimised LLVM IR (O0)",
            "Assembly (O0, x86-64)",
            "Object file, disassembled (O0, x86-64)",
        ]
        shown = await buffer.ask("fathom/preview", stage="assembly", function="f")
        assert "imull" in shown["text"]
        change = session.client.workspace_did_change_configuration
        change(types.DidChangeConfigurationParams({"fathom": {"compile": {"target": "wasm32", "optimize": "sroa"}}}))
        stages = await buffer.ask("fathom/stages")
        assert [stage["title"] for stage in stages[-3:]] == [
            "Optimised LLVM IR (sroa)",
            "Assembly (sroa, wasm32)",
            "Object file, disassembled (sroa, wasm32)",
        ]
        shown = await buffer.ask("fathom/preview", stage="assembly", function="f")
        assert "i32.mul" in shown["text"]
        change(types.DidChangeConfigurationParams({"fathom": {"compile": {"cpu": "nope"}}}))
        shown = await buffer.ask("fathom/preview", stage="assembly", function="f")
        assert shown["stale"]
        assert "'nope' is not a recognized processor for this target" in shown["staleReason"]


async def test_many_edits_in_a_row_leave_the_last(session: Session) -> None:
    buffer = session.open(SOURCE)
    answers: list[Any] = []
    for number in range(12):
        buffer.edit(("%b = arith.addi %a, %y", f"%c{number} = arith.addi %a, %y : i32\n  %b = arith.addi %a, %y"))
        answers.append(asyncio.ensure_future(buffer.ask("fathom/preview", stage="assembly", function="f")))
        await asyncio.sleep(0.005)
    await asyncio.wait(answers)
    shown = answers[-1].result()
    assert (shown["version"], shown["stale"]) == (buffer.version, False)


async def test_of_a_ll_file_too(session: Session) -> None:
    text = "define i32 @h(i32 %x) {\n  %y = mul i32 %x, %x\n  ret i32 %y\n}\n"
    buffer = session.open(text, "h.ll")
    await check_links(buffer, "assembly", "h", ["%y = mul i32 %x, %x -> mul w0, w0, w0", "ret i32 %y -> ret"])


# ---- remarks


LOOP = """\
func.func @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}
func.func @sum(%p: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %p, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %v = memref.load %p[%i] : memref<?xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  return %r : f32
}
"""
REFUSED = "loop not vectorized: cannot prove it is safe to reorder floating-point operations"


async def check_remark(buffer: Buffer, text: str, message: str) -> None:
    """A text is underlined with a remark of LLVM."""
    await buffer.diagnostics(lambda messages: any(message in each for each in messages))
    found = [each for each in await buffer.raw_diagnostics() if each.message == message]
    assert [(buffer.slice(each.range), each.code) for each in found] == [(text, "remark")]


async def test_remarks_are_shown_on_request_until_the_function_changes() -> None:
    async with started(options={"compile": {"target": "x86-64"}}) as session:
        buffer = session.open(LOOP)
        assert await buffer.diagnostics(lambda messages: not messages) == []
        told = await session.command("fathom.remarks", buffer.uri, "sum")
        assert told["remarks"] >= 1
        await check_remark(buffer, "arith.addf %s, %v : f32", REFUSED)
        buffer.edit(("%y = arith.mulf", "// A comment.\n  %y = arith.mulf"))
        await check_remark(buffer, "arith.addf %s, %v : f32", REFUSED)
        buffer.edit(("arith.addf %s, %v", "arith.mulf %s, %v"))
        await buffer.diagnostics(lambda messages: not messages)
        told = await session.command("fathom.remarks", buffer.uri, "nothing")
        assert told == {"failureReason": "there is no function @nothing"}


async def test_remarks_follow_a_preview_where_a_setting_says_so() -> None:
    async with started(options={"compile": {"target": "x86-64", "remarks": True}}) as session:
        buffer = session.open(LOOP)
        await buffer.ask("fathom/preview", stage="assembly", function="sum")
        await check_remark(buffer, "arith.addf %s, %v : f32", REFUSED)
        buffer.edit(("arith.addf %s, %v", "arith.addf %v, %s"))
        await buffer.ask("fathom/preview", stage="assembly", function="sum")
        await check_remark(buffer, "arith.addf %v, %s : f32", REFUSED)


# ---- settings


def check_compile(section: dict[str, Any], expected: tuple[str, str, str], *problems: str) -> None:
    """The triple, the processor and the level that settings come to, and what is wrong with them."""
    settings, found = updated(Settings(), {"compile": section})
    wanted = settings.compile.wanted
    assert (wanted.target.triple, wanted.target.cpu, wanted.optimization.level) == expected
    assert [str(problem) for problem in found] == list(problems)


async def test_compile_settings() -> None:
    check_compile({}, ("", "", "2"))
    check_compile({"optimize": 3, "target": "aarch64"}, ("aarch64-unknown-linux-gnu", "generic", "3"))
    check_compile({"optimize": "function(sroa)", "cpu": "skylake"}, ("", "skylake", ""))
    check_compile({"optimize": "O9"}, ("", "", "2"), _wrong_passes("O9"))
    check_compile({"cpu": 3}, ("", "", "2"), str(Problem("compile.cpu", "expected a string")))


def _wrong_passes(name: str) -> str:
    _, found = updated(Settings(), {"compile": {"optimize": name}})
    assert found[0].message.startswith(f"there is no pass '{name}' in LLVM; here there are ")
    return str(found[0])


# ---- what LLVM cannot do in time


async def test_what_is_given_up_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from fathom.llvm.codegen.asking import Code
    from fathom.llvm.codegen.wanted import Wanted
    from fathom.translation.module import Translation

    translation = Translation("define void @f() {\n  ret void\n}\n", [None] * 3, [], [], "")
    wanted = Wanted()
    maker = code._Maker()  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(code, "_MAKER", maker)
    make = code.to_make(translation, wanted, "ir")
    assert make is not None
    maker._kept[translation.text, wanted, "ir", False] = code.GIVEN_UP  # pyright: ignore[reportPrivateUsage]
    given_up = code.code_for(translation, wanted, "ir")
    assert given_up.error is not None
    assert given_up.error.message == "LLVM makes no code of this: it was given up for a later question"
    again = code.to_make(translation, wanted, "ir")
    assert again is not None
    again()
    assert code.to_make(translation, wanted, "ir") is None
    assert code.code_for(translation, wanted, "ir").error is None
    assert maker.kept((translation.text, wanted, "ir", False)) != Code()
