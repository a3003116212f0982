"""Has a client ask again for what it shows, where that has become another without an edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fathom_server.lsp.server import FathomServer


def hints(server: FathomServer) -> None:
    """Has the client ask for the hints again, if it can be told to."""
    workspace = server.client_capabilities.workspace
    support = workspace.inlay_hint if workspace is not None else None
    if support is not None and support.refresh_support:
        server.workspace_inlay_hint_refresh(None)


def tokens(server: FathomServer) -> None:
    """Has the client ask for the semantic tokens again, if it can be told to."""
    workspace = server.client_capabilities.workspace
    support = workspace.semantic_tokens if workspace is not None else None
    if support is not None and support.refresh_support:
        server.workspace_semantic_tokens_refresh(None)
