"""What is done ahead leaves nothing to do for the first operation of a name, and costs no message its turn."""

from __future__ import annotations

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
