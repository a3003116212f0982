"""The files of the workspace that are not open, as far as something is wrong with them (`session/closed_files.py`)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from pygls.uris import from_fs_path

from fathom_server.lsp.diagnostics import showing
from fathom_server.lsp.progress import Counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom_server.lsp.checker import Greeting
    from fathom_server.lsp.server import FathomServer
    from fathom_server.session.closed_files import ClosedFiles
    from fathom_server.session.index_lines import FileState

_MODULE: Final = "fathom_server.lsp.checker"
PATIENCE: Final = 60.0
"""Seconds after which a file is given up."""


def closed_of(server: FathomServer) -> ClosedFiles:
    """These files, as they are followed from now on."""
    from fathom_server.session.closed_files import ClosedFiles
    from fathom_server.session.line_process import LineProcess

    shows = showing(server.client_capabilities)

    def greeting() -> bytes:
        files = [(dialect_file.path, dialect_file.text) for dialect_file in server.session.described]
        told: Greeting = {
            "dialects": files,
            "encoding": server.encoding,
            "related": shows.related,
            "links": shows.links,
            "tags": shows.tags,
        }
        return json.dumps(told).encode() + b"\n"

    def states() -> Mapping[str, FileState] | None:
        index = server.files.index
        return index.states() if index.is_complete else None

    return ClosedFiles(
        LineProcess(_MODULE, PATIENCE, greeting),
        states,
        lambda path: from_fs_path(path) or "",
        lambda: server.publishing.wake(),
        Counted(server, "Checking the workspace", "files", lambda: server.closed.give_up()),
    )
