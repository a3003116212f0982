"""Open `.ll` files: their texts, and the requests about them. What is asked and answered is as of other documents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from lsprotocol import types

from fathom.records import record
from fathom.text.beginnings import shortened
from fathom_server.lsp import answers, llvm_images, reading, renaming, semantic_tokens, symbols
from fathom_server.lsp.border import TextBorder
from fathom_server.lsp.convert import from_lsp_point
from fathom_server.lsp.diagnostics import LONGEST, MOST_LINES
from fathom_server.lsp.reports import MOST
from fathom_server.lsp.requests import refused

if TYPE_CHECKING:
    from fathom.text.encodings import Encoding
    from fathom_server.features.edits import Refusal, Replacement
    from fathom_server.lsp.server import FathomServer
    from fathom_server.model.llvm_ir.findings import Finding
    from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
    from fathom_server.model.llvm_ir.text import LlvmText
    from fathom_server.session.llvm_documents import Edit, LlvmDocuments

P = TypeVar("P")
F = TypeVar("F")
LANGUAGES: Final = ("llvm",)
"""What editors call the language."""
SUFFIX: Final = ".ll"

_FEATURES: Final = "fathom_server.features.llvm_ir"


def is_meant(uri: str, language: str) -> bool:
    return language in LANGUAGES or uri.endswith(SUFFIX)


# ---- documents


def is_open(server: FathomServer, uri: str) -> bool:
    return server.has_llvm_documents and uri in server.llvm_documents.documents


def documents_of(server: FathomServer) -> LlvmDocuments:
    """The `.ll` files that are open, as they are followed from now on."""
    from fathom_server.session.llvm_documents import LlvmDocuments

    def show(snapshot: LlvmSnapshot, found: list[Finding]) -> None:
        border = TextBorder(snapshot, server.client)
        shown = [_diagnostic(border, finding) for finding in found[:MOST]]
        is_open = snapshot.uri in server.llvm_documents.documents
        version = snapshot.version if is_open else None
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(snapshot.uri, shown, version=version))

    def announce(uri: str, version: int) -> None:
        changed = {"textDocument": {"uri": uri, "version": version}}
        server.protocol.notify("fathom/previewDidChange", changed)

    session = server.session
    return LlvmDocuments(session.turns, show, lambda: session.context, session.configuration.settings_for, announce)


def _diagnostic(border: LlvmBorder, finding: Finding) -> types.Diagnostic:
    message = shortened(finding.message, LONGEST, MOST_LINES)
    where = border.range(finding.start, finding.end)
    return types.Diagnostic(where, message, types.DiagnosticSeverity.Error, source="llvm")


def open_document(server: FathomServer, document: types.TextDocumentItem) -> None:
    server.llvm_documents.open(document.uri, document.version, document.text)


def change_document(server: FathomServer, params: types.DidChangeTextDocumentParams) -> None:
    edits = [_edit(change, server.encoding) for change in params.content_changes]
    server.llvm_documents.change(params.text_document.uri, params.text_document.version, edits)


def _edit(change: types.TextDocumentContentChangeEvent, encoding: Encoding) -> Edit:
    """What is replaced in the text as it is when the edit's turn comes."""

    def placed(tree: LlvmText) -> tuple[int, int, str]:
        if not isinstance(change, types.TextDocumentContentChangePartial):
            return 0, tree.length, change.text
        start, end = (
            tree.line_and_start(line)[1] + column
            for line, column in (
                from_lsp_point(tree, position, encoding) for position in (change.range.start, change.range.end)
            )
        )
        return start, end, change.text

    return placed


def close_document(server: FathomServer, uri: str) -> None:
    server.llvm_documents.close(uri)


# ---- requests


LlvmBorder = TextBorder["LlvmSnapshot"]


@record
class Answer(Generic[P, F]):
    """What answers a request: a function of a module of `features/llvm_ir`, which gets a snapshot and what `arguments`
    makes of the parameters, and whose answer, unless it is None, `answer` puts in the protocol's terms."""

    feature: str
    arguments: Callable[[LlvmBorder, P], tuple[Any, ...]]
    answer: Callable[[LlvmBorder, P, F], object]

    def answered(self, border: LlvmBorder, params: P) -> object:
        module, _, name = self.feature.partition(".")
        function: Callable[..., F | None] = getattr(import_module(f"{_FEATURES}.{module}"), name)
        answer = function(border.snapshot, *self.arguments(border, params))
        return self.answer(border, params, answer) if answer is not None else None


def _nothing(_border: LlvmBorder, _params: object) -> tuple[()]:
    return ()


def _place(border: LlvmBorder, params: types.TextDocumentPositionParams) -> tuple[int]:
    return (border.offset(params.position),)


def _place_and_declaration(border: LlvmBorder, params: types.ReferenceParams) -> tuple[int, bool]:
    return border.offset(params.position), params.context.include_declaration


def _renamed(border: LlvmBorder, _params: object, outcome: list[Replacement] | Refusal) -> types.WorkspaceEdit:
    if not isinstance(outcome, list):
        raise refused(outcome.reason)
    return border.edit(outcome)


OF_TEXTS: Final[Mapping[str, Answer[Any, Any]]] = {
    types.TEXT_DOCUMENT_HOVER: Answer("hover.hover", _place, answers.hover),
    types.TEXT_DOCUMENT_DEFINITION: Answer("navigation.definition", _place, answers.locations),
    types.TEXT_DOCUMENT_REFERENCES: Answer("navigation.references", _place_and_declaration, answers.locations),
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: Answer("navigation.highlights", _place, reading.highlights),
    types.TEXT_DOCUMENT_PREPARE_RENAME: Answer("rename.prepare", _place, renaming.prepared),
    types.TEXT_DOCUMENT_RENAME: Answer("rename.rename", renaming.place_and_name, _renamed),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: Answer("document_symbols.document_symbols", _nothing, symbols.of_document),
    types.TEXT_DOCUMENT_FOLDING_RANGE: Answer("folding.folds", reading.limit, reading.folds),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: Answer(
        "semantic_tokens.tokens", semantic_tokens.units, semantic_tokens.tokens
    ),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: Answer(
        "semantic_tokens.changes", semantic_tokens.version_and_units, semantic_tokens.changes
    ),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: Answer(
        "semantic_tokens.tokens_between", semantic_tokens.range_and_units, semantic_tokens.part
    ),
}
"""What answers requests about the text of a file, by their methods."""


OF_IMAGES: Final = {
    "fathom/stages": llvm_images.stages,
    "fathom/functions": llvm_images.functions,
    "fathom/preview": llvm_images.preview,
    "fathom/graph": llvm_images.graph,
}
"""What answers requests about what comes of a file; each waits for its import."""
ANSWERS: Final[Mapping[str, object]] = {**OF_TEXTS, **OF_IMAGES}
"""The requests about open `.ll` files; others have no answer there."""
COMMANDS: Final = {"fathom.runFunction": llvm_images.run}


def answered(server: FathomServer, method: str, uri: str, params: Any) -> object:
    """The answer to a request about the present version of an open file."""
    if (of_image := OF_IMAGES.get(method)) is not None:
        return asyncio.ensure_future(of_image(server, uri, params))

    def answer(snapshot: LlvmSnapshot) -> object:
        return OF_TEXTS[method].answered(TextBorder(snapshot, server.client), params)

    answer_to = server.llvm_documents.ask(uri, answer)
    return answer_to.result() if answer_to.done() else answer_to
