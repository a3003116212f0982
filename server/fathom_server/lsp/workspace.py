"""The files of the workspace: which there are, what became of them, and their symbols (`workspace/symbol`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from fathom.text.encodings import to_units
from fathom_server.lsp.symbols import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fathom_server.features.index_entry import IndexedSymbol
    from fathom_server.lsp.server import FathomServer
    from fathom_server.model.settings import Settings
    from fathom_server.session.files import WorkspaceFiles
    from fathom_server.session.index import Folders

_FILES: Final = types.FileOperationRegistrationOptions(
    [
        types.FileOperationFilter(types.FileOperationPattern("**/*.mlir"), scheme="file"),
        types.FileOperationFilter(types.FileOperationPattern("**/*.ll"), scheme="file"),
        types.FileOperationFilter(
            types.FileOperationPattern("**/*", matches=types.FileOperationPatternKind.Folder), scheme="file"
        ),
    ]
)
"""The files and folders of which the client says that they were created, renamed or deleted."""


def register(server: FathomServer) -> None:
    @server.feature(types.WORKSPACE_SYMBOL)
    def symbols(params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
        from fathom_server.features.symbol_search import search

        matching = search(server.files.searched(), params.query)
        return [_information(server, server.files.uri(where), symbol) for where, symbol in matching]

    @server.feature(types.WORKSPACE_DID_CREATE_FILES, _FILES)
    def created(params: types.CreateFilesParams) -> None:
        changed(server, (file.uri for file in params.files))

    @server.feature(types.WORKSPACE_DID_RENAME_FILES, _FILES)
    def renamed(params: types.RenameFilesParams) -> None:
        changed(server, (uri for file in params.files for uri in (file.old_uri, file.new_uri)))

    @server.feature(types.WORKSPACE_DID_DELETE_FILES, _FILES)
    def deleted(params: types.DeleteFilesParams) -> None:
        changed(server, (file.uri for file in params.files))

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        changed(server, [params.text_document.uri])


def folders_of(server: FathomServer) -> dict[str, Path]:
    """The folders of the workspace that are folders of this machine, by their URIs."""
    uris = [folder.uri for folder in server.workspace.folders.values()]
    if not uris and not server.names_folders:
        uris = [server.workspace.root_uri or server.root_of_its_own or ""]
    return {uri: Path(path) for uri in uris if uri.startswith("file:") and (path := to_fs_path(uri))}


def begin(server: FathomServer) -> None:
    """Reads the files of the workspace, in the background; those of the folders whose settings say so."""
    if folders_of(server) or server.has_files:
        server.files.index.use(_chosen(server, lambda settings: settings.index))
        if server.has_closed:
            server.closed.use(told_of(server))


def told_of(server: FathomServer) -> Folders:
    """The folders of whose files the client is told what is wrong with them when they are not open."""
    return _chosen(server, lambda settings: settings.index and settings.workspace_diagnostics)


def _chosen(server: FathomServer, is_chosen: Callable[[Settings], bool]) -> Folders:
    """The folders whose settings say so, and the others."""
    from fathom_server.session.index import Folders

    settings_for = server.session.configuration.settings_for
    chosen: list[Path] = []
    others: list[Path] = []
    for uri, folder in folders_of(server).items():
        (chosen if is_chosen(settings_for(f"{uri.rstrip('/')}/")) else others).append(folder)
    return Folders(tuple(dict.fromkeys(chosen)), tuple(dict.fromkeys(others)))


def changed(server: FathomServer, uris: Iterable[str]) -> None:
    """Files, or folders with files, may have changed, come or gone."""
    if not server.has_files:
        return
    paths = [path for uri in uris if (path := _path_of(uri)) is not None]
    if all(path.endswith((".mlir", ".ll")) for path in paths):
        server.files.index.changed(paths)
    else:
        server.files.index.look_again()


def files_of(server: FathomServer) -> WorkspaceFiles:
    """The files of the workspace, as they are followed from now on."""
    from fathom_server.lsp.progress import Counted
    from fathom_server.session.files import WorkspaceFiles
    from fathom_server.session.index import WorkspaceIndex
    from fathom_server.session.index_cache import cache_folder

    session = server.session
    index = WorkspaceIndex(
        cache_folder(),
        Counted(server, "Indexing the workspace", "files", lambda: server.files.index.give_up()),
        lambda: server.closed.follow() if server.has_closed else None,
    )
    return WorkspaceFiles(
        session.documents,
        index,
        lambda: (session.context, session.settings),
        lambda path: from_fs_path(path) or "",
        _path_of,
        lambda: server.llvm_documents.trees() if server.has_llvm_documents else {},
    )


def _path_of(uri: str) -> str | None:
    return to_fs_path(uri) if uri.startswith("file:") else None


def _information(server: FathomServer, uri: str, symbol: IndexedSymbol) -> types.SymbolInformation:
    start, end = (
        types.Position(symbol.line, to_units(symbol.before, column, server.encoding) if symbol.before else column)
        for column in (symbol.start, symbol.end)
    )
    where = types.Location(uri, types.Range(start, end))
    return types.SymbolInformation(
        where, f"@{symbol.name}", KINDS[symbol.role], container_name=symbol.container or None
    )
