"""What is done ahead leaves nothing to do for the first operation of a name, and costs no message its turn."""

from __future__ import annotations

import builtins
from importlib import import_module
from pathlib import Path

import pytest
from lsprotocol import types

from fathom.context import Context
from fathom_server.lsp.server import create_server
from fathom_server.model.settings import Settings
from fathom_server.session import warming


def test_small_text_is_without_mistakes() -> None:
    from fathom_server.model.document import Document
    from fathom_server.session.opened import OpenDocument

    opened = OpenDocument(Document("", 0, warming.TEXT, Context(), Settings()))
    assert opened.document.tree.items
    for item in opened.document.tree.items:
        opened.check(item)
        opened.lower(item)
    assert not opened.findings.items


def test_definitions_are_made() -> None:
    context = Context()
    for step in warming.definitions(context):
        step()
    for name in warming.LIKELY:
        dialect = context.dialect(name)
        assert dialect is not None
        assert list(dialect.by_name)
        assert all("format" in vars(definition) for definition in dialect.by_name.values())


def test_what_was_renamed_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from fathom.editions import renames

    for step in warming.definitions(Context()):
        step()
    monkeypatch.setattr(renames, "TABLE", Path("nowhere.toml"))
    assert renames.old_name("std.addi") == "std.addi"


def test_the_modules_of_the_pipeline_are_loaded_one_by_one() -> None:
    modules = list(warming.modules(Settings()))
    assert "fathom.passes.conversions.convert_scf_to_cf.control_flow" in modules
    assert len(modules) == len(set(modules)) > 10
    for module in modules:
        import_module(module)


def test_what_reads_messages_is_made_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """To write the code that reads a message of a kind takes as long as a key may."""

    def compiled(*_: object, **__: object) -> None:
        raise AssertionError("code is written when the message has come")

    place = {"textDocument": {"uri": "file:///a"}, "position": {"line": 1, "character": 2}}
    message = {"jsonrpc": "2.0", "id": 1, "method": types.TEXT_DOCUMENT_HOVER, "params": place}
    protocol = create_server().protocol
    for step in protocol.prepare():
        step()
    monkeypatch.setattr(builtins, "compile", compiled)
    read = protocol.structure_message(message)
    assert isinstance(read, types.HoverRequest)
    assert read.params.position == types.Position(1, 2)
