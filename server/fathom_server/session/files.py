"""The files of the workspace: those that are open as they are in the editor, the others as they are on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from fathom.context import Context
from fathom.syntax.tree import SyntaxTree
from fathom_server.features.index_entry import index_entry
from fathom_server.features.linked import linked_in
from fathom_server.features.symbol_search import Searched
from fathom_server.features.workspace import CLOSED
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from fathom_server.model.snapshot import Snapshot
from fathom_server.session.index import WorkspaceIndex
from fathom_server.session.index_lines import FileState, text_of
from fathom_server.session.opened import OpenDocument

if TYPE_CHECKING:
    from fathom_server.model.llvm_ir.text import LlvmText

KEPT: Final = 16
"""So many files that are not open are kept as they were read."""


class WorkspaceFiles:
    """See the module. `uri_of` and `path_of` give the URI of a path, and the path of a URI if it is that of a file.
    `knowing` gives what documents are read with, and `others` the texts of the files in LLVM IR that are open."""

    def __init__(
        self,
        documents: Mapping[str, OpenDocument],
        index: WorkspaceIndex,
        knowing: Callable[[], tuple[Context, Settings]],
        uri_of: Callable[[str], str],
        path_of: Callable[[str], str | None],
        others: Callable[[], Mapping[str, LlvmText]] = dict,
    ) -> None:
        self.index: Final = index
        self._documents = documents
        self._knowing = knowing
        self._uri_of = uri_of
        self._path_of = path_of
        self._closed: dict[str, tuple[FileState, Context, Document]] = {}
        self._others = others
        self._open: dict[str, tuple[SyntaxTree | LlvmText, Searched]] = {}
        self._searched: dict[str, Searched] = {}

    def searched(self) -> Iterator[tuple[str, Searched]]:
        """What is known of all files; each by its URI if it is open, else by its path (`uri`)."""
        self._open = {
            **{uri: self._of_open(uri, document) for uri, document in self._documents.items()},
            **{uri: self._of_other(uri, tree) for uri, tree in self._others().items()},
        }
        yield from ((uri, known[1]) for uri, known in self._open.items())
        opened = {self._path_of(uri) for uri in self._open}
        former, self._searched = self._searched, {}
        for path, entry in self.index.entries():
            known = former.get(path)
            if known is None or known.entry is not entry:
                known = Searched.of(entry)
            self._searched[path] = known
            if path not in opened:
                yield path, known

    def uri(self, where: str) -> str:
        """The URI of a file that is known by its URI or its path."""
        return where if where in self._open else self._uri_of(where)

    def linked(self, name: str) -> list[str]:
        """The files with symbols of a name that may be those of other files."""
        uris = [uri for uri, document in self._documents.items() if any(linked_in(document.document.snapshot(), name))]
        opened = {self._path_of(uri) for uri in self._documents}
        for path, entry in self.index.entries():
            if path not in opened and any(symbol.name == name and symbol.is_linked for symbol in entry.symbols):
                uris.append(self._uri_of(path))
        return uris

    def snapshot(self, uri: str) -> Snapshot | None:
        """What a file holds now; None if it is gone."""
        opened = self._documents.get(uri)
        if opened is not None:
            return opened.document.snapshot()
        path = self._path_of(uri)
        state = FileState.of(path) if path is not None else None
        if path is None or state is None:
            return None
        context, settings = self._knowing()
        known = self._closed.pop(uri, None)
        if known is None or known[:2] != (state, context):
            text = text_of(path)
            if text is None:
                return None
            known = state, context, Document(uri, CLOSED, text, context, settings)
        self._closed[uri] = known
        while len(self._closed) > KEPT:
            self._closed.pop(next(iter(self._closed)))[2].close()
        return known[2].snapshot()

    def _of_other(self, uri: str, tree: LlvmText) -> tuple[SyntaxTree | LlvmText, Searched]:
        from fathom_server.features.llvm_ir.index_entry import index_entry as of_llvm_ir

        known = self._open.get(uri)
        return known if known is not None and known[0] is tree else (tree, Searched.of(of_llvm_ir(tree)))

    def _of_open(self, uri: str, opened: OpenDocument) -> tuple[SyntaxTree | LlvmText, Searched]:
        tree = opened.document.tree
        known = self._open.get(uri)
        return known if known is not None and known[0] is tree else (tree, _searched_in(opened))


def _searched_in(opened: OpenDocument) -> Searched:
    return Searched.of(index_entry(opened.document.snapshot()))
