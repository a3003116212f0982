"""The dialects that the user describes: their files are read when the client says that they changed
(`workspace/didChangeWatchedFiles`), and what is wrong in them is published as theirs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from fathom.text.encodings import to_units
from fathom_server.session.workspace import CONFIGURATION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fathom.irdl.files import DialectFile
    from fathom.irdl.sections import Mistake
    from fathom.text.encodings import Encoding
    from fathom_server.lsp.server import FathomServer

    Wrong = Sequence[tuple[DialectFile, tuple[Mistake, ...]]]

WATCHED: Final = ("**/*.toml",)
"""Patterns of the files that may describe dialects, or name those that do."""


def register(server: FathomServer) -> None:
    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files_changed(_params: types.DidChangeWatchedFilesParams) -> None:
        await refresh(server)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders_changed(_params: types.DidChangeWorkspaceFoldersParams) -> None:
        await refresh(server)


async def watch(server: FathomServer) -> None:
    """Asks the client to say when files change, if it can be asked."""
    workspace = server.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is None or not watching.dynamic_registration:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(each) for each in WATCHED])
    registration = types.Registration("fathom-dialects", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    await server.client_register_capability_async(types.RegistrationParams([registration]))


async def refresh(server: FathomServer) -> None:
    """Reads the files that describe dialects, if there are any, and takes over what changed."""
    async with server.reading:
        former, names, folders = server.known, server.session.settings.dialects, folders_of(server)
        if former is None and not names and not any((folder / CONFIGURATION).is_file() for folder in folders):
            return  # as in most workspaces: nothing need be loaded for it
        from fathom_server.session.known import read_known

        known = await asyncio.to_thread(read_known, folders, names, former)
        server.known = known
        if known.context is not server.session.context:
            server.session.use(known.context, known.files)
        _publish(server, former.mistakes if former is not None else (), known.mistakes)
        for problem in known.problems if former is None or known.problems != former.problems else ():
            server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, problem))


def folders_of(server: FathomServer) -> list[Path]:
    """The folders of the workspace that are folders of this machine."""
    uris = list(server.workspace.folders) or [server.workspace.root_uri or ""]
    return [Path(path) for uri in uris if uri.startswith("file:") and (path := to_fs_path(uri))]


def _publish(server: FathomServer, former: Wrong, present: Wrong) -> None:
    """Publishes what is wrong in files; nothing for those in which nothing is wrong any more."""
    gone = {file.path for file, _ in former} - {file.path for file, _ in present}
    found = {path: list[types.Diagnostic]() for path in sorted(gone)}
    for file, mistakes in present:
        found[file.path] = list(_diagnostics(file, mistakes, server.encoding))
    for path, diagnostics in found.items():
        uri = from_fs_path(path) or ""
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))


def _diagnostics(file: DialectFile, mistakes: Sequence[Mistake], encoding: Encoding) -> Iterator[types.Diagnostic]:
    lines = file.text.split("\n")
    for mistake in mistakes:
        line = lines[mistake.line - 1] if mistake.line <= len(lines) else ""
        first = min(mistake.column - 1, len(line))
        start, end = (
            types.Position(mistake.line - 1, to_units(line, column, encoding))
            for column in (first, max(first, len(line.rstrip())))
        )
        message = f"{mistake.key}: {mistake.message}" if mistake.key else mistake.message
        yield types.Diagnostic(types.Range(start, end), message, types.DiagnosticSeverity.Error, source="fathom")
