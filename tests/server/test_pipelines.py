"""Where the pipeline is written: `fathom.toml`, a command in the text, the settings; and the fixes that change it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from fathom_server.lsp.pipelines import edit_of
from tests.server.client import Buffer, Session, capabilities, started
from tests.server.test_dialects import changed, check_wrong_in

TEXT = """\
func.func @f(%a: f32) -> f32 {
  %b = math.sqrt %a : f32
  return %b : f32
}
"""
SHORT = "--convert-func-to-llvm --reconcile-unrealized-casts"
LEFT = "2: 'math.sqrt' op was left behind by the lowering to the LLVM dialect"
MISSING = (
    f"{LEFT}\nthe pipeline does not run the pass convert-math-to-llvm\nadd --convert-math-to-llvm at the beginning"
)


async def check_left(buffer: Buffer, *expected: str) -> None:
    """What is said of the first version that says it."""
    await buffer.diagnostics(lambda messages: messages == list(expected))


async def offered(buffer: Buffer) -> types.CodeAction:
    (action,) = await buffer.fixes(buffer.at("math.sqrt"))
    return action


async def executed(session: Session, action: types.CodeAction) -> list[object]:
    """What the client is asked to change when the action is chosen."""
    assert action.command is not None
    answer = await session.command(action.command.command, *(action.command.arguments or []))
    assert answer["applied"] is True
    return list(session.edits[-1].document_changes or [])


async def test_the_pipeline_of_the_workspace(tmp_path: Path) -> None:
    configuration = tmp_path / "fathom.toml"
    configuration.write_text(f'# ours\npipeline = "{SHORT}"\n')
    async with started(capabilities(watches_files=True, creates_files=True), folder=tmp_path) as session:
        buffer = session.open(TEXT)
        await check_left(buffer, MISSING)
        action = await offered(buffer)
        assert action.title == "Add `convert-math-to-llvm` in `fathom.toml`"
        (edit,) = await executed(session, action)
        assert isinstance(edit, types.TextDocumentEdit)
        assert edit.text_document.uri == configuration.as_uri()
        (change,) = edit.edits
        assert isinstance(change, types.TextEdit)
        assert change.new_text == f'"--convert-math-to-llvm {SHORT}"'
        assert change.range.start == types.Position(1, len("pipeline = "))

        configuration.write_text(f"pipeline = {change.new_text}\n")
        changed(session, configuration)
        await check_left(buffer)

        configuration.write_text('pipeline = "--convert-nothing"\n')
        changed(session, configuration)
        await check_wrong_in(
            session, configuration, "1:13: pipeline: Unknown command line argument '--convert-nothing'."
        )
        configuration.write_text('pipeline = "builtin.module(func.func(cse,symbol-dce,convert-func-to-llvm))"\n')
        changed(session, configuration)
        await check_wrong_in(
            session,
            configuration,
            "1:13: pipeline: Can't add pass 'ConvertFuncToLLVMPass' restricted to 'builtin.module' on a PassManager "
            "intended to run on 'func.func', did you intend to nest?; nested where it can run: "
            "builtin.module(func.func(cse,symbol-dce),convert-func-to-llvm)",
        )
        configuration.write_text("pipeline = 1\n")
        changed(session, configuration)
        await check_wrong_in(session, configuration, "1:1: pipeline: expected a string")


async def test_the_file_is_created_where_there_is_none(tmp_path: Path) -> None:
    options = {"pipeline": SHORT}
    async with started(capabilities(creates_files=True), options, folder=tmp_path) as session:
        buffer = session.open(TEXT)
        await check_left(buffer, MISSING)
        created, edit = await executed(session, await offered(buffer))
        assert isinstance(created, types.CreateFile)
        assert isinstance(edit, types.TextDocumentEdit)
        assert created.uri == edit.text_document.uri == (tmp_path / "fathom.toml").as_uri()
        (change,) = edit.edits
        assert isinstance(change, types.TextEdit)
        assert change.new_text == f'pipeline = "--convert-math-to-llvm {SHORT}"\n'


async def test_a_command_in_the_text_comes_first(tmp_path: Path) -> None:
    (tmp_path / "fathom.toml").write_text(f'pipeline = "{SHORT}"\n')
    run = "// RUN: mlir-opt %s --convert-math-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts\n"
    async with started(folder=tmp_path) as session:
        buffer = session.open(run + TEXT)
        await check_left(buffer)
        buffer.edit((" --convert-math-to-llvm", ""))
        await check_left(buffer, MISSING.replace("2: ", "3: "))
        (action,) = await buffer.fixes(buffer.at("math.sqrt"))
        assert action.title == "Add `convert-math-to-llvm` in the command above"
        buffer.edit(("// RUN: ", "// "))
        await check_left(buffer, MISSING.replace("2: ", "3: "))
        buffer.edit(("// mlir-opt", "// RUN: mlir-opt"), ("--convert-func", "--convert-math-to-llvm --convert-func"))
        await check_left(buffer)


@pytest.mark.parametrize(
    "command",
    [
        # What lowers it is a pass of MLIR's tests, or another command.
        "mlir-opt %s --convert-func-to-llvm --reconcile-unrealized-casts -test-lower-to-llvm",
        "mlir-opt %s --convert-func-to-llvm --reconcile-unrealized-casts | mlir-opt --convert-math-to-llvm",
    ],
)
async def test_a_command_whose_passes_are_not_all_known_is_not_taken(command: str) -> None:
    async with started() as session:
        await check_left(session.open(f"// RUN: {command}\n{TEXT}"))


@pytest.mark.parametrize(
    ("text", "line", "start", "end", "new"),
    [
        ("", 0, 0, 0, 'pipeline = "x"\n'),
        ('dialects = ["a"]\n', 0, 0, 0, 'pipeline = "x"\n'),
        ('dialects = []\npipeline = "a \\" b" # c\n', 1, 11, 19, '"x"'),
        ("pipeline='a'\n", 0, 9, 12, '"x"'),
        ('[op.a]\npipeline = "a"\n', 0, 0, 0, 'pipeline = "x"\n'),
    ],
)
def test_the_edit_of_the_file(text: str, line: int, start: int, end: int, new: str) -> None:
    edit = edit_of(text, "x", "utf-16")
    assert edit == types.TextEdit(types.Range(types.Position(line, start), types.Position(line, end)), new)
