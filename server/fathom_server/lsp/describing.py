"""The command `fathom.describeDialect`: a description of a dialect that nobody has described, as a file of the
workspace."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from lsprotocol import types
from pygls.uris import from_fs_path

from fathom_server.lsp.commands import applied, found_beside
from fathom_server.lsp.dialects import folder_for_files
from fathom_server.session.workspace import CONFIGURATION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom_server.lsp.border import Border
    from fathom_server.lsp.server import FathomServer

    Change = types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile

MOST_FILES: Final = 200
MOST_TEXT: Final = 1 << 20
"""Of the workspace no more files, and no more characters, are looked at for uses."""
FOLDER: Final = "dialects"
"""Where descriptions are put, in the folder of the workspace."""

_DIALECT: Final = re.compile(r"[A-Za-z_][\w$]*")
_NAMES: Final = re.compile(r"^dialects[ \t]*=[ \t]*\[", re.MULTILINE)


def read_describe(arguments: list[object]) -> tuple[str, str] | None:
    match arguments:
        case [str(uri), str(name)] if _DIALECT.fullmatch(name):
            return uri, name
        case _:
            return None


async def describe(server: FathomServer, border: Border, dialect: str, _token: object) -> dict[str, Any]:
    """Has the client create the description, and name it in the workspace's `fathom.toml`."""
    from fathom_server.features.describe import described
    from fathom_server.session.beside.messages import Work
    from fathom_server.session.beside.process import Failed

    folder = folder_for_files(server, border)
    if isinstance(folder, str):
        return {"applied": False, "failureReason": folder}
    path = folder / FOLDER / f"{dialect}.toml"
    if path.exists():
        return {"applied": False, "failureReason": f"there is a file {path} already"}
    opened = [document.document.tree.text for document in server.session.documents.values()]
    texts = [text for text in opened if f"{dialect}." in text]
    texts += await asyncio.to_thread(_uses_in, folder, dialect, frozenset(texts))
    try:
        _, text = await found_beside(server, border.uri, lambda _: Work(described, (dialect, texts)))
    except Failed as failed:
        return {"applied": False, "failureReason": f"a fault in Fathom: {failed}"}
    if text is None:
        return {"applied": False, "failureReason": f"nothing uses the dialect '{dialect}'"}
    changes = [*_created(path, text), *_naming(folder, path)]
    edit = types.WorkspaceEdit(document_changes=changes)
    return {**await applied(server, edit, f"Describe dialect {dialect}"), "uri": from_fs_path(str(path))}


def _uses_in(folder: Path, dialect: str, known: frozenset[str]) -> list[str]:
    """The texts of files of the workspace that may use a dialect, beside those that are known."""
    from fathom.descriptions.reading import read_text

    texts: list[str] = []
    for path in sorted(folder.rglob("*.mlir"))[:MOST_FILES]:
        text = read_text(str(path)) or ""
        if f"{dialect}." in text and text not in known and sum(map(len, texts)) + len(text) <= MOST_TEXT:
            texts.append(text)
    return texts


def _created(path: Path, text: str) -> list[Change]:
    return [types.CreateFile(from_fs_path(str(path)) or ""), _inserted(path, 0, 0, text)]


def _inserted(path: Path, line: int, column: int, text: str) -> types.TextDocumentEdit:
    """The insertion of a text in a file; before the column there is nothing but ASCII."""
    place = types.Position(line, column)
    document = types.OptionalVersionedTextDocumentIdentifier(from_fs_path(str(path)) or "")
    return types.TextDocumentEdit(document, [types.TextEdit(types.Range(place, place), text)])


def _naming(folder: Path, path: Path) -> Sequence[Change]:
    """What has `fathom.toml` name a file, if it does not."""
    import tomllib

    from fathom.descriptions.reading import read_text
    from fathom_server.session.sources import is_named

    configuration, name = folder / CONFIGURATION, path.relative_to(folder).as_posix()
    text = read_text(str(configuration))
    if text is None:
        return _created(configuration, f'dialects = ["{FOLDER}/*.toml"]\n') if not configuration.exists() else []
    try:
        names = tomllib.loads(text).get("dialects", [])
    except tomllib.TOMLDecodeError:
        return []
    patterns = cast("list[object]", names) if isinstance(names, list) else []
    if any(is_named(folder, pattern, path) for pattern in patterns):
        return []
    begin = _NAMES.search(text)
    if begin is None:
        return [_inserted(configuration, 0, 0, f'dialects = ["{name}"]\n')]
    line = text.count("\n", 0, begin.end())
    column = begin.end() - (text.rfind("\n", 0, begin.end()) + 1)
    return [_inserted(configuration, line, column, f'"{name}", ' if patterns else f'"{name}"')]
