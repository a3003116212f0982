"""What is known to be wrong with open documents, in the protocol's terms, each report with an id of its own."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from fathom.records import record
from fathom_server.lsp.convert import ItemRanges
from fathom_server.lsp.diagnostics import diagnostic_to_lsp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.diagnostics import Diagnostic
    from fathom.syntax.tree import SyntaxTree
    from fathom.text.encodings import Encoding
    from fathom_server.lsp.diagnostics import Showing
    from fathom_server.session.opened import OpenDocument

MOST: Final = 1000
"""No more diagnostics than this are told of one document."""


@record
class Report:
    """The first diagnostics of a version of a document, in the order of its text. Those of two versions have the same
    `id` if they are the same to the client. `findings` is what `items` translate, by the indices of the items."""

    version: int
    tree: SyntaxTree
    findings: list[tuple[int, list[Diagnostic]]]
    items: list[types.Diagnostic]
    id: str


class Reports:
    """The last report of each document."""

    def __init__(self) -> None:
        self._last: dict[str, Report] = {}
        self._session = secrets.token_hex(4)
        self._count = 0

    def of(self, opened: OpenDocument, encoding: Encoding, showing: Showing) -> Report:
        """The report of a document as it is: the last one itself, if what was found since makes no difference."""
        document, first = opened.document, list(_first(opened, showing))
        uri, tree = document.uri, document.tree
        last = self._last.get(uri)
        if last is not None and (last.version, last.tree) == (document.version, tree) and last.findings == first:
            return last
        items: list[types.Diagnostic] = []
        for index, diagnostics in first:
            ranges = ItemRanges(tree.items[index], tree.first_line(index), encoding)
            items += [diagnostic_to_lsp(diagnostic, ranges, uri, showing) for diagnostic in diagnostics]
        id = last.id if last is not None and last.items == items else self._new_id()
        report = self._last[uri] = Report(document.version, tree, first, items, id)
        return report

    def _new_id(self) -> str:
        """An id that no other report has, nor one of a server before this one."""
        self._count += 1
        return f"{self._session}-{self._count}"

    def forget(self, uri: str) -> None:
        """The document is closed."""
        self._last.pop(uri, None)


def _first(opened: OpenDocument, showing: Showing) -> Iterator[tuple[int, list[Diagnostic]]]:
    """What is told of a document, item by item."""
    left = MOST
    for index, diagnostics in opened.found(with_unused=showing.tags, with_deprecated=showing.deprecated):
        if diagnostics:
            yield index, diagnostics[:left]
        left -= len(diagnostics)
        if left <= 0:
            return
