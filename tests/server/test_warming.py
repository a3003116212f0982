"""What is done ahead leaves nothing to do for the first operation of a name, and costs no message its turn."""

from __future__ import annotations

from importlib import import_module

from fathom.context import Context
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
    assert not opened.problems
    assert not opened.stalls


def test_definitions_are_made() -> None:
    context = Context()
    for step in warming.definitions(context):
        step()
    for name in warming.LIKELY:
        dialect = context.dialect(name)
        assert dialect is not None
        assert list(dialect.by_name)
        assert all("format" in vars(definition) for definition in dialect.by_name.values())


def test_the_modules_of_the_pipeline_are_loaded_one_by_one() -> None:
    found = list(warming.modules(Settings()))
    assert "fathom.passes.conversions.convert_scf_to_cf.control_flow" in found
    assert len(found) == len(set(found)) > 10
    for module in found:
        import_module(module)
