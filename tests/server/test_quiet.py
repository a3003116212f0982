"""What is said of valid functions that do not reach LLVM IR: one finding a function until somebody asks for LLVM IR,
then all of it; through the real server, as it is published and as it is pulled."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from fathom.diagnostics import NOT_LOWERED
from tests.patience import PATIENCE
from tests.server.client import Buffer, capabilities, started

pytestmark = pytest.mark.asyncio

TENSORS = """\
func.func @any(%a: tensor<*xf32>) -> tensor<*xf32> {
  %0 = tensor.cast %a : tensor<*xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<*xf32>
  %2 = math.exp %1 : tensor<*xf32>
  return %2 : tensor<*xf32>
}
"""
OWN = """\
nn.weights @w
nn.weights @v
func.func @net(%x: f32) -> f32 {
  %0 = nn.scale %x : f32
  %1 = nn.relu %0 : f32
  return %1 : f32
}
"""
KERNEL = """\
func.func @kernel(%n: index) -> index {
  %i = gpu.thread_id x
  %j = gpu.block_id x
  %k = arith.addi %i, %j : index
  return %k : index
}
func.func @other() -> index {
  %i = gpu.thread_id y
  return %i : index
}
"""
POWER = """\
func.func @power(%x: tensor<4xf16>, %n: tensor<4xi64>) {
  %r = math.fpowi %x, %n : tensor<4xf16>, tensor<4xi64>
  return
}
"""
"""Each of these takes a tensor of a rank, and becomes loops."""
ANY = "1: '@any' does not reach LLVM IR: 1 operation of 'math'"
KERNELS = [
    "1: '@kernel' does not reach LLVM IR: 2 operations of 'gpu'",
    "7: '@other' does not reach LLVM IR: 1 operation of 'gpu'",
]
TAIL = "; run, preview or lower it to see why"


def heads(messages: list[str]) -> list[str]:
    return [message.partition("\n")[0].removesuffix(TAIL) for message in messages]


async def check_shown(buffer: Buffer, *expected: str) -> None:
    """The first lines of what is shown become these."""
    await buffer.diagnostics(lambda messages: heads(messages) == list(expected))


async def told_all(buffer: Buffer, name: str) -> None:
    """All is shown of the operations of a name."""
    await buffer.diagnostics(lambda messages: any(f"'{name}' op was left behind" in message for message in messages))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TENSORS, [ANY]),
        (POWER + TENSORS, [ANY.replace("1", "5", 1)]),
        (KERNEL, KERNELS),
        (
            OWN,
            [
                "1: nobody has described the dialect 'nn': its operations are kept as they are written",
                "3: '@net' does not reach LLVM IR: 2 operations of 'nn'; nobody has described 'nn'",
            ],
        ),
    ],
)
async def test_a_function_has_one_finding(text: str, expected: list[str]) -> None:
    async with started(capabilities(related=True)) as session:
        buffer = session.open(text)
        await check_shown(buffer, *expected)
        diagnostics = [diagnostic for diagnostic in await buffer.raw_diagnostics() if diagnostic.code == NOT_LOWERED]
        assert {diagnostic.severity for diagnostic in diagnostics} == {types.DiagnosticSeverity.Information}
        assert all(diagnostic.related_information for diagnostic in diagnostics)
        assert all(buffer.slice(diagnostic.range).startswith("@") for diagnostic in diagnostics)


async def test_the_operations_of_a_dialect_that_nobody_described_can_be_described_one_by_one() -> None:
    async with started(capabilities(creates_files=True)) as session:
        buffer = session.open(OWN)
        await check_shown(buffer, *heads(await buffer.diagnostics(lambda messages: len(messages) == 2)))
        for name in ("nn.scale", "nn.relu", "nn.weights @v"):
            actions = await buffer.actions(buffer.at(name), ["quickfix"])
            assert "Describe dialect `nn`…" in [action.title for action in actions]


async def test_a_dialect_that_is_misspelt_is_told_at_its_place() -> None:
    async with started() as session:
        buffer = session.open("func.func @f(%a: i32) {\n  %0 = arth.addi %a, %a : i32\n  return\n}\n")
        await buffer.diagnostics(lambda messages: any("did you mean 'arith.addi'?" in message for message in messages))


async def test_hovers_say_why() -> None:
    async with started() as session:
        buffer = session.open(TENSORS)
        await check_shown(buffer, ANY)
        shown = await buffer.hover(buffer.at("math.exp"))
        assert "Does not reach LLVM IR:\n\n```text\n'math.exp' has no form with memrefs\n" in shown


# ---- who asks


async def test_a_preview_asks() -> None:
    async with started() as session:
        buffer = session.open(KERNEL)
        await check_shown(buffer, *KERNELS)
        await buffer.ask("fathom/preview", stage="llvm-dialect", function="other")
        await told_all(buffer, "gpu.thread_id")
        messages = heads(await buffer.diagnostics())
        assert messages[0] == KERNELS[0]
        assert messages[1].startswith("8: 'gpu.thread_id' op was left behind")
        # It was previewed: so it stays, when the preview is closed and the function edited.
        session.client.protocol.notify("fathom/closePreview", {"textDocument": {"uri": buffer.uri}})
        buffer.edit(("gpu.thread_id y", "gpu.thread_id z"))
        await told_all(buffer, "gpu.thread_id")


async def test_a_preview_of_the_whole_document_asks_for_all() -> None:
    async with started() as session:
        buffer = session.open(KERNEL)
        await check_shown(buffer, *KERNELS)
        await buffer.ask("fathom/preview", stage="llvm-ir")
        await told_all(buffer, "gpu.block_id")
        assert not any("does not reach" in message for message in await buffer.diagnostics())


async def test_a_run_asks() -> None:
    async with started() as session:
        buffer = session.open(KERNEL)
        await check_shown(buffer, *KERNELS)
        assert (await buffer.run("kernel", 1))["status"] == "error"
        await told_all(buffer, "gpu.block_id")


async def test_lowering_asks() -> None:
    async with started() as session:
        buffer = session.open(KERNEL)
        await check_shown(buffer, *KERNELS)
        assert not (await session.command("fathom.lowerFunction", buffer.uri, "@kernel"))["applied"]
        await told_all(buffer, "gpu.block_id")


@pytest.mark.parametrize(
    ("settings", "is_told"),
    [("asked", False), ("always", True), (True, True), ("never", None), (False, None)],
)
async def test_a_setting_says_otherwise(settings: object, is_told: bool | None) -> None:
    async with started(options={"diagnostics": {"lowering": settings}}) as session:
        buffer = session.open(KERNEL)
        if is_told:
            await told_all(buffer, "gpu.block_id")
        elif is_told is None:
            await asyncio.sleep(0)
            assert (await buffer.ask("fathom/functions"))[0]["name"] == "kernel"
            assert await buffer.diagnostics() == []
        else:
            await check_shown(buffer, *KERNELS)


@pytest.mark.parametrize("way", ["project", "settings", "command"])
async def test_a_pipeline_that_is_named_asks(way: str, tmp_path: Path) -> None:
    flags = "--convert-arith-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts"
    options: Any = {"pipeline": flags} if way == "settings" else None
    if way == "project":
        (tmp_path / "fathom.toml").write_text(f'pipeline = "{flags}"\n')
    async with started(options=options, folder=tmp_path) as session:
        text = f"// RUN: mlir-opt %s {flags}\n{KERNEL}" if way == "command" else KERNEL
        await told_all(session.open(text), "gpu.block_id")


async def test_of_what_fails_nothing_else_is_said() -> None:
    text = """\
func.func @f(%t: tensor<4xf32>, %m: memref<10xf32>, %i: index) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<10xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %old : f32
  }
  return
}
"""
    async with started() as session:
        message = "'llvm.cmpxchg' op operand #1 must be signless integer or LLVM pointer type, but got 'f32'"
        await check_shown(session.open(text), f"2: {message}")


async def test_a_cast_beside_functions_stands_where_something_else_is_left() -> None:
    text = """\
acc.private.recipe @own : memref<10xf32> init {
^bb0(%arg0: memref<10xf32>):
  %0 = memref.alloc() : memref<10xf32>
  acc.yield %0 : memref<10xf32>
}
"""
    async with started() as session:
        await check_shown(
            session.open(text), "1: operations of 'acc' do not reach LLVM IR; preview the file to see why"
        )


async def test_what_several_commands_lack_is_said_once() -> None:
    text = """\
// RUN: mlir-opt %s --lower-to-llvm | mlir-runner -e main
// RUN: mlir-opt %s --lower-to-llvm | mlir-runner -e main -O3
func.func private @rtclock() -> f64
func.func @main() {
  return
}
"""
    async with started() as session:
        await check_shown(session.open(text), "3: Symbols not found: [ rtclock ]")


async def test_what_is_pulled_is_what_is_published() -> None:
    async with started(capabilities(pulls=True)) as session:
        buffer = session.open(KERNEL)

        async def pulled() -> list[str]:
            params = types.DocumentDiagnosticParams(buffer.identifier)
            pulled_report = await asyncio.wait_for(session.client.text_document_diagnostic_async(params), PATIENCE)
            assert isinstance(pulled_report, types.RelatedFullDocumentDiagnosticReport)
            return heads([f"{item.range.start.line + 1}: {item.message}" for item in pulled_report.items])

        # Counted before the question: that there is more may be told in one breath with the answer.
        refreshed = session.refreshed
        while await pulled() != KERNELS:
            await session.until(lambda refreshed=refreshed: session.refreshed > refreshed or None)
            refreshed = session.refreshed
        refreshed = session.refreshed
        await buffer.ask("fathom/preview", stage="llvm-dialect", function="kernel")
        await session.until(lambda: session.refreshed > refreshed or None)
        messages = await pulled()
        assert messages[0].startswith("2: 'gpu.thread_id' op was left behind")
        assert messages[-1] == KERNELS[1]
        workspace = types.WorkspaceDiagnosticParams([])
        report = await asyncio.wait_for(session.client.workspace_diagnostic_async(workspace), PATIENCE)
        (own,) = [item for item in report.items if item.uri == buffer.uri]
        assert isinstance(own, types.WorkspaceFullDocumentDiagnosticReport)
        assert heads([f"{item.range.start.line + 1}: {item.message}" for item in own.items]) == messages


# ---- what cannot be done


async def test_what_does_not_lower_is_disabled_at_once_and_has_no_run() -> None:
    can = capabilities()
    async with started(can) as session:
        buffer = session.open(KERNEL)
        action = await buffer.lowering(buffer.at("@kernel"))
        assert action.disabled is not None
        assert "@kernel does not lower: 'gpu.thread_id' op was left behind" in action.disabled.reason


async def test_a_refusal_is_shown() -> None:
    async with started() as session:
        buffer = session.open(KERNEL)
        await session.command("fathom.lowerFunction", buffer.uri, "@kernel")
        await session.until(
            lambda: any("shown: Nothing was changed: @kernel" in message for message in session.log) or None
        )
