"""Python beside a description, in the editor: run where a setting allows it, beside the server, and kept from all but
computing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from fathom.descriptions.files import DialectFile, dialects_in
from fathom_server.model.document import Document
from fathom_server.model.own_code import standing_in
from fathom_server.model.settings import Settings
from fathom_server.session.beside.messages import Described
from fathom_server.session.beside.process import BesideProcess
from fathom_server.session.own_code.asking import see
from tests.dialect.test_page import BLOCK, FILE, PAGE
from tests.server import beside_work
from tests.server.client import ROOT, Session, capabilities, started
from tests.server.test_beside import do, goes_on, gone

SMALL = """\
func.func @f(%a: !toy.matrix<2 by 3>) -> !toy.matrix<3 by 2> {
  %0 = toy.transpose %a : !toy.matrix<2 by 3> -> !toy.matrix<3 by 2>
  return %0 : !toy.matrix<3 by 2>
}
"""
WRONG = SMALL.replace("3 by 2", "2 by 3")
VERIFIES = "from fathom.dialect import verifies\n@verifies('toy.transpose')\ndef f(op):\n"
ALLOWED: dict[str, Any] = {"dialectCode": True, "diagnostics": {"lowering": "always"}}


def files_of_the_page() -> dict[str, str]:
    """The files that the page has written, by their names."""
    files: dict[str, str] = {}
    start = 0
    for match in BLOCK.finditer(PAGE):
        names = FILE.findall(PAGE[start : match.start()])
        if match[1] != "console" and names:
            name = names[-1][1]
            files[name] = f"{files.get(name, '')}\n{match[2]}"
        start = match.end()
    return files


FILES = files_of_the_page()


def folder_with(folder: Path, code: str | None = None) -> Path:
    """A folder with the dialect of the page, or with other code in its place; the path of the code."""
    (folder / "toy.toml").write_text(FILES["toy.toml"], encoding="utf-8")
    (folder / "toy.py").write_text(code if code is not None else FILES["toy.py"], encoding="utf-8")
    (folder / "fathom.toml").write_text('dialects = ["toy.toml", "toy.py"]\n', encoding="utf-8")
    return folder / "toy.py"


def changed(session: Session, path: Path) -> None:
    event = types.FileEvent(path.as_uri(), types.FileChangeType.Changed)
    session.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


async def said_of(session: Session, path: Path, holds: Callable[[list[str]], object]) -> list[str]:
    """What is said of a file, each with its line, once it is so."""

    def look() -> list[str] | None:
        diagnostics = session.published.get((path.as_uri(), None))
        told = [f"{diagnostic.range.start.line + 1}: {diagnostic.message}" for diagnostic in diagnostics or ()]
        return told if diagnostics is not None and holds(told) else None

    return await session.until(look, lambda: f"{session.published}\n{session.log}")


async def until_known(session: Session) -> None:
    """Waits until the code counts."""
    buffer = session.open(WRONG)
    await buffer.diagnostics(lambda messages: any("exchanges rows and columns" in message for message in messages))
    buffer.close()


async def test_verifiers_patterns_and_changes_of_them_count(tmp_path: Path) -> None:
    code = folder_with(tmp_path)
    async with started(capabilities(watches_files=True), folder=tmp_path, options=ALLOWED) as session:
        buffer = session.open(WRONG)
        await buffer.diagnostics(lambda messages: any("exchanges rows and columns" in message for message in messages))
        code.write_text(code.read_text("utf-8").replace("exchanges rows and columns", "turns"), encoding="utf-8")
        changed(session, code)
        await buffer.diagnostics(lambda messages: any("'toy.transpose' op turns" in message for message in messages))

        buffer.set(SMALL)
        await buffer.diagnostics(lambda messages: not messages)
        preview = await buffer.ask("fathom/preview", stage="lower-toy", function="f")
        assert "memref.load %arg0[%arg2, %arg1]" in preview["text"]
        preview = await buffer.ask("fathom/preview", stage="llvm-ir", function="f")
        assert "define" in preview["text"]
        assert "llvm.call @malloc" in await buffer.hover(buffer.at("toy.transpose", 2))


async def test_a_program_runs(tmp_path: Path) -> None:
    folder_with(tmp_path)
    async with started(capabilities(), folder=tmp_path, options=ALLOWED) as session:
        await until_known(session)
        buffer = session.open(FILES["program.mlir"])
        await buffer.diagnostics(lambda messages: not messages)
        outcome = await buffer.run("main")
        assert outcome["output"].split() == ["2,", "32,", "8,", "50,", "18,", "72,"]


async def test_a_function_is_lowered_in_place(tmp_path: Path) -> None:
    folder_with(tmp_path)
    async with started(capabilities(), folder=tmp_path, options=ALLOWED) as session:
        await until_known(session)
        buffer = session.open(SMALL)
        await buffer.diagnostics(lambda messages: not messages)
        action = await buffer.lowering(buffer.at("@f"))
        assert "llvm.load" in str(action.edit)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1\n1 / 0\n", "2: ZeroDivisionError: division by zero"),
        ("x = [0]\nwhile True:\n    x += x\n", "3: MemoryError"),
        ("import os\nos.fork()\n", "2: PermissionError: code of a workspace may read files"),
        ("import os\nos._exit(3)\n", "1: the code ended its process with status 3"),
        ("from fathom.dialect import verifies\n@verifies('toy.nix')\ndef f(op): ...\n", "no operation 'toy.nix'"),
        ("def f(:\n", "1: SyntaxError"),
    ],
)
async def test_what_fails_is_a_mistake_at_its_line(tmp_path: Path, code: str, expected: str) -> None:
    path = folder_with(tmp_path, code)
    async with started(capabilities(), folder=tmp_path, options=ALLOWED) as session:
        await said_of(session, path, lambda messages: any(expected in message for message in messages))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("op.inptu", "AttributeError: 'toy.transpose' has no 'inptu'"),
        ("return 'x' * (8 << 30)", "MemoryError"),
        ("open('written', 'w')", "Error"),
    ],
)
async def test_a_function_that_fails_ends_nothing_else(tmp_path: Path, body: str, expected: str) -> None:
    folder_with(tmp_path, f"{VERIFIES}    {body}\n")
    async with started(capabilities(), folder=tmp_path, options=ALLOWED) as session:
        buffer = session.open(SMALL)
        await buffer.diagnostics(lambda messages: any(expected in message for message in messages))


VERIFIER = "from fathom.dialect import *\n@verifies('toy.transpose')\ndef f(op):\n    op.inptu\n"
CONVERSION = "from fathom.dialect import *\n@converts('toy.matrix')\ndef f(type):\n    é = type.rows\n"
PATTERN = FILES["toy.py"].replace("op.input, [column, row]", "op.inptu, [column, row]")
FOLD = FILES["toy.py"].replace("    inner = defined_by", "    return op.input.type\n    inner = defined_by")
FAULTS = [
    (
        VERIFIER,
        "4: AttributeError: 'toy.transpose' has no 'inptu'; it has input, output\nwhile 'toy.transpose' was verified",
    ),
    (CONVERSION, "4: AttributeError: 'DialectType' object has no attribute 'rows'"),
    (PATTERN, "'toy.transpose' was lowered"),
    (FOLD, ": a fold returns nothing, or for each result a value"),
]


@pytest.mark.parametrize(("code", "expected"), FAULTS, ids=["verifier", "conversion", "pattern", "fold"])
async def test_a_fault_is_a_mistake_at_its_line_and_at_the_operation(tmp_path: Path, code: str, expected: str) -> None:
    path = folder_with(tmp_path, code)
    async with started(capabilities(watches_files=True), folder=tmp_path, options={"dialectCode": True}) as session:
        buffer = session.open(SMALL)
        told = await said_of(session, path, lambda messages: any(expected in line for line in messages))
        assert len(told) == 1
        message = told[0].partition(": ")[2].partition("\n")[0]
        await buffer.diagnostics(lambda messages: any(message in line for line in messages))
        (shown,) = await buffer.raw_diagnostics()
        (there,) = [*(shown.related_information or ())]
        assert (there.location.uri, str(there.location.range.start.line + 1)) == (
            path.as_uri(),
            told[0].partition(":")[0],
        )
        # It is gone with the document, with what it is about, and when it is mended.
        buffer.close()
        await said_of(session, path, lambda messages: not messages)
        buffer = session.open(SMALL)
        await said_of(session, path, lambda messages: any(expected in line for line in messages))
        buffer.set("func.func @f() {\n  return\n}\n")
        await said_of(session, path, lambda messages: not messages)
        buffer.set(SMALL)
        await said_of(session, path, lambda messages: any(expected in line for line in messages))
        path.write_text(FILES["toy.py"], encoding="utf-8")
        changed(session, path)
        await said_of(session, path, lambda messages: not messages)
        await buffer.diagnostics(lambda messages: not messages)


async def test_a_fault_of_the_translation_is_told(tmp_path: Path) -> None:
    page = FILES["toy.py"].replace("import Op,", "import Op, amends,")
    path = folder_with(tmp_path, f"{page}\n@amends('toy.hot')\ndef f(op, value, amended):\n    value.nix\n")
    text = "llvm.func @f() attributes {toy.hot = 1 : i64} {\n  llvm.return\n}\n"
    async with started(capabilities(), folder=tmp_path, options=ALLOWED) as session:
        await until_known(session)
        buffer = session.open(text)
        line, said = page.count("\n") + 4, "AttributeError: 'int' object has no attribute 'nix'"
        await said_of(
            session, path, lambda messages: any(message.startswith(f"{line}: {said}") for message in messages)
        )
        await buffer.diagnostics(lambda messages: any(said in message for message in messages))
        preview = await buffer.ask("fathom/preview", stage="llvm-ir", function="f")
        assert preview["staleReason"].startswith(f"toy.py, line {line}: {said}")


async def test_what_verifiers_find_is_said_whatever_the_settings_are(tmp_path: Path) -> None:
    folder_with(tmp_path)
    options = {"dialectCode": True, "diagnostics": {"lowering": "never"}}
    async with started(capabilities(), folder=tmp_path, options=options) as session:
        buffer = session.open(WRONG)
        await buffer.diagnostics(lambda messages: any("exchanges rows and columns" in message for message in messages))
        buffer.set(SMALL)
        await buffer.diagnostics(lambda messages: not messages)


PASSES = "--lower-toy --convert-scf-to-cf --convert-to-llvm --reconcile-unrealized-casts"


def named_in(place: str, passes: str, folder: Path) -> tuple[dict[str, Any], str]:
    """The options and the text of a session in which a pipeline is named: in the settings, the project, or the text."""
    folder_with(folder)
    own = folder / "fathom.toml"
    if place == "project":
        own.write_text(f'{own.read_text("utf-8")}pipeline = "{passes}"\n', encoding="utf-8")
    options = {"dialectCode": True, **({"pipeline": passes} if place == "settings" else {})}
    return options, (f"// RUN: fathom opt %s {passes} | fathom translate\n" if place == "text" else "") + SMALL


@pytest.mark.parametrize("place", ["settings", "project", "text"])
async def test_passes_of_ones_own_are_named_in_pipelines(tmp_path: Path, place: str) -> None:
    options, text = named_in(place, PASSES, tmp_path)
    async with started(capabilities(), folder=tmp_path, options=options) as session:
        await until_known(session)
        buffer = session.open(text)
        await buffer.diagnostics(lambda messages: not messages)
        stages = [stage["id"] for stage in await buffer.ask("fathom/stages", function="f")]
        assert stages[1:4] == ["lower-toy", "convert-scf-to-cf", "convert-to-llvm"]
        assert not session.log
        assert (tmp_path / "fathom.toml").as_uri() not in {uri for uri, _ in session.published}


async def test_another_pipeline_with_such_passes_counts_at_once(tmp_path: Path) -> None:
    options, text = named_in("project", "--lower-toy", tmp_path)
    own = tmp_path / "fathom.toml"
    async with started(capabilities(watches_files=True), folder=tmp_path, options=options) as session:
        buffer = session.open(text)
        await buffer.diagnostics(lambda messages: any("it was made by --lower-toy" in message for message in messages))
        own.write_text(own.read_text("utf-8").replace("--lower-toy", PASSES), encoding="utf-8")
        changed(session, own)
        await buffer.diagnostics(lambda messages: not messages)


@pytest.mark.parametrize("place", ["settings", "project"])
async def test_a_pass_that_no_code_has_is_said(tmp_path: Path, place: str) -> None:
    options, text = named_in(place, PASSES.replace("toy", "tyo"), tmp_path)
    said = "pipeline: Unknown command line argument '--lower-tyo'."
    async with started(capabilities(), folder=tmp_path, options=options) as session:
        if place == "project":
            await said_of(session, tmp_path / "fathom.toml", lambda messages: messages == [f"2: {said}"])
        else:
            await session.until(lambda: session.log or None)
            assert session.log == [f"fathom.{said}"]
        buffer = session.open(text)
        await buffer.diagnostics(lambda messages: not messages)
        stages = [stage["id"] for stage in await buffer.ask("fathom/stages", function="f")]
        assert "lower-toy" in stages


TOY = (DialectFile("toy.toml", FILES["toy.toml"]),)
SHORT = 0.5
"""Of the processor's time, for code that takes all that it gets."""


async def test_a_module_that_takes_too_long_is_ended() -> None:
    code = DialectFile("toy.py", "x = 1\nwhile True:\n    pass\n")
    (finding,) = (await see(TOY, [code], SHORT)).findings
    assert (finding.message, finding.place.line) == ("TimeoutError: it was not done after 0.5 seconds", 1)


async def test_a_function_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    code = DialectFile("toy.py", f"{VERIFIES}    exec('while True: pass')\n")
    seen = await see(TOY, [code])
    context = standing_in(dialects_in(TOY), seen.spoken)
    process = BesideProcess()
    process.use(context, Described(TOY, seen.code, seen.spoken, SHORT))
    document = Document("file:///f.mlir", 0, SMALL, context, Settings())
    try:
        answer = str(await do(process, document, beside_work.messages, 0))
    finally:
        process.close()
        await gone(process)
    assert "TimeoutError: it was not done after 0.5 seconds" in answer


async def test_a_fork_that_runs_code_does_not_go_on_with_an_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    seen = await see(TOY, [DialectFile("toy.py", f"{VERIFIES}    pass\n")])
    context = standing_in(dialects_in(TOY), seen.spoken)
    process = BesideProcess()
    process.use(context, Described(TOY, seen.code, seen.spoken))
    try:
        assert not await goes_on(process, Document("file:///f.mlir", 0, SMALL, context, Settings()), tries=3)
    finally:
        process.close()
        await gone(process)


@pytest.mark.parametrize("said_by", ["nobody", "the project"])
async def test_without_the_setting_nothing_is_run(tmp_path: Path, said_by: str) -> None:
    written = tmp_path / "written"
    folder_with(tmp_path, f"open({str(written)!r}, 'w')\n")
    own = tmp_path / "fathom.toml"
    if said_by == "the project":
        own.write_text(f"dialectCode = true\n{own.read_text('utf-8')}", encoding="utf-8")
    async with started(capabilities(), folder=tmp_path, options={}) as session:
        buffer = session.open(SMALL)
        await said_of(session, own, lambda messages: any("'toy.py' is Python" in message for message in messages))
        await buffer.diagnostics(bool)
        assert not written.exists()
        assert (tmp_path / "toy.py").as_uri() not in {uri for uri, _ in session.published}
