"""The dialects that the user describes: their files are read when the client says that they changed
(`workspace/didChangeWatchedFiles`), or edits them, and what is wrong in them is published as theirs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.uris import from_fs_path

from fathom.text.encodings import to_units
from fathom_server.lsp import edition_folders, refreshing, workspace
from fathom_server.lsp.workspace import folders_of
from fathom_server.session.workspace import CONFIGURATION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fathom.descriptions.places import Finding, Place
    from fathom.descriptions.reading import Known
    from fathom.pipeline.language import Find
    from fathom.text.encodings import Encoding
    from fathom_server.features.navigation import DescribedName
    from fathom_server.lsp.border import Border
    from fathom_server.lsp.server import FathomServer
    from fathom_server.model.settings import Settings
    from fathom_server.session.definitions import Definitions
    from fathom_server.session.own_code.seen import Seen

WATCHED: Final = ("**/*.toml", "**/*.td", "**/*.mlir", "**/*.ll", "**/*.py", "**/tablegen_compile_commands.yml")
"""Patterns of the files that may describe dialects, or name those that do; and of those with symbols of the
workspace."""

_SEVERITIES: Final = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


def register(server: FathomServer) -> None:
    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        workspace.changed(server, (change.uri for change in params.changes if change.uri.endswith((".mlir", ".ll"))))
        if server.has_edition_folders and any(change.uri.endswith(".td") for change in params.changes):
            server.edition_folders.look()
        if all(_keeps_names(event) for event in params.changes):
            if server.has_definitions:
                server.definitions.look()
        else:
            await refresh(server)
            workspace.begin(server)


def _keeps_names(event: types.FileEvent) -> bool:
    """Whether the same files describe dialects as before."""
    if event.uri.endswith(".ll"):
        return True
    is_there = event.type == types.FileChangeType.Changed
    return (
        is_there
        and event.uri.endswith((".td", ".toml", ".mlir", ".py"))
        and not event.uri.endswith(f"/{CONFIGURATION}")
    )


async def watch(server: FathomServer) -> None:
    """Asks the client to say when files change, if it can be asked."""
    workspace = server.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is None or not watching.dynamic_registration:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(pattern) for pattern in WATCHED])
    registration = types.Registration("fathom-dialects", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    await server.client_register_capability_async(types.RegistrationParams([registration]))


async def refresh(server: FathomServer) -> None:
    """Finds out which files describe dialects, if there are any, and reads them; and what `fathom.toml` says."""
    async with server.finding_sources:
        folders = folders_of(server)
        server.session.configuration.use_folders(list(folders))
        dialects = _named(server, lambda settings: settings.dialects)
        includes = _named(server, lambda settings: settings.includes)
        is_named = any((folder / CONFIGURATION).is_file() for folder in folders.values())
        if not (dialects or includes or is_named or server.has_definitions):
            server.session.use_projects({})
            await edition_folders.refresh(server)
            return  # as in most workspaces: nothing need be loaded for it
        from fathom_server.session.sources import NOTHING, find_sources

        former = server.definitions.sources
        before = former.projects if former is not None else NOTHING
        settings = {folder: _settings_of(server, uri) for uri, folder in folders.items()}
        code = frozenset(folder for folder, said in settings.items() if said.dialect_code)
        tools = frozenset(folder for folder, said in settings.items() if said.project_tools)
        sources = await asyncio.to_thread(find_sources, list(folders.values()), dialects, includes, before, code, tools)
        for problem in sources.problems if former is None or sources.problems != former.problems else ():
            server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, problem))
        server.definitions.use(sources)
        said = {uri: sources.projects.get(folder) for uri, folder in folders.items()}
        server.session.use_projects({uri: project for uri, project in said.items() if project is not None})
        await edition_folders.refresh(server)


def _settings_of(server: FathomServer, folder: str) -> Settings:
    """What is set for a folder, by its URI: also whether Python that it names, and its tools, may be run."""
    return server.session.configuration.settings_for(f"{folder.rstrip('/')}/")


def _named(server: FathomServer, names_in: Callable[[Settings], Sequence[str]]) -> dict[str, list[Path]]:
    """The names of files in the settings, each with the folders in whose settings it stands."""
    configuration, folders = server.session.configuration, folders_of(server)
    if not folders:
        return {name: [Path()] for name in names_in(configuration.general)}
    named: dict[str, list[Path]] = {}
    for uri, folder in folders.items():
        for name in names_in(configuration.settings_for(f"{uri.rstrip('/')}/")):
            named.setdefault(name, []).append(folder)
    return named


def folder_for_files(server: FathomServer, border: Border) -> Path | str:
    """The folder of the workspace in which a client creates files for a document: the one that it goes by; or why there
    is none."""
    folder = folders_of(server).get(server.session.configuration.folder_of(border.uri) or "")
    if folder is None:
        return "there is no folder for it"
    return folder if border.client.creates_files else "the client creates no files"


def definitions_of(server: FathomServer) -> Definitions:
    """What is known beside the library, which is followed from now on."""
    from fathom_server.model.own_code import standing_in
    from fathom_server.session.beside.messages import Described
    from fathom_server.session.definitions import Definitions

    shown: dict[str, types.PublishDiagnosticsParams] = {}

    def show() -> None:
        _publish(server, definitions, shown)

    def take_over(known: Known, seen: Seen) -> Find:
        context = standing_in(known.dialects, seen.spoken)
        server.session.use(context, Described(known.files, seen.code, seen.spoken))
        if server.has_closed:
            server.closed.know()
        refreshing.tokens(server)
        for problem in server.session.configuration.unknown_passes(context.find_pass) if seen.code else ():
            server.window_log_message(types.LogMessageParams(types.MessageType.Warning, str(problem)))
        return context.find_pass

    def programs(paths: Sequence[str]) -> Mapping[str, str]:
        uris = {path: from_fs_path(path) or "" for path in paths}
        documents = server.session.documents
        return {path: documents[uri].document.tree.text for path, uri in uris.items() if uri in documents}

    definitions = Definitions(server.session.turns, programs, show, take_over)
    return definitions


def changed(server: FathomServer, uri: str) -> None:
    """A document is open, or was edited, or closed: it may define a dialect, and be one that code fails for."""
    if server.has_definitions:
        opened = server.session.documents.get(uri)
        faults = opened.findings.faults.values() if opened is not None else ()
        server.definitions.met(uri, (fault for of_item in faults for fault in of_item))
        sources = server.definitions.sources
        if sources is not None and any(from_fs_path(path) == uri for path in sources.paths if path.endswith(".mlir")):
            server.definitions.look()


# ---- where a name of a dialect is defined


def or_described(
    server: FathomServer, border: Border, params: types.DefinitionParams, answer: list[types.Location] | None
) -> list[types.Location] | None:
    """Where the name of an operation, a type or an attribute is defined, in the file that describes its dialect; the
    answer that there is where the text itself defines what stands there."""
    if answer or not _has_described(server, border):
        return answer
    from fathom_server.features.navigation import described_name

    described = described_name(border.snapshot, border.offset(params.position))
    return _described(server, border, described) or answer


def or_described_type(
    server: FathomServer, border: Border, params: types.TypeDefinitionParams, answer: list[types.Location] | None
) -> list[types.Location] | None:
    """Where the type of the value that is named is defined, in the file that describes its dialect, if the text itself
    has no alias for it."""
    if answer or not _has_described(server, border):
        return answer
    from fathom_server.features.type_definition import described_type

    return _described(server, border, described_type(border.snapshot, border.offset(params.position))) or answer


def _has_described(server: FathomServer, border: Border) -> bool:
    """Whether files may describe what a document names."""
    edition = border.snapshot.context.edition
    return server.has_definitions or (edition is not None and edition.is_folder)


def _described(server: FathomServer, border: Border, described: DescribedName | None) -> list[types.Location] | None:
    """Where what a dialect describes is defined; None where no file says so."""
    if described is None:
        return None
    name = described.kind, described.dialect, described.name
    known = server.definitions.looked.known
    place, edition = known.place(*name), border.snapshot.context.edition
    if place is None and edition is not None and (at := edition.where_defined(*name)) is not None:
        from fathom.descriptions.origins import Lines
        from fathom.descriptions.reading import read_text

        place = Lines(read_text).place(at)
    if place is None:
        return None
    uris = {document.path: document.uri for document in server.definitions.documents.values()}
    uri = uris.get(place.path) or from_fs_path(place.path) or ""
    return [types.Location(uri, range_of(place, server.encoding))]


# ---- diagnostics


def _publish(server: FathomServer, definitions: Definitions, shown: dict[str, types.PublishDiagnosticsParams]) -> None:
    """Publishes what is wrong in files, where it is another than what was `shown`, by URI, and takes that over."""
    uris = {looked.path: looked.uri for looked in definitions.documents.values()}
    by_uri: dict[str, list[types.Diagnostic]] = {uri: [] for uri in (*uris.values(), *shown)}
    for finding in definitions.findings:
        uri = uris.get(finding.place.path) or from_fs_path(finding.place.path) or ""
        if uri in server.session.documents:
            continue  # as of any open document, what is wrong with it is said already
        by_uri.setdefault(uri, []).append(_diagnostic(finding, server.encoding))
    for uri, diagnostics in by_uri.items():
        document = definitions.documents.get(uri)
        version = document.version if document is not None else None
        params = types.PublishDiagnosticsParams(uri, diagnostics, version=version)
        if shown.get(uri) != params:
            server.text_document_publish_diagnostics(params)
        shown[uri] = params


def _diagnostic(finding: Finding, encoding: Encoding) -> types.Diagnostic:
    message = f"{finding.key}: {finding.message}" if finding.key else finding.message
    return types.Diagnostic(range_of(finding.place, encoding), message, _SEVERITIES[finding.severity], source="fathom")


def range_of(place: Place, encoding: Encoding) -> types.Range:
    """The range of a part of a line."""
    start, end = (
        types.Position(place.line, to_units(place.text, column, encoding)) for column in (place.start, place.end)
    )
    return types.Range(start, end)
