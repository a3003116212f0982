"""The action *Modernise to MLIR 22*: where it is offered, and what it makes."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from fathom.context import Context, context_of, default_context
from fathom_server.features.assists import modernise
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Refusal, edited
from fathom_server.features.lower import lower_function
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from fathom_server.model.snapshot import Snapshot
from tests.server.client import started

SPLAT = """\
func.func @{0}(%x: f32) -> vector<4xf32> {{
  %s = vector.splat %x : vector<4xf32>
  return %s : vector<4xf32>
}}
"""
GONE = """\
llvm.func @h(%p: !llvm.ptr<3>, %n: i32, %i: i1) {
  nvvm.mbarrier.init.shared %p, %n, predicate = %i : !llvm.ptr<3>, i32, i1
  llvm.return
}
"""
FORMER = """\
func @f(%m: memref<4xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
"""
TEXT = SPLAT.format("f") + SPLAT.format("g")
NOW = TEXT.replace("vector.splat %x : vector<4xf32>", "vector.broadcast %x : f32 to vector<4xf32>")


def snapshot_in(text: str, context: Context) -> Snapshot:
    return Document("file:///test.mlir", 1, text, context, Settings()).snapshot()


def titles(snapshot: Snapshot, start: int, end: int) -> list[str]:
    return [offer.title for offer in modernise.offered(Selection(snapshot, start, end))]


def made(snapshot: Snapshot, start: int, end: int) -> str:
    edit = modernise.modernised(snapshot, start, end)
    assert not isinstance(edit, Refusal), edit.reason
    return edited(snapshot.tree.text, edit)


def test_a_document_of_an_older_edition() -> None:
    snapshot = snapshot_in(TEXT, context_of("19"))
    assert titles(snapshot, 0, 0) == ["Modernise to MLIR 22"]
    assert made(snapshot, 0, len(TEXT)) == NOW


def test_the_comment_changes_with_the_last_of_what_changes() -> None:
    text, now = f"// MLIR: 19\n{TEXT}", f"// MLIR: 22\n{NOW}"
    snapshot = snapshot_in(text, context_of("19"))
    code, middle = text.index("func"), text.rindex("func")
    assert made(snapshot, code, len(text)) == now
    assert made(snapshot, 0, code) == text
    assert made(snapshot, 0, middle) == text[:code] + NOW[: NOW.rindex("func")] + text[middle:]


def test_what_passes_make_cannot_stand_in_an_older_document() -> None:
    snapshot = snapshot_in(FORMER, context_of("13"))
    refused = lower_function(snapshot, "f")
    assert isinstance(refused, Refusal)
    assert refused.reason.endswith("; passes make MLIR 22 of MLIR 13, so modernise the document first")
    assert lower_function(snapshot_in(NOW, default_context()), "f") != refused


def test_what_is_selected() -> None:
    snapshot = snapshot_in(TEXT, context_of("19"))
    middle = len(TEXT) // 2
    assert titles(snapshot, middle, len(TEXT)) == ["Modernise to MLIR 22", "Modernise what is selected to MLIR 22"]
    assert made(snapshot, middle, len(TEXT)) == SPLAT.format("f") + NOW[len(NOW) // 2 :]


def test_the_edition_is_found_out() -> None:
    assert made(snapshot_in(TEXT, default_context()), 0, len(TEXT)) == NOW


def test_a_document_of_today_has_no_such_action() -> None:
    assert titles(snapshot_in(NOW, default_context()), 0, 0) == []


def test_what_cannot_be_said_is_refused_with_its_line() -> None:
    text = TEXT + GONE
    refused = modernise.modernised(snapshot_in(text, context_of("19")), 0, len(text))
    assert isinstance(refused, Refusal)
    assert refused.reason == "line 10: 'nvvm.mbarrier.init.shared' has no counterpart in MLIR 22"


async def test_the_files_of_a_workspace(tmp_path: Path) -> None:
    old, new, gone = (tmp_path / f"{name}.mlir" for name in ("old", "new", "gone"))
    old.write_text(TEXT)
    new.write_text(NOW)
    gone.write_text(GONE)
    async with started(folder=tmp_path) as session:
        buffer = session.open("func.func @f() {\n  return\n}\n")
        answer = await session.command("fathom.moderniseWorkspace", buffer.uri)
        assert (answer["applied"], answer["files"]) == (True, 1), answer
        (left,) = answer["left"]
        assert left.endswith("has no counterpart in MLIR 22")
        edit = session.edits[-1]
        changed = {uri: str(edits) for uri, edits in (edit.changes or {}).items()}
        for change in edit.document_changes or ():
            assert isinstance(change, types.TextDocumentEdit)
            changed[change.text_document.uri] = str(change.edits)
        assert [uri.rpartition("/")[2] for uri in changed] == ["old.mlir"]
        assert all("vector.broadcast" in edits for edits in changed.values())
