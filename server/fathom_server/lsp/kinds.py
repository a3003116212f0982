"""The kinds of documents beside those in MLIR: each is a module that keeps its own, and answers requests about them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

from fathom_server.lsp import llvm_ir, tablegen

if TYPE_CHECKING:
    from lsprotocol import types

    from fathom_server.lsp.server import FathomServer


Perform = Callable[["FathomServer", str, Any, Any], Awaitable[object]]
"""Performs a command about a document, by its URI; the others are what the command was told, and the client's token for
how it gets on."""


class DocumentKind(Protocol):
    """What a module of a kind has. Requests that are not among its `ANSWERS`, and commands that are not among its
    `COMMANDS`, have none."""

    @property
    def ANSWERS(self) -> Mapping[str, object]: ...  # noqa: N802 - it is a constant of a module

    @property
    def COMMANDS(self) -> Mapping[str, Perform]: ...  # noqa: N802 - so is this

    @staticmethod
    def is_meant(uri: str, language: str) -> bool:
        """Whether a document of this name, and in this language as the client has it, is of the kind."""
        ...

    @staticmethod
    def is_open(server: FathomServer, uri: str) -> bool: ...

    @staticmethod
    def open_document(server: FathomServer, document: types.TextDocumentItem) -> None: ...

    @staticmethod
    def change_document(server: FathomServer, params: types.DidChangeTextDocumentParams) -> None: ...

    @staticmethod
    def close_document(server: FathomServer, uri: str) -> None: ...

    @staticmethod
    def answered(server: FathomServer, method: str, uri: str, params: Any) -> object:
        """The answer to a request about an open document."""
        ...


KINDS: Final[tuple[DocumentKind, ...]] = (tablegen, llvm_ir)
KindOf = Callable[["FathomServer", str], DocumentKind | None]


def kind_for(document: types.TextDocumentItem) -> DocumentKind | None:
    """The kind of a document that is opened; None if it is in MLIR."""
    return next((kind for kind in KINDS if kind.is_meant(document.uri, document.language_id)), None)


def kind_of(server: FathomServer, uri: str) -> DocumentKind | None:
    """The kind of an open document; None if it is in MLIR."""
    return next((kind for kind in KINDS if kind.is_open(server, uri)), None)
