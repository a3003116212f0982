"""The command `fathom.setPipeline`: the workspace's `fathom.toml` names another pipeline."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.uris import from_fs_path

from fathom.text.encodings import to_units
from fathom_server.lsp.commands import applied
from fathom_server.lsp.dialects import folder_for_files
from fathom_server.session.workspace import CONFIGURATION

if TYPE_CHECKING:
    from fathom.text.encodings import Encoding
    from fathom_server.lsp.border import Border
    from fathom_server.lsp.server import FathomServer

_PIPELINE: Final = re.compile(
    r"""^pipeline[ \t]*=[ \t]*(\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')""", re.MULTILINE
)
"""The key at the top of the file, with its value."""


def read_set(arguments: list[object]) -> tuple[str, str] | None:
    match arguments:
        case [str(uri), str(text)]:
            return uri, text
        case _:
            return None


async def set_pipeline(server: FathomServer, border: Border, pipeline: str, _token: object) -> dict[str, Any]:
    """Has the client create the file, or change what it says."""
    from fathom.descriptions.reading import read_text

    folder = folder_for_files(server, border)
    if isinstance(folder, str):
        return {"applied": False, "failureReason": folder}
    path = folder / CONFIGURATION
    uri = from_fs_path(str(path)) or ""
    text = read_text(str(path))
    document = types.OptionalVersionedTextDocumentIdentifier(uri)
    edit = types.TextDocumentEdit(document, [edit_of(text or "", pipeline, server.encoding)])
    changes = [edit] if text is not None else [types.CreateFile(uri), edit]
    return {**await applied(server, types.WorkspaceEdit(document_changes=changes), "Change the pipeline"), "uri": uri}


def edit_of(text: str, pipeline: str, encoding: Encoding) -> types.TextEdit:
    """The edit of a file's text after which it names this pipeline."""
    match = _PIPELINE.search(text, 0, _first_table(text))
    if match is None:
        start = types.Position(0, 0)
        return types.TextEdit(types.Range(start, start), f"pipeline = {json.dumps(pipeline)}\n")
    where = types.Range(_position(text, match.start(1), encoding), _position(text, match.end(1), encoding))
    return types.TextEdit(where, json.dumps(pipeline))


def _first_table(text: str) -> int:
    table = re.search(r"^\[", text, re.MULTILINE)
    return table.start() if table is not None else len(text)


def _position(text: str, offset: int, encoding: Encoding) -> types.Position:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)]
    return types.Position(text.count("\n", 0, offset), to_units(line, offset - start, encoding))
