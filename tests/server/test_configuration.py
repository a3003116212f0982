"""Settings: of several folders, from the client and from `fathom.toml`; and what is said where they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom_server.model.settings import Problem, Settings, updated
from fathom_server.session.configuration import Configuration
from fathom_server.session.projects import ProjectFile, project_file
from tests.server.client import Buffer, capabilities, started
from tests.server.test_dialects import changed, check_wrong_in

TEXT = "func.func @f(%a: f32) -> f32 {\n  %b = math.sqrt %a : f32\n  return %b : f32\n}\n"
SHORT = "--convert-func-to-llvm --reconcile-unrealized-casts"
LEFT = "2: 'math.sqrt' op was left behind"


# ---- what fathom.toml says


def check_project(text: str, *wrong: str, pipeline: str = "", section: object = None) -> None:
    """What a file says, and what is wrong with it: `line:column: message`."""
    file = ProjectFile("fathom.toml", text)
    project = file.read()
    problems = [str(finding).removeprefix("fathom.toml:") for finding in file.findings]
    assert problems == list(wrong)
    assert project.pipeline == pipeline
    assert {name: table for name, table in project.section.items() if table} == (section or {})


def test_a_project_has_settings() -> None:
    text = "[run]\ntimeoutSeconds = 2\nchecked = false\n[diagnostics]\nlowering = false\n"
    check_project(text, section={"run": {"timeoutSeconds": 2, "checked": False}, "diagnostics": {"lowering": False}})


def test_a_pass_of_llvm_that_cannot_run_is_told_where_it_stands() -> None:
    file = ProjectFile("fathom.toml", '[compile]\noptimize = "function(sroa, licm),globaldce"\n')
    assert file.read().section["compile"] == {}
    (finding,) = file.findings
    where = "fathom.toml:2:28: compile.optimize: LLVM's pass 'licm' is none of those that llvmlite can run; there are "
    assert str(finding).startswith(where)


@pytest.mark.parametrize(
    ("table", "pipeline"),
    [
        ("", ""),
        ('convention = "default"', ""),
        ('convention = "bare-pointers"', "builtin.module(lower-to-llvm{use-bare-ptr-memref-call-conv=true})"),
        ('convention = "c-interface"', "builtin.module(func.func(llvm-request-c-wrappers),lower-to-llvm)"),
        ("indexBitwidth = 32", "builtin.module(lower-to-llvm{index-bitwidth=32})"),
        (
            'dataLayout = "e-p:32:32"\nallocation = "aligned"',
            "builtin.module(set-llvm-module-datalayout{data-layout=e-p:32:32},lower-to-llvm{use-aligned-alloc=true})",
        ),
        (
            'target = "riscv32-unknown-elf"',
            "builtin.module(set-llvm-module-datalayout{data-layout=e-m:e-p:32:32-i64:64-n32-S128},"
            "lower-to-llvm{index-bitwidth=32})",
        ),
        (
            'target = "riscv32-unknown-elf"\nindexBitwidth = 64\ndataLayout = "e"',
            "builtin.module(set-llvm-module-datalayout{data-layout=e},lower-to-llvm{index-bitwidth=64})",
        ),
    ],
)
def test_how_a_project_is_lowered(table: str, pipeline: str) -> None:
    check_project(f"[lowering]\n{table}\n", pipeline=pipeline)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("pipeline = ", "1:12: Invalid value"),
        ("# größer\npipline = 1", "2:1: pipline: unknown key 'pipline'; did you mean 'pipeline'?"),
        ("pipeline = 3", "1:1: pipeline: expected a string"),
        ('dialects = "x"', "1:1: dialects: expected a list of paths"),
        ("run = 3", "1:1: run: expected a table"),
        ("[run]\nchecked = 3", "2:1: run.checked: expected true or false"),
        ("[workspace]\nindex = 1", "2:1: workspace.index: expected true or false"),
        ("[workspace]\nindx = true", "2:1: workspace.indx: unknown key 'indx'; did you mean 'index'?"),
        ("[run]\ntimeoutSeconds = -1", "2:1: run.timeoutSeconds: expected a positive number"),
        (
            "[run]\ncontained = false",
            "2:1: run.contained: whether programs are contained is for the one who runs them to say",
        ),
        ("[run]\ncache = true", "2:1: run.cache: whether code of programs is kept is for the one who runs them to say"),
        (
            "[run]\ncache = false",
            "2:1: run.cache: whether code of programs is kept is for the one who runs them to say",
        ),
        ("[run]\ntimeout = 1", "2:1: run.timeout: unknown key 'timeout'; did you mean 'timeoutSeconds'?"),
        (
            '[lowering]\nconvention = "c"',
            "2:1: lowering.convention: expected one of 'default', 'bare-pointers', 'c-interface'",
        ),
        ("[lowering]\nindexBitwidth = 33", "2:1: lowering.indexBitwidth: expected 8, 16, 32 or 64"),
        (
            '[lowering]\ndataLayout = "y"',
            "2:1: lowering.dataLayout: invalid data layout descriptor: unknown specifier 'y'",
        ),
        (
            '[lowering]\ntarget = "z81"',
            '2:1: lowering.target: No available targets are compatible with triple "z81"',
        ),
    ],
)
def test_what_is_wrong_stands_at_its_own_line(text: str, wrong: str) -> None:
    check_project(f"{text}\n", wrong)


def test_a_pipeline_says_how_to_lower_itself() -> None:
    text = f'pipeline = "{SHORT}"\n[lowering]\nindexBitwidth = 32\n'
    check_project(
        text, "3:1: lowering.indexBitwidth: the pipeline says how to lower: its options belong there", pipeline=SHORT
    )


# ---- which settings are in force


def test_the_innermost_folder_counts(tmp_path: Path) -> None:
    (tmp_path / "fathom.toml").write_text(f'pipeline = "{SHORT}"\n[run]\ntimeoutSeconds = 3\n')
    file = project_file(tmp_path)
    assert file is not None
    configuration = Configuration()
    configuration.use_folders(["file:///a", "file:///a/b"])
    assert configuration.take({"run": {"timeoutSeconds": 1, "checked": False}}) == []
    assert configuration.take({"run": {"timeoutSeconds": 2}}, "file:///a") == []
    assert configuration.take({"pipeline": 3}, "file:///a/b") == [Problem("pipeline", "expected a string")]
    configuration.use_projects({"file:///a/b": file.read()})

    def seconds(uri: str) -> tuple[float, bool, bool]:
        settings = configuration.settings_for(uri)
        return settings.limits.seconds, settings.project is not None, settings.checked

    assert seconds("file:///a/x.mlir") == (2.0, False, False)
    assert seconds("file:///a/b/x.mlir") == (3.0, True, False)
    assert seconds("file:///a/bc.mlir") == (2.0, False, False)
    assert seconds("untitled:Untitled-1") == (2.0, False, False)
    configuration.use_folders([])
    assert seconds("file:///a/b/x.mlir") == (1.0, False, False)


def test_a_setting_of_the_wrong_type_keeps_its_value() -> None:
    settings, problems = updated(Settings(), {"run": {"checked": "x", "timeoutSeconds": 0}, "diagnostics": 5})
    assert settings == Settings()
    assert list(map(str, problems)) == [
        "fathom.diagnostics: expected an object",
        "fathom.run.checked: expected true or false",
        "fathom.run.timeoutSeconds: expected a positive number",
    ]


def test_what_is_not_said_any_more_does_not_hold() -> None:
    configuration = Configuration()
    configuration.use_folders(["file:///a"])
    configuration.begin({"run": {"timeoutSeconds": 5}})

    def check_seconds(section: object, folder: str | None, seconds: float, *wrong: str) -> None:
        assert list(map(str, configuration.take(section, folder))) == list(wrong)
        assert configuration.settings_for("file:///a/x.mlir").limits.seconds == seconds

    check_seconds({"run": {"timeoutSeconds": 2}}, None, 2)
    check_seconds({"run": {"timeoutSeconds": 3}}, "file:///a", 3)
    check_seconds(
        {"run": {"timeoutSeconds": "3"}}, "file:///a", 3, "fathom.run.timeoutSeconds: expected a positive number"
    )
    check_seconds(7, "file:///a", 3, "fathom: expected an object")
    check_seconds({"pipeline": SHORT}, "file:///a", 2)
    check_seconds({}, None, 5)


# ---- through the real server


async def check_left(buffer: Buffer, is_left: bool) -> None:
    await buffer.diagnostics(lambda messages: any(line.startswith(LEFT) for line in messages) is is_left)


async def test_each_folder_has_its_settings(tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in ("first", "second", "größe"))
    for folder in (first, second, third):
        folder.mkdir()
    (third / "fathom.toml").write_text(f'pipeline = "{SHORT}"\n')
    scoped = {first: {"pipeline": SHORT}, second: {}, third: {}}
    async with started(capabilities(configuration=True), configuration={}, scoped=scoped) as session:
        opened = [session.open(TEXT, f"{folder.as_uri()[8:]}/x.mlir") for folder in (first, second, third)]
        for buffer, is_left in zip(opened, (True, False, True), strict=True):
            await check_left(buffer, is_left)
        session.scoped[first.as_uri()] = {"pipeline": ""}
        session.scoped[second.as_uri()] = {"pipeline": SHORT}
        session.client.protocol.notify("workspace/didChangeConfiguration", _nothing())
        for buffer, is_left in zip(opened, (False, True, True), strict=True):
            await check_left(buffer, is_left)
        session.scoped[second.as_uri()] = {}
        session.client.protocol.notify("workspace/didChangeConfiguration", _nothing())
        await check_left(opened[1], False)


def _nothing() -> object:
    from lsprotocol import types

    return types.DidChangeConfigurationParams(None)


async def test_what_is_wrong_in_a_project_goes_when_it_is_mended(tmp_path: Path) -> None:
    configuration = tmp_path / "fathom.toml"
    configuration.write_text("[lowering]\nindexBitwidth = 3\n")
    async with started(capabilities(watches_files=True), folder=tmp_path) as session:
        buffer = session.open(TEXT)
        await check_wrong_in(session, configuration, "2:1: lowering.indexBitwidth: expected 8, 16, 32 or 64")
        configuration.write_text(f'pipeline = "{SHORT}"\n')
        changed(session, configuration)
        await check_wrong_in(session, configuration)
        await check_left(buffer, True)
