"""Documents of several editions of MLIR at once: what says which, and what changes when that does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.client import Client
from fathom.diagnostics import OLDER_EDITION
from fathom_server.model.document import TextChange
from fathom_server.model.settings import Problem, Settings, updated
from fathom_server.session.opened import OpenDocument
from fathom_server.session.projects import ProjectFile
from fathom_server.session.session import Session
from tests.patience import PATIENCE
from tests.server.client import COMMAND

PUBLISH = "textDocument/publishDiagnostics"
FORMER = """\
func.func @f(%p: !llvm.ptr<i32>) -> !llvm.ptr<i32> {
  return %p : !llvm.ptr<i32>
}
"""
TODAY = "func.func @f(%p: !llvm.ptr) -> !llvm.ptr {\n  return %p : !llvm.ptr\n}\n"


class Published:
    """A session, and what was last said of each document: messages with the lines they are for."""

    def __init__(self) -> None:
        self.session = Session(self._publish, lambda opened: None)
        self.of: dict[str, list[str]] = {}

    def _publish(self, opened: OpenDocument) -> None:
        tree = opened.document.tree
        self.of[opened.document.uri] = [
            f"{tree.line_of(start + diagnostic.span.start)[0] + 1}: {diagnostic.message}"
            for item, start in tree.items.with_offsets()
            for diagnostic in opened.findings.of(item).mistakes.all
            if diagnostic.span is not None
        ]

    def check(self, uri: str, edition: str, *, is_wrong: bool) -> None:
        """Which edition a document is in, and whether anything is wrong with it."""
        assert self.session.documents[uri].document.context.language.edition == edition
        assert bool(self.of[uri]) == is_wrong, self.of[uri]


@pytest.fixture
def published() -> Iterator[Published]:
    published = Published()
    yield published
    published.session.shutdown()


async def test_two_documents_of_different_editions(published: Published) -> None:
    published.session.open("file:///a.mlir", 1, f"// MLIR: 16\n{FORMER}")
    published.session.open("file:///b.mlir", 1, TODAY)
    published.check("file:///a.mlir", "16", is_wrong=False)
    published.check("file:///b.mlir", "22", is_wrong=False)


async def test_the_comment_changes(published: Published) -> None:
    uri = "file:///a.mlir"
    published.session.open(uri, 1, FORMER)
    published.check(uri, "22", is_wrong=True)
    document = published.session.documents[uri].document
    document.apply(TextChange("// MLIR: 16\n", (0, 0), (0, 0)))
    assert document.context.language.edition == "16"
    document.apply(TextChange("22", (0, 9), (0, 11)))
    assert document.context.language.edition == "22"
    document.apply(TextChange("", (0, 0), (1, 0)))
    assert document.tree.text == FORMER


async def test_an_edit_below_the_first_line_of_code_changes_nothing(published: Published) -> None:
    uri = "file:///a.mlir"
    published.session.open(uri, 1, f"// MLIR: 16\n{FORMER}")
    document = published.session.documents[uri].document
    document.apply(TextChange("// MLIR: 22\n", (2, 0), (2, 0)))
    assert document.context.language.edition == "16"


async def test_a_setting_says_it(published: Published) -> None:
    uri = "file:///a.mlir"
    published.session.open(uri, 1, FORMER)
    assert not published.session.configure({"mlir": "16.0.6"})
    published.check(uri, "16", is_wrong=False)
    assert not published.session.configure({"mlir": ""})
    published.check(uri, "22", is_wrong=True)


def test_a_wrong_version_is_said() -> None:
    expected = 'expected a version of MLIR from 10 on, such as "19", or a folder, such as "./llvm"'
    for said in ("twelve", "9", True, 1.5, ["19"]):
        settings, problems = updated(Settings(mlir="16"), {"mlir": said})
        assert (settings.mlir, problems) == ("16", [Problem("mlir", expected)])


@pytest.mark.parametrize(("text", "edition"), [('mlir = "19"', "19"), ("mlir = 17", "18"), ("", "")])
def test_a_project_says_it(text: str, edition: str) -> None:
    assert ProjectFile("fathom.toml", text).read().mlir == edition


def test_what_is_wrong_in_a_project_has_its_place() -> None:
    file = ProjectFile("fathom.toml", 'mlir = "old"\n')
    assert file.read().mlir == ""
    assert [str(finding) for finding in file.findings] == [
        'fathom.toml:1:9: mlir: expected a version of MLIR from 10 on, such as "19", or a folder, such as "./llvm"'
    ]


OF_13 = "func @twice(%a: f32) -> f32 {\n  %0 = addf %a, %a : f32\n  return %0 : f32\n}\n"


def said_at_the_top(client: Client, version: int, patience: float = PATIENCE) -> str:
    """What is said of the age of a document, as soon as anything is, or else when nothing more comes in so many
    seconds."""
    age = ""
    while not age and (message := client.receive(patience)) is not None:
        if message.method == PUBLISH and message.params["version"] == version:
            age = next((d["message"] for d in message.params["diagnostics"] if d.get("code") == OLDER_EDITION), "")
    return age


def test_a_document_that_is_only_old_is_told_so() -> None:
    with Client((*COMMAND, "--stdio")) as client:
        client.initialize()
        document = client.open("file:///old.mlir", f"\n{OF_13}")
        says = '`// MLIR: 13` here, or `mlir = "13"` in fathom.toml'
        assert said_at_the_top(client, 0) == f"reads as MLIR 13: modernise it to MLIR 22, or say {says}"
        client.edit(document, 0, 0, 0, "// MLIR: 13")
        assert client.wait_for(PUBLISH, document.version).params["diagnostics"] == []


def test_a_document_that_is_wrong_in_each_release_is_of_none() -> None:
    with Client((*COMMAND, "--stdio")) as client:
        client.initialize()
        client.open("file:///wrong.mlir", OF_13.replace("%a, %a", "%a, %b"))
        assert said_at_the_top(client, 0, 3.0) == ""
