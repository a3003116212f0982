"""`textDocument/publishDiagnostics`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from fathom_server.lsp.border import shows_links, shows_related
from fathom_server.lsp.convert import ItemRanges, diagnostic_to_lsp

if TYPE_CHECKING:
    from fathom_server.lsp.server import FathomServer
    from fathom_server.session.opened import OpenDocument

MOST: Final = 1000
"""No more diagnostics than this are sent for one document."""


def publish(server: FathomServer, opened: OpenDocument) -> None:
    """Sends what is known to be wrong with a document, in the order of its text, for its present version."""
    document, tree = opened.document, opened.document.tree
    found: list[types.Diagnostic] = []
    related, links = shows_related(server.client_capabilities), shows_links(server.client_capabilities)
    for index, diagnostics in opened.found():
        if len(found) >= MOST:
            break
        ranges = ItemRanges(tree.items[index], tree.first_line(index), server.encoding)
        found += [diagnostic_to_lsp(each, ranges, document.uri, related=related, links=links) for each in diagnostics]
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(document.uri, found[:MOST], version=document.version)
    )
