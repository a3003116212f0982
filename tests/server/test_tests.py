"""Tests that are run by `fathom.runTest`, over a real process."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from fathom.cli import COMMANDS
from fathom_server.features.tests import WRITING
from tests.oracles import require_tool
from tests.patience import PATIENCE
from tests.server.client import Buffer, Session, capabilities, environment, started

TEXT = """\
// RUN: mlir-opt %s --canonicalize | FileCheck %s
// RUN: mlir-opt %s -verify-diagnostics
// RUN: sh -c 'touch /tmp/x'
// CHECK: func.func @g
func.func @f(%a: i32) -> i32 {
  return %a : i32
}
"""
ENDLESS = """\
// RUN: fathom run %s -e f --entry-point-result=void
func.func @f() {
  cf.br ^again
^again:
  cf.br ^again
}
"""
OWN = ["fathom.lens.run", "fathom.lens.preview", "fathom.lens.references", "fathom.lens.runTest"]


async def lenses(session: Session, buffer: Buffer) -> list[tuple[str, str]]:
    params = types.CodeLensParams(buffer.identifier)
    shown: list[tuple[str, str]] = []
    for lens in await session.client.text_document_code_lens_async(params) or []:
        resolved = lens if lens.command else await session.client.code_lens_resolve_async(lens)
        assert resolved.command is not None
        shown.append((resolved.command.title, resolved.command.command))
    return shown


def can(*commands: str) -> types.ClientCapabilities:
    able = capabilities()
    able.experimental = {"fathom": {"commands": list(commands)}}
    return able


async def run_test(session: Session, buffer: Buffer, line: int) -> Any:
    return await session.command("fathom.runTest", buffer.uri, line)


async def test_lenses_have_only_the_commands_that_the_client_has() -> None:
    tests = [("Run test", "fathom.runTest")] * 3
    async with started() as session:
        buffer = session.open(TEXT)
        assert await lenses(session, buffer) == [*tests, ("Lower", "fathom.lowerFunction")]
    async with started(can(*OWN)) as session:
        buffer = session.open(TEXT)
        assert await lenses(session, buffer) == [
            *[("Run test", "fathom.lens.runTest")] * 3,
            ("Run", "fathom.lens.run"),
            ("Preview", "fathom.lens.preview"),
            ("Lower", "fathom.lowerFunction"),
            ("no uses", "fathom.lens.references"),
        ]


async def test_a_test_fails_at_its_line_and_passes_when_it_is_mended() -> None:
    require_tool("FileCheck")
    async with started() as session:
        buffer = session.open(TEXT)
        answer = await run_test(session, buffer, 0)
        assert (answer["status"], answer["message"]) == ("failed", "CHECK: expected string not found in input")
        assert answer["range"]["start"] == {"line": 3, "character": 0}
        assert "buffer1.mlir:4:11: error" in answer["output"]
        assert (await lenses(session, buffer))[0][0] == "Run test: ✗ CHECK: expected string not found in input"
        buffer.edit(("@g", "@f"))
        assert (await lenses(session, buffer))[0][0].endswith(" before the last edit")
        answer = await run_test(session, buffer, 0)
        assert answer["status"] == "passed", answer
        assert (await lenses(session, buffer))[0][0].startswith("Run test: ✓ passed in ")


async def test_what_fathom_says_of_the_text() -> None:
    async with started() as session:
        buffer = session.open(TEXT.replace("return %a", "return %b"))
        answer = await run_test(session, buffer, 1)
        assert answer["status"] == "failed"
        assert "use of undeclared SSA value name" in answer["message"]
        assert answer["range"]["start"] == {"line": 5, "character": 2}
        assert (await run_test(session, buffer, 2))["status"] == "unsupported"


async def test_a_test_that_takes_too_long_is_ended() -> None:
    async with started(options={"run": {"timeoutSeconds": 0.2}}) as session:
        buffer = session.open(ENDLESS)
        answer = await run_test(session, buffer, 0)
        assert (answer["status"], answer["message"]) == ("timeout", "it was not over after 0.2 s")


@pytest.mark.parametrize("option", ["--contained=false", "-g"])
async def test_a_test_runs_contained_programs_only(option: str) -> None:
    async with started() as session:
        buffer = session.open(
            f"// RUN: fathom run %s -e f {option}\n"
            "func.func @f() -> i32 {\n  %0 = arith.constant 7 : i32\n  return %0 : i32\n}\n"
        )
        answer = await run_test(session, buffer, 0)
        assert answer["status"] != "passed"
        assert "one that is not contained is not for the test of a file" in str(answer)


async def test_the_tests_of_a_document() -> None:
    async with started() as session:
        listed = await session.open(TEXT).ask("fathom/tests")
        assert [(test["line"], test["command"]) for test in listed][:1] == [
            (0, "mlir-opt %s --canonicalize | FileCheck %s")
        ]
        assert listed[0]["range"]["start"] == {"line": 0, "character": 8}


CLAIMS = """\
func.func @twice(%a: i32) -> i32 {
  // FATHOM: run @twice(2) == 4
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}
// FATHOM: run @twice(2) == 5
// FATHOM: twice
"""


async def test_a_claim_is_a_test() -> None:
    async with started() as session:
        buffer = session.open(CLAIMS)
        listed = await buffer.ask("fathom/tests")
        assert [(test["line"], test["command"]) for test in listed] == [
            (1, "run @twice(2) == 4"),
            (5, "run @twice(2) == 5"),
            (6, "twice"),
        ]
        assert (await run_test(session, buffer, 1))["status"] == "passed"
        answer = await run_test(session, buffer, 5)
        assert (answer["status"], answer["message"]) == ("failed", "@twice gives 4, not 5")
        assert answer["range"]["start"] == {"line": 5, "character": 0}
        shown = [title for title, _ in await lenses(session, buffer) if title.startswith("Run test")]
        assert shown[0].startswith("Run test: ✓ passed in ")
        assert shown[1:] == ["Run test: ✗ @twice gives 4, not 5", "Run test"]


async def test_a_claim_that_cannot_be_read_is_a_warning() -> None:
    async with started() as session:
        buffer = session.open(CLAIMS)
        (warning,) = await buffer.raw_diagnostics()
        assert warning.message == "this is not checked: it does not begin with a call: run @f(1, [2, 3])"
        assert (warning.range.start.line, warning.range.start.character) == (6, 11)
        buffer.edit(("FATHOM: twice", "FATHOM: run @twice(1)"))
        assert await buffer.diagnostics() == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has Landlock")
def test_a_step_can_write_to_its_folder_only(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    program = "from fathom_server.session.tool import contain; import sys; contain(sys.argv[1], 1 << 32, 10)\n"
    program += "open(sys.argv[1] + '/a', 'w'); open(sys.argv[2] + '/b', 'w')\n"
    command = [sys.executable, "-c", program, str(inside), str(outside)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert [path.name for path in inside.iterdir()] == ["a"]
    if "PermissionError" not in done.stderr:
        pytest.skip("the kernel has no Landlock")
    assert not list(outside.iterdir())


def test_the_options_that_write_files_are_known() -> None:
    groups = [group for name in COMMANDS for group in getattr(find_command(name), "groups", ())]
    assert {option.name for group in groups for option in group.options if option.writes} == WRITING


def find_command(name: str) -> object:
    """What a command of the command line is, if it is a table."""
    module = import_module(f"fathom.cli.{name}")
    return getattr(module, "COMMAND", None)


@pytest.mark.parametrize(
    "command",
    [
        "fathom run %s -e f --dump-object-file --object-filename {}/a.o",
        "fathom run %s -e f --bench --sizes 1 --plot={}/a.svg",
        "mlir-opt %s -o {}/a.mlir",
        "mlir-opt %s --mlir-generate-reproducer={}/a.mlir",
        "mlir-opt %s --canonicalize --mlir-print-ir-after-all --mlir-print-ir-tree-dir {}/a",
    ],
)
async def test_a_test_writes_to_no_file_of_anybody(command: str, tmp_path: Path) -> None:
    async with started() as session:
        buffer = session.open(f"// RUN: {command.format(tmp_path)}\nfunc.func @f() {{\n  return\n}}\n")
        answer = await run_test(session, buffer, 0)
        assert answer["status"] == "unsupported"
        assert answer["message"].endswith("and a test may only write to %t")
