"""Stages of other people's tools, through the server: real processes, mlir-opt 22 as a stranger and worse ones."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from fathom_server.model.settings import Settings, updated, with_tools
from fathom_server.model.tool_settings import Tool
from fathom_server.session.configuration import Configuration
from fathom_server.session.projects import ProjectFile
from tests import oracles
from tests.patience import PATIENCE
from tests.server.client import Buffer, Session, capabilities, started

pytestmark = pytest.mark.asyncio(loop_scope="module")

SOURCE = """\
func.func @f(%x: i32) -> i32 {
  %c = arith.constant 3 : i32
  %a = arith.muli %x, %c : i32
  %b = arith.addi %a, %x : i32
  return %b : i32
}
func.func @g(%x: i32) -> i32 {
  %a = call @f(%x) : (i32) -> i32
  return %a : i32
}
"""
PIPELINE = "--convert-arith-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts"
STRANGERS: dict[str, str] = {
    "hangs": "import time\ntime.sleep(3600)",
    "floods": "while True: print('x' * 1_000_000)",
    "dies": "import os\nprint('module {}', flush=True)\nos.abort()",
    "refuses": "import sys\nsys.exit('refuses: Unknown command line argument')",
    "forks": """
import os, sys, time
for number in range(20):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open(os.environ['FATHOM_TEST_MARKS'] + '/' + str(os.getpid()), 'w') as file:
                pass
        time.sleep(3600)
while len(os.listdir(os.environ['FATHOM_TEST_MARKS'])) < 20: time.sleep(0.01)
print('module {\\n}')
""",
    "says": """
import sys
file = sys.argv[-1]
print(f'{file}:4:8: warning: slow', file=sys.stderr)
print(f'{file}:3:10: note: because of this', file=sys.stderr)
print('module {\\n  any.thing "a" {x = loc("b":1:2)} : !what loc("' + file + '":4:8)\\n}')
""",
}
"""Tools that nobody would want, as programs in Python."""


def tool_in(folder: Path, name: str, code: str) -> str:
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{code}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tools")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session(folder: Path) -> AsyncIterator[Session]:
    os.environ["FATHOM_TEST_MARKS"] = str(folder / "marks")
    (folder / "marks").mkdir()
    tools: dict[str, Any] = {
        name: {"command": [tool_in(folder, name, code)], "pipeline": "--a", "timeoutSeconds": 20}
        for name, code in STRANGERS.items()
    }
    tools["hangs"]["timeoutSeconds"] = 2
    counting = f"import os, sys\nopen({str(folder / 'runs')!r}, 'a').write('run\\n')\n"
    counting += f"os.execv({oracles.find_tool('mlir-opt') or 'mlir-opt'!r}, ['mlir-opt', *sys.argv[1:]])"
    tools["counted"] = {"command": [tool_in(folder, "counted", counting)], "pipeline": PIPELINE}
    tools["mlir-opt"] = {"command": [oracles.find_tool("mlir-opt") or "mlir-opt"], "pipeline": PIPELINE}
    async with started(capabilities(resolve=True), options={"tools": tools, "pipeline": PIPELINE}) as session:
        yield session


def lines_of(buffer: Buffer, shown: Any) -> list[tuple[int, int]]:
    """The lines of a preview behind those of the source that they come from."""
    return sorted({(entry["source"]["start"]["line"], entry["target"]["start"]["line"]) for entry in shown["map"]})


async def shown_by(buffer: Buffer, stage: str, function: str | None = "f") -> Any:
    return await buffer.ask("fathom/preview", stage=stage, **({"function": function} if function else {}))


async def check_stale(buffer: Buffer, stage: str, reason: str) -> None:
    """That a tool has no text, and why; and that all else answers."""
    shown = await shown_by(buffer, stage)
    assert (shown["stale"], shown["text"]) == (True, "")
    assert reason in shown["staleReason"]
    assert not (await shown_by(buffer, "llvm-dialect"))["stale"]


async def test_a_tool_has_stages_behind_those_of_fathom(session: Session) -> None:
    listed = await session.open(SOURCE).ask("fathom/stages", function="f")
    found = [(stage["id"], stage["title"]) for stage in listed if stage["id"].startswith("mlir-opt:")]
    assert found == [
        ("mlir-opt:convert-arith-to-llvm", "mlir-opt: after convert-arith-to-llvm"),
        ("mlir-opt:convert-func-to-llvm", "mlir-opt: after convert-func-to-llvm"),
        ("mlir-opt:reconcile-unrealized-casts", "mlir-opt: after reconcile-unrealized-casts"),
    ]
    assert [stage["id"] for stage in listed].index("assembly") < [stage["id"] for stage in listed].index(found[0][0])


@pytest.mark.parametrize("function", ["f", "g", None])
async def test_a_stage_of_mlir_opt_is_that_of_fathom(session: Session, function: str | None) -> None:
    oracles.require_tool("mlir-opt")
    buffer = session.open(SOURCE)
    for name, ours in (
        ("convert-arith-to-llvm", "convert-arith-to-llvm"),
        ("convert-func-to-llvm", "convert-func-to-llvm"),
        ("reconcile-unrealized-casts", "llvm-dialect"),
    ):
        theirs, own = await shown_by(buffer, f"mlir-opt:{name}", function), await shown_by(buffer, ours, function)
        assert not theirs["stale"], theirs
        assert theirs["text"] == own["text"]
        assert lines_of(buffer, theirs) == lines_of(buffer, own)


async def test_what_a_tool_says_is_at_lines_of_the_source(session: Session) -> None:
    buffer = session.open(SOURCE)
    shown = await shown_by(buffer, "says:a")
    assert shown["text"] == 'module {\n  any.thing "a" {x = loc("b":1:2)} : !what\n}\n'
    (said,) = shown["diagnostics"]
    where = types.Range(types.Position(**said["range"]["start"]), types.Position(**said["range"]["end"]))
    assert (said["message"], said["severity"]) == ("slow", 2)
    assert buffer.slice(where) == "arith.muli %x, %c : i32"
    assert lines_of(buffer, shown) == [(2, 1)]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("hangs", "hangs was not over after 2 s"),
        ("floods", "floods printed more than 32 MiB"),
        ("dies", "dies was ended by SIGABRT"),
        ("refuses", "refuses: Unknown command line argument"),
    ],
)
async def test_a_bad_tool_costs_its_stage_alone(session: Session, name: str, reason: str) -> None:
    await check_stale(session.open(SOURCE), f"{name}:a", reason)


async def test_nothing_is_left_of_what_a_tool_starts(session: Session, folder: Path) -> None:
    shown = await shown_by(session.open(SOURCE), "forks:a")
    assert not shown["stale"], shown
    assert len(await asyncio.to_thread(os.listdir, folder / "marks")) >= 20
    # In a namespace of their own they had other numbers; there is none of either.
    assert not [line for line in _commands() if "forks" in line and str(folder) in line]


def _commands() -> list[str]:
    commands: list[str] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                commands.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:
                continue
    return commands


async def test_a_key_ends_a_tool_and_begins_it_anew(session: Session, folder: Path) -> None:
    buffer = session.open(SOURCE.replace("constant 3", "constant 5"))
    asked = asyncio.ensure_future(shown_by(buffer, "hangs:a"))
    begun = time.monotonic()
    while not [line for line in _commands() if f"{folder}/hangs" in line]:
        assert time.monotonic() - begun < PATIENCE
        await asyncio.sleep(0.02)
    before = {line for line in _commands() if f"{folder}/hangs" in line and "fathom-tool-" in line}
    buffer.edit(("constant 5", "constant 6"))
    while before & {line for line in _commands() if "fathom-tool-" in line}:
        assert time.monotonic() - begun < PATIENCE
        await asyncio.sleep(0.02)
    shown = await asked
    assert (shown["version"], shown["stale"]) == (2, True)


# ---- CHECK lines


async def check_written(buffer: Buffer, tool: str, expected: str) -> None:
    """What the document is when the action for a tool was chosen."""
    title = f"Write the RUN and CHECK lines for the pipeline of {tool}"
    offered = await buffer.actions(buffer.position(0), ["source.writeChecks"])
    (action,) = [each for each in offered if each.title == title]
    assert action.disabled is None
    done = await buffer.session.client.code_action_resolve_async(action)
    assert done.edit is not None, done
    (change,) = done.edit.document_changes or []
    assert isinstance(change, types.TextDocumentEdit)
    edits = sorted(change.edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True)
    text = buffer.text
    for edit in edits:
        assert isinstance(edit, types.TextEdit)
        start, end = buffer.offset(edit.range.start), buffer.offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    assert text == expected


async def test_check_lines_for_a_tool(session: Session) -> None:
    oracles.require_tool("mlir-opt")
    buffer = session.open("func.func @f(%x: i32) -> i32 {\n  %a = arith.addi %x, %x : i32\n  return %a : i32\n}\n")
    flags = f"{PIPELINE} --mlir-print-local-scope"
    await check_written(
        buffer,
        "mlir-opt",
        f"""\
// RUN: mlir-opt %s {flags} | FileCheck %s

// CHECK-LABEL:    llvm.func @f(
// CHECK-SAME:       %[[VAL_0:[^ :,)]+]]: i32) -> i32 {{
// CHECK:            %[[VAL_1:[^ :,)]+]] = llvm.add %[[VAL_0]], %[[VAL_0]] : i32
// CHECK:            llvm.return %[[VAL_1]] : i32
// CHECK:          }}
{buffer.text}""",
    )


async def test_check_lines_for_operations_that_nobody_knows(session: Session) -> None:
    buffer = session.open(SOURCE.replace("constant 3", "constant 9"))
    await check_written(
        buffer,
        "says",
        f"""\
// RUN: says %s --a --mlir-print-local-scope | FileCheck %s

// CHECK:          any.thing "a" {{x = loc("b":1:2)}} : !what
{buffer.text}""",
    )


# ---- consent


async def until_there(buffer: Buffer, stage: str) -> None:
    """Waits until a stage is known: what the project says is read after the start."""
    begun = time.monotonic()
    while stage not in [each["id"] for each in await buffer.ask("fathom/stages", function="f")]:
        assert time.monotonic() - begun < PATIENCE, "there is no such stage"
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("allowed", [False, True])
async def test_a_tool_of_a_project_runs_where_the_user_allows_it(tmp_path: Path, allowed: bool) -> None:
    tool = tool_in(tmp_path, "theirs", "open(__file__ + '.ran', 'w')\nprint('module {\\n}')")
    (tmp_path / "fathom.toml").write_text('[tool.theirs]\ncommand = ["./theirs"]\npipeline = "--a --b"\n')
    options = {"projectTools": True} if allowed else {}
    async with started(folder=tmp_path, options=options) as session:
        buffer = session.open(SOURCE)
        await until_there(buffer, "theirs:b")
        shown = await shown_by(buffer, "theirs:b")
        if allowed:
            assert (shown["stale"], shown["text"]) == (False, "module {\n}\n")
        else:
            assert "the setting `fathom.projectTools` allows it; it would run: ./theirs" in shown["staleReason"]
    assert await asyncio.to_thread(os.path.exists, f"{tool}.ran") is allowed


@pytest.mark.parametrize("guards", [False, True])
async def test_what_may_come_from_a_project_allows_nothing(tmp_path: Path, guards: bool) -> None:
    """Emacs takes settings from `.dir-locals.el`, and nothing tells them from the user's."""
    tool = tool_in(tmp_path, "theirs", "open(__file__ + '.ran', 'w')\nprint('module {\\n}')")
    (tmp_path / "fathom.toml").write_text('[tool.theirs]\ncommand = ["./theirs"]\npipeline = "--a"\n')
    said = {"projectTools": True, "tools": {"more": {"command": [tool], "pipeline": "--a"}}}
    can = capabilities(configuration=True)
    can.experimental = {"fathom": {"guardsSettings": guards}}
    async with started(can, scoped={tmp_path: said}, configuration=said) as session:
        buffer = session.open(SOURCE)
        await until_there(buffer, "theirs:a")
        assert (await shown_by(buffer, "theirs:a"))["stale"] is not guards
        listed = [each["id"] for each in await buffer.ask("fathom/stages", function="f")]
        assert ("more:a" in listed) is guards
    assert await asyncio.to_thread(os.path.exists, f"{tool}.ran") is guards


@pytest.mark.parametrize(
    "said", [{"run": {"contained": False}, "dialectCode": True}, {"run.contained": False, "dialectCode": True}]
)
async def test_what_may_come_from_a_project_lets_no_code_out(said: dict[str, Any]) -> None:
    """How programs are contained and whether its Python runs is not for a project to say."""
    for guards in (False, True):
        configuration = Configuration()
        configuration.guards = guards
        assert not configuration.take({**said, "maximumProblems": 3})
        settings = configuration.general
        assert (settings.limits.contained, settings.dialect_code) == (not guards, guards)


def check_project(text: str, *findings: str, runs_tools: bool = True) -> None:
    """What is said of a `fathom.toml`, each behind its line."""
    file = ProjectFile("/work/fathom.toml", text, runs_tools=runs_tools)
    file.read()
    assert [f"{each.place.line + 1}: {each.severity}: {each.message}" for each in file.findings] == [*findings]


async def test_what_is_wrong_with_the_tools_of_a_project_is_at_its_line() -> None:
    check_project('[tool.a]\ncommand = ["a", "--x"]\npipeline = "builtin.module(b)"\ntimeoutSeconds = 2\n')
    check_project('[tool.a]\ncommand = "a"\n', "2: error: expected a list of words, the program first")
    check_project('[tool.a]\npipeline = "--b"\n', "1: error: expected a list of words, the program first")
    check_project(
        '[tool.a]\ncommand = ["a"]\npipeline = "b"\nmemoryMegabytes = -1\nshell = true\n',
        "5: error: expected one of command, pipeline, timeoutSeconds, memoryMegabytes",
        "3: error: 'b' is no flag; write flags, or builtin.module(…)",
        "4: error: expected a positive number",
    )
    check_project(
        '[tool.a]\ncommand = ["rm", "-rf", "a b"]\n',
        "2: note: a tool that a project names is run only where the setting `fathom.projectTools` allows it; it would "
        "run: rm -rf 'a b'",
        runs_tools=False,
    )
    check_project("projectTools = true\n", "1: error: unknown key 'projectTools'")


async def test_settings_name_tools_and_come_before_those_of_a_project() -> None:
    said = {"tools": {"a.b": {"command": ["x"], "timeoutSeconds": 3}, "c": {"command": []}}}
    settings, problems = updated(Settings(), said)
    assert [(problem.key, problem.message) for problem in problems] == [
        ("tools.c.command", "expected a list of words, the program first")
    ]
    (own,) = settings.tools
    assert (own.name, own.command, own.seconds, own.is_allowed) == ("a.b", ("x",), 3.0, True)
    folder = Path("/work")
    theirs = (Tool("a.b", ("evil",), folder=folder), Tool("d", ("evil",), folder=folder))
    both = with_tools(settings, theirs, folder).tools
    assert [(tool.name, tool.command, tool.is_allowed, tool.folder) for tool in both] == [
        ("a.b", ("x",), True, folder),
        ("d", ("evil",), False, folder),
    ]
    allowing, _ = updated(settings, {"projectTools": True})
    assert [tool.is_allowed for tool in with_tools(allowing, theirs, folder).tools] == [True, True]


async def test_what_each_pass_of_a_tool_did(session: Session) -> None:
    """The tool runs once for all of its stages; previews show what it told."""
    buffer = session.open(SOURCE)
    answer = await buffer.ask("fathom/timeline", function="f", tool="mlir-opt")
    assert [(row["stage"], row["changed"], row["steps"]) for row in answer["passes"]] == [
        ("mlir-opt:convert-arith-to-llvm", True, 0),
        ("mlir-opt:convert-func-to-llvm", True, 0),
        ("mlir-opt:reconcile-unrealized-casts", False, 0),
    ]
    assert "milliseconds" not in answer["passes"][0]
    last = "mlir-opt:convert-func-to-llvm"
    difference = await buffer.ask("fathom/difference", function="f", before="source", after=last)
    assert "arith.muli" in difference["before"]["text"]
    assert difference["after"]["text"] == (await shown_by(buffer, last))["text"]
    sides = difference["before"]["text"].split("\n"), difference["after"]["text"].split("\n")
    changed = [
        (
            each["kind"],
            *[
                [text[at["start"]["line"]].strip() for at in each[side]]
                for side, text in zip(("before", "after"), sides, strict=True)
            ],
        )
        for each in difference["changes"]
    ]
    assert changed == [
        ("rewritten", ["func.func @f(%arg0: i32) -> i32 {"], ["llvm.func @f(%arg0: i32) -> i32 {"]),
        ("rewritten", ["%c3_i32 = arith.constant 3 : i32"], ["%0 = llvm.mlir.constant(3 : i32) : i32"]),
        ("rewritten", ["%0 = arith.muli %arg0, %c3_i32 : i32"], ["%1 = llvm.mul %arg0, %0 : i32"]),
        ("rewritten", ["%1 = arith.addi %0, %arg0 : i32"], ["%2 = llvm.add %1, %arg0 : i32"]),
        ("rewritten", ["return %1 : i32"], ["llvm.return %2 : i32"]),
    ]
    blame = await buffer.ask("fathom/blame", function="f", stage=last)
    whose = {
        line.strip(): who and who["title"] for line, who in zip(blame["text"].split("\n"), blame["lines"], strict=False)
    }
    assert whose["%2 = llvm.add %1, %arg0 : i32"] == "convert-arith-to-llvm"
    assert whose["llvm.return %2 : i32"] == "convert-func-to-llvm"
    assert whose["module {"] is None


async def test_a_tool_runs_once_for_all_of_its_stages(session: Session, folder: Path) -> None:
    oracles.require_tool("mlir-opt")
    buffer = session.open(SOURCE)
    assert len((await buffer.ask("fathom/timeline", function="f", tool="counted"))["passes"]) == 3
    assert not (await shown_by(buffer, "counted:convert-arith-to-llvm"))["stale"]
    assert (folder / "runs").read_text() == "run\n"


@pytest.mark.parametrize(
    ("tool", "problem"), [("refuses", "Unknown command line argument"), ("hangs", "was not over"), ("dies", "SIGABRT")]
)
async def test_a_bad_tool_costs_its_timeline_alone(session: Session, tool: str, problem: str) -> None:
    answer = await session.open(SOURCE).ask("fathom/timeline", function="f", tool=tool)
    assert problem in answer["problem"]


async def test_what_a_tool_cannot_tell(session: Session) -> None:
    buffer = session.open(SOURCE)
    steps = await buffer.ask("fathom/steps", function="f", stage="mlir-opt:convert-func-to-llvm")
    assert steps["problem"] == "what mlir-opt does within a pass is not known"
    mixed = await buffer.ask(
        "fathom/difference", function="f", before="convert-arith-to-llvm", after="mlir-opt:convert-func-to-llvm"
    )
    assert mixed["problem"] == "stages of a tool are compared with each other, and with the source"
    own = await buffer.ask("fathom/blame", function="f", stage="convert-arith-to-llvm", tool="mlir-opt")
    assert own["problem"] == mixed["problem"]
    with pytest.raises(JsonRpcException, match="there is no tool 'other'"):
        await buffer.ask("fathom/timeline", function="f", tool="other")


async def test_a_graph_of_what_a_tool_made(session: Session) -> None:
    buffer = session.open(SOURCE)
    stage = "mlir-opt:convert-func-to-llvm"
    graph = await buffer.ask("fathom/graph", kind="data-flow", stage=stage, function="f")
    shown = (await shown_by(buffer, stage))["text"].split("\n")
    titles = {node["title"]: node for node in graph["nodes"]}
    node = titles["%2 = llvm.add"]
    assert "llvm.add" in shown[node["target"]["start"]["line"]]
    assert "arith.addi" in buffer.text.split("\n")[node["source"]["start"]["line"]]
    calls = await buffer.ask("fathom/graph", kind="calls", stage=stage)
    assert [each["title"] for each in calls["nodes"]] == ["@f", "@g"]
