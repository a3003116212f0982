"""The folders that are editions of MLIR (`session/edition_folders.py`): which there are, what is wrong with them, and
how far they are read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.uris import from_fs_path

from fathom_server.lsp.progress import Counted
from fathom_server.lsp.workspace import folders_of

if TYPE_CHECKING:
    from fathom_server.lsp.server import FathomServer
    from fathom_server.session.edition_folders import EditionFolders

_WATCHER: Final = "fathom-editions"


def editions_of(server: FathomServer) -> EditionFolders:
    """The folders that are named as editions, which are followed from now on."""
    from fathom_server.session.edition_folders import EditionFolders

    def warn(path: str, problem: str) -> None:
        sources = server.definitions.sources
        named = {project.mlir for project in sources.projects.values()} if sources is not None else set[str]()
        kind = types.MessageType.Warning
        if path in named:
            server.window_log_message(types.LogMessageParams(kind, problem))
        else:
            server.window_show_message(types.ShowMessageParams(kind, f"fathom.mlir: {problem}"))

    return EditionFolders(
        server.session.use_editions,
        lambda: server.definitions.tell_of_editions(server.edition_folders.findings),
        warn,
        Counted(server, "Reading the definitions of MLIR", "dialects", lambda: None),
    )


async def refresh(server: FathomServer) -> None:
    """Takes over which folders are editions, and has their files watched that are in no folder of the workspace."""
    paths = server.session.configuration.edition_folders
    if not paths and not server.has_edition_folders:
        return
    former = server.edition_folders.paths
    server.edition_folders.want(paths)
    if set(former) != set(paths):
        await _watch(server, paths)


async def _watch(server: FathomServer, paths: tuple[str, ...]) -> None:
    workspace = server.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is None or not watching.dynamic_registration or not watching.relative_pattern_support:
        return
    inside = folders_of(server).values()
    outside = [path for path in paths if not any(Path(path).is_relative_to(folder) for folder in inside)]
    if not outside:
        return
    watchers = [types.FileSystemWatcher(types.RelativePattern(from_fs_path(path) or "", "**/*.td")) for path in outside]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    registration = types.Registration(_WATCHER, types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    if server.watches_editions:
        unregistration = types.Unregistration(_WATCHER, types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
        await server.client_unregister_capability_async(types.UnregistrationParams([unregistration]))
    server.watches_editions = True
    await server.client_register_capability_async(types.RegistrationParams([registration]))
