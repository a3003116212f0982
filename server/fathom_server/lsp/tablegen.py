"""Open `.td` files: their texts, and the requests about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from fathom.records import record
from fathom.slices import paced
from fathom.text.encodings import from_units
from fathom_server.lsp import dialects
from fathom_server.lsp.convert import TextPositions
from fathom_server.lsp.encoded import encoded_list
from fathom_server.lsp.markup import markup

if TYPE_CHECKING:
    from fathom.tablegen.reading import Span
    from fathom.text.encodings import Encoding
    from fathom_server.features.tablegen import TableGenEntry
    from fathom_server.lsp.convert import PositionLike
    from fathom_server.lsp.server import FathomServer
    from fathom_server.model.tablegen import TableGenDocument, TableGenSnapshot

LANGUAGES: Final = ("tablegen", "td")
"""What editors call the language."""

KINDS: Final = {
    "class": types.SymbolKind.Class,
    "multiclass": types.SymbolKind.Class,
    "def": types.SymbolKind.Object,
    "defm": types.SymbolKind.Object,
    "field": types.SymbolKind.Field,
    "argument": types.SymbolKind.TypeParameter,
}


def is_meant(uri: str, language: str) -> bool:
    return language in LANGUAGES or uri.endswith(".td")


# ---- documents


def is_open(server: FathomServer, uri: str) -> bool:
    return server.has_definitions and uri in server.definitions.documents


def open_document(server: FathomServer, document: types.TextDocumentItem) -> None:
    from fathom_server.model.tablegen import TableGenDocument

    if not server.has_definitions:
        server.begin(dialects.refresh(server))
    path = to_fs_path(document.uri) if document.uri.startswith("file:") else None
    server.definitions.open(TableGenDocument(document.uri, path or document.uri, document.version, document.text))


def change_document(server: FathomServer, params: types.DidChangeTextDocumentParams) -> None:
    from fathom_server.model.tablegen import TableGenDocument

    document = server.definitions.documents[params.text_document.uri]
    for change in params.content_changes:
        points: tuple[tuple[int, int], ...] = ()
        if isinstance(change, types.TextDocumentContentChangePartial):
            points = tuple(
                _point(document, position, server.encoding) for position in (change.range.start, change.range.end)
            )
        text = document.edited(change.text, *points)
        document = TableGenDocument(document.uri, document.path, params.text_document.version, text)
    server.definitions.open(document)


def close_document(server: FathomServer, uri: str) -> None:
    server.definitions.close(uri)


def _point(document: TableGenDocument, position: PositionLike, encoding: Encoding) -> tuple[int, int]:
    lines = document.lines
    line = max(position.line, 0)
    return (line, from_units(lines[line], position.character, encoding)) if line < len(lines) else (line, 0)


# ---- requests


@record
class TableGenBorder:
    """The border between the protocol and what was read for an open file."""

    server: FathomServer
    snapshot: TableGenSnapshot
    _positions: dict[str, TextPositions]

    def offset(self, position: PositionLike) -> int:
        document = self.snapshot.document
        return document.offset(*_point(document, position, self.server.encoding))

    def range(self, span: Span) -> types.Range:
        from fathom.ir.operation import Span as TextSpan

        positions = self._positions.get(span.file)
        if positions is None:
            snapshots = (self.snapshot, *self.server.definitions.looked.snapshots.values())
            text = next((snapshot.texts[span.file] for snapshot in snapshots if span.file in snapshot.texts), "")
            positions = self._positions[span.file] = TextPositions(text, self.server.encoding)
        return positions.range(TextSpan(span.start, span.end))

    def locations(self, spans: Iterable[Span]) -> list[types.Location]:
        uris = {document.path: document.uri for document in self.server.definitions.documents.values()}
        return [
            types.Location(uris.get(span.file) or from_fs_path(span.file) or "", self.range(span))
            for span in paced(spans)
        ]

    def own_range(self, start: int, end: int) -> types.Range:
        from fathom.tablegen.reading import Span

        return self.range(Span(self.snapshot.path, start, end))


def _hover(border: TableGenBorder, params: types.HoverParams) -> types.Hover | None:
    from fathom_server.features.tablegen import hover

    shown = hover(border.snapshot, border.offset(params.position))
    if shown is None:
        return None
    content = markup(shown.markdown, is_markdown=border.server.client.takes_markdown)
    return types.Hover(content, border.own_range(shown.start, shown.end))


def _definition(border: TableGenBorder, params: types.DefinitionParams) -> list[types.Location]:
    from fathom_server.features.tablegen import definition

    return border.locations(definition(border.snapshot, border.offset(params.position)))


def _references(border: TableGenBorder, params: types.ReferenceParams) -> list[types.Location]:
    from fathom_server.features.tablegen import references

    others = [
        snapshot for snapshot in border.server.definitions.looked.snapshots.values() if snapshot is not border.snapshot
    ]
    offset = border.offset(params.position)
    return border.locations(references(border.snapshot, offset, params.context.include_declaration, others))


def _symbols(border: TableGenBorder, _params: object) -> list[types.DocumentSymbol]:
    from fathom_server.features.tablegen import outline

    return [_symbol(border, entry) for entry in paced(outline(border.snapshot))]


def _symbol(border: TableGenBorder, entry: TableGenEntry) -> types.DocumentSymbol:
    declared = entry.declared
    return types.DocumentSymbol(
        declared.name,
        KINDS.get(declared.kind, types.SymbolKind.Variable),
        border.own_range(declared.span.start, entry.end),
        border.range(declared.span),
        detail=declared.type or declared.kind,
        children=[_symbol(border, child) for child in entry.children],
    )


def _links(border: TableGenBorder, _params: object) -> list[types.DocumentLink]:
    from fathom_server.features.tablegen import includes

    return [
        types.DocumentLink(border.range(include.span), target=from_fs_path(include.path))
        for include in includes(border.snapshot)
        if include.span is not None
    ]


ANSWERS: Final[Mapping[str, Callable[[TableGenBorder, Any], object]]] = {
    types.TEXT_DOCUMENT_HOVER: _hover,
    types.TEXT_DOCUMENT_DEFINITION: _definition,
    types.TEXT_DOCUMENT_REFERENCES: _references,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: _symbols,
    types.TEXT_DOCUMENT_DOCUMENT_LINK: _links,
}
"""What answers requests about open `.td` files, by their methods; other requests have no answer there."""


COMMANDS: Final[Mapping[str, Any]] = {}
"""None is about such a file."""


def answered(server: FathomServer, method: str, uri: str, params: Any) -> object:
    """The answer to a request about an open file, when the present version was read. What is found at many places is
    JSON already."""

    def answer(snapshot: TableGenSnapshot) -> object:
        answers = ANSWERS[method](TableGenBorder(server, snapshot, {}), params)
        if not isinstance(answers, list):
            return answers
        return encoded_list(server.protocol.encoded(element).json for element in paced(cast("list[object]", answers)))

    return server.definitions.ask(uri, answer)
