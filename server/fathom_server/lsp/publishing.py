"""`textDocument/publishDiagnostics`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from fathom_server.lsp.border import shows_related
from fathom_server.lsp.convert import ItemRanges, diagnostic_to_lsp
from fathom_server.model.elaboration import stands_outside, unclosed_container

if TYPE_CHECKING:
    from fathom_server.lsp.server import FathomServer
    from fathom_server.session.opened import OpenDocument

MOST: Final = 1000
"""No more diagnostics than this are sent for one document."""


def publish(server: FathomServer, opened: OpenDocument) -> None:
    """Sends what is known to be wrong with a document, in the order of its text, for its present version."""
    document = opened.document
    concerned = opened.problems.keys() | opened.stalls.keys()
    unclosed = unclosed_container(document.tree)
    if unclosed is not None:
        concerned |= {unclosed[0]}
    found: list[types.Diagnostic] = []
    related = shows_related(server.client_capabilities)
    if concerned:
        tree = document.tree
        for index, item in tree.items.in_order(concerned):
            if len(found) >= MOST:
                break
            ranges = ItemRanges(item, tree.first_line(index), server.encoding)
            both = [*opened.problems.get(item, ()), *opened.stalls.get(item, ())]
            if unclosed is not None and unclosed[0] is item:
                both = [each for each in both if not stands_outside(item, unclosed[1], each)]
                both.append(unclosed[1])
            both.sort(key=lambda d: d.span.start if d.span is not None else 0)
            found += [diagnostic_to_lsp(diagnostic, ranges, document.uri, related=related) for diagnostic in both]
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(document.uri, found[:MOST], version=document.version)
    )
