"""Names across the files of a workspace: which symbols of two files are one, and what is asked about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from fathom.context import default_context
from fathom_server.features.across import all_references, declarations, definitions, implementations
from fathom_server.features.edits import Refusal
from fathom_server.features.index_entry import index_entry
from fathom_server.features.rename import may_be_elsewhere, rename_everywhere
from fathom_server.features.workspace import Place
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from fathom_server.model.snapshot import Snapshot
from tests.server.answers import edited, shown
from tests.server.client import Session, started
from tests.server.fixture import MARK, unmark


class Texts:
    """A workspace of texts; the one with a mark is where it is asked."""

    def __init__(self, **texts: str) -> None:
        self.documents: dict[str, Document] = {}
        for name, marked in texts.items():
            text, offsets = unmark(marked)
            self.documents[name] = Document(name, 1, text, default_context(), Settings())
            if offsets:
                self.asked, (self.offset,) = name, offsets

    def linked(self, name: str) -> Sequence[str]:
        indexed = ((uri, index_entry(document.snapshot())) for uri, document in self.documents.items())
        return [
            uri for uri, entry in indexed if any(symbol.name == name and symbol.is_linked for symbol in entry.symbols)
        ]

    def snapshot(self, uri: str) -> Snapshot | None:
        return self.documents[uri].snapshot()

    def places(self, ask: Callable[..., list[Place]], *more: Any) -> str:
        """The places that are found, by files."""
        here = self.snapshot(self.asked)
        assert here is not None
        places = ask(here, self, self.offset, *more)
        uris = dict.fromkeys(place.snapshot.uri for place in places)
        return "".join(
            f"{uri}:\n{shown(self.documents[uri].tree.text, [p for p in places if p.snapshot.uri == uri])}"  # type: ignore[misc]
            for uri in uris
        )

    def renamed(self, name: str) -> dict[str, str] | str:
        """The files that change, as they are then; or why none may."""
        here = self.snapshot(self.asked)
        assert here is not None
        made = rename_everywhere(here, self, self.offset, name)
        if isinstance(made, Refusal):
            return made.reason
        return {edit.snapshot.uri: edited(edit.snapshot.tree.text, list(edit.replacements)) for edit in made}


DEFINED = "func.func @f(%a: i32) {\n  call @f(%a) : (i32) -> ()\n  return\n}\n"
DECLARED = "func.func private @f(i32)\nfunc.func @g(%a: i32) {\n  call @f(%a) : (i32) -> ()\n  return\n}\n"
OTHER = "func.func private @f(i64)\n"


def test_a_declaration_leads_to_the_definition_and_back() -> None:
    at_use = DECLARED.replace("call @", f"call @{MARK}")
    texts = Texts(a=at_use, b=DEFINED, c=OTHER)
    definition = "b:\n  1  func.func ⟦@f⟧(%a: i32) {\n"
    assert texts.places(definitions) == definition
    assert texts.places(implementations) == definition
    assert texts.places(declarations) == "a:\n  1  func.func private ⟦@f⟧(i32)\n"
    assert texts.places(all_references, False) == (
        "a:\n  3    call ⟦@f⟧(%a) : (i32) -> ()\nb:\n  2    call ⟦@f⟧(%a) : (i32) -> ()\n"
    )
    texts = Texts(a=DEFINED.replace("@f(%a: ", f"@{MARK}f(%a: "), b=DECLARED, c=OTHER, d=DECLARED)
    assert texts.places(definitions) == "a:\n  1  func.func ⟦@f⟧(%a: i32) {\n"
    assert texts.places(declarations) == (
        "b:\n  1  func.func private ⟦@f⟧(i32)\nd:\n  1  func.func private ⟦@f⟧(i32)\n"
    )


def test_what_nothing_declares_leads_to_what_is_called_so_elsewhere() -> None:
    texts = Texts(a=f"func.func @g() {{\n  call @{MARK}f() : () -> ()\n  return\n}}\n", b=DEFINED, c=OTHER)
    assert texts.places(definitions) == "b:\n  1  func.func ⟦@f⟧(%a: i32) {\n"
    assert texts.places(all_references, True) == "a:\n  2    call ⟦@f⟧() : () -> ()\n"


@pytest.mark.parametrize(
    "other",
    [
        "func.func private @f(%a: i32) {\n  return\n}\n",
        "module @m {\n  module @n {\n    func.func private @f(i32)\n  }\n}\n",
        "gpu.module @m {\n  func.func @f(%a: i32) {\n    return\n  }\n}\n",
        "func.func private @f(i32)\n// -----\nfunc.func private @g(i32)\n",
        "func.func private @f(i64)\n",
        "llvm.func internal @f(%a: i32) {\n  llvm.return\n}\n",
        'func.func @g() {\n  "use"() {a = "@f", b = "f"} : () -> () // @f\n  return\n}\n',
    ],
    ids=["private", "nested", "in a table of its own", "divided", "of another type", "internal", "a string"],
)
def test_what_is_only_called_alike_stays(other: str) -> None:
    texts = Texts(a=DEFINED.replace("@f(%a: ", f"@{MARK}f(%a: "), b=other)
    assert texts.places(all_references, True).count(":\n") == 1
    assert texts.renamed("h") == {"a": DEFINED.replace("@f", "@h")}


def test_where_two_files_define_a_name_each_is_its_own() -> None:
    texts = Texts(a=DEFINED.replace("@f(%a: ", f"@{MARK}f(%a: "), b=DEFINED, c=DECLARED)
    assert texts.renamed("h") == {"a": DEFINED.replace("@f", "@h")}
    texts = Texts(a=DECLARED.replace("call @", f"call @{MARK}"), b=DEFINED, c=DEFINED)
    assert texts.renamed("h") == {"a": DECLARED.replace("@f", "@h")}
    assert texts.places(definitions).count("func.func ⟦@f⟧") == 2


def test_a_name_is_another_in_all_files_where_it_is_the_same() -> None:
    generic = (
        '"func.func"() <{function_type = (i32) -> (), sym_name = "f", sym_visibility = "private"}> ({\n}) : () -> ()\n'
    )
    module = "module {\n  func.func private @f(i32)\n}\n"
    for asked in ("a", "b"):
        texts = Texts(
            a=DEFINED.replace("@f(%a: ", f"@{MARK}f(%a: ") if asked == "a" else DEFINED,
            b=DECLARED.replace("call @", f"call @{MARK}") if asked == "b" else DECLARED,
            c=OTHER,
            d=generic,
            e=module,
        )
        assert texts.renamed("two words") == {
            "a": DEFINED.replace("@f", '@"two words"'),
            "b": DECLARED.replace("@f", '@"two words"'),
            "d": generic.replace('"f"', '"two words"'),
            "e": module.replace("@f", '@"two words"'),
        }


def test_what_would_mean_something_else_in_another_file_is_refused() -> None:
    texts = Texts(a=DEFINED.replace("@f(%a: ", f"@{MARK}f(%a: "), b=DECLARED)
    assert texts.renamed("g") == "b: '@g' is defined in line 2 already"
    texts = Texts(a=DEFINED.replace("@f(%a: ", f"@{MARK}f(%a: "), b=DECLARED, c="func.func private @h()\n")
    assert texts.renamed("h") == "'@h' is a symbol of c already"


def test_only_what_may_be_in_other_files_waits_for_them() -> None:
    for marked, expected in (
        (f"func.func @{MARK}f()\n", True),
        (f"func.func private @{MARK}f()\n", True),
        (f"func.func private @{MARK}f() {{\n  return\n}}\n", False),
        (f"func.func @f(%{MARK}a: i32) {{\n  return\n}}\n", False),
        (f"func.func @{MARK}f()\n// -----\n", False),
    ):
        text, (offset,) = unmark(marked)
        snapshot = Document("a", 1, text, default_context(), Settings()).snapshot()
        assert may_be_elsewhere(snapshot, offset) == expected, marked


# ---- through a real process


async def place(session: Session, folder: Path, name: str, marked: str) -> types.TextDocumentPositionParams:
    """Opens a file at a mark."""
    text, (offset,) = unmark(marked)
    uri = (folder / name).as_uri()
    session.client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "mlir", 7, text)))
    before = text[:offset]
    at = types.Position(before.count("\n"), len(before.rpartition("\n")[2]))
    return types.TextDocumentPositionParams(types.TextDocumentIdentifier(uri), at)


def lines(places: Any) -> list[str]:
    return [
        f"{Path(answered.uri).name}:{answered.range.start.line}:{answered.range.start.character}" for answered in places
    ]


@pytest.mark.asyncio
async def test_files_that_are_not_open_are_read_and_changed(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text(DEFINED)
    (tmp_path / "b.mlir").write_text("// is another text in the editor\n")
    async with started(folder=tmp_path) as session:
        at = await place(session, tmp_path, "b.mlir", DECLARED.replace("call @", f"call @{MARK}"))
        where = at.text_document, at.position
        # A new name waits until all files are known.
        edit = await session.client.text_document_rename_async(types.RenameParams(*where, "@h"))
        assert edit is not None
        assert edit.document_changes is not None
        changed = [change for change in edit.document_changes if isinstance(change, types.TextDocumentEdit)]
        assert [
            (Path(change.text_document.uri).name, change.text_document.version, len(change.edits)) for change in changed
        ] == [("b.mlir", 7, 2), ("a.mlir", None, 2)]
        places = await session.client.text_document_definition_async(types.DefinitionParams(*where))
        assert lines(places) == ["a.mlir:0:10"]
        places = await session.client.text_document_implementation_async(types.ImplementationParams(*where))
        assert lines(places) == ["a.mlir:0:10"]
        places = await session.client.text_document_declaration_async(types.DeclarationParams(*where))
        assert lines(places) == ["b.mlir:0:18"]
        params = types.ReferenceParams(types.ReferenceContext(True), *where)
        places = await session.client.text_document_references_async(params)
        assert lines(places) == ["b.mlir:0:18", "b.mlir:2:7", "a.mlir:0:10", "a.mlir:1:7"]
        # The definition, in a file that is not open, and whoever calls it.
        prepare = types.CallHierarchyPrepareParams(*where)
        (item,) = list(await session.client.text_document_prepare_call_hierarchy_async(prepare) or ())
        assert (item.name, Path(item.uri).name, item.selection_range.start) == ("@f", "a.mlir", types.Position(0, 10))
        callers = await session.client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(item))
        assert [(call.from_.name, [at.start.line for at in call.from_ranges]) for call in callers or ()] == [
            ("@f", [1]),
            ("@g", [2]),
        ]
        caller = list(callers or ())[1]
        called = await session.client.call_hierarchy_outgoing_calls_async(
            types.CallHierarchyOutgoingCallsParams(caller.from_)
        )
        assert [(call.to.name, Path(call.to.uri).name) for call in called or ()] == [("@f", "a.mlir")]


@pytest.mark.asyncio
async def test_a_value_leads_to_the_alias_of_its_type() -> None:
    text = "!t = memref<4xf32>\n!u = i32\nfunc.func @f(%a: !t, %b: memref<4xf32>, %c: i64) {\n  return\n}\n"
    async with started() as session:
        buffer = session.open(text)
        for needle, beyond, expected in (
            ("%a", 1, ["buffer1.mlir:0:0"]),
            ("%b", 1, ["buffer1.mlir:0:0"]),
            ("%c", 1, []),
            ("!t,", 1, ["buffer1.mlir:0:0"]),
            ("@f", 1, []),
        ):
            params = types.TypeDefinitionParams(buffer.identifier, buffer.at(needle, beyond))
            assert lines(await session.client.text_document_type_definition_async(params)) == expected, needle
