"""Settings, from `initializationOptions`, `workspace/configuration` and `workspace/didChangeConfiguration`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types

from fathom_server.lsp import dialects, publishing, refreshing, workspace
from fathom_server.lsp.clients import guards_settings
from fathom_server.lsp.plain import plain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from fathom_server.lsp.server import FathomServer
    from fathom_server.model.settings import Problem
    from fathom_server.session.session import Session


def register(server: FathomServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        publishing.register(server)
        if server.watch_process is not None and params.process_id:
            server.watch_process(params.process_id)
        server.protocol.trace = params.trace or server.protocol.trace
        able = params.capabilities.workspace
        if able is not None and able.workspace_folders:
            server.names_folders = params.workspace_folders is not None
        said: Any = plain(params.initialization_options)
        server.settings_at_first = {**said, **server.settings_of_its_own} if isinstance(said, dict) else said

    @server.feature(types.INITIALIZED)
    async def initialized(_params: types.InitializedParams) -> None:
        warming = asyncio.create_task(server.warm_up())
        await _ask(server)
        await dialects.refresh(server)
        await dialects.watch(server)
        workspace.begin(server)
        await warming

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders_changed(_params: types.DidChangeWorkspaceFoldersParams) -> None:
        await _ask(server)
        await dialects.refresh(server)
        workspace.begin(server)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change(params: types.DidChangeConfigurationParams) -> None:
        former = server.session.settings
        settings: Any = plain(params.settings)
        if isinstance(settings, dict) and settings:
            section = cast("dict[str, Any]", settings)
            _take(server, section.get("fathom", section))
        else:
            await _ask(server)
        if server.session.settings.hints != former.hints:
            refreshing.hints(server)
        await dialects.refresh(server)
        workspace.begin(server)


def begin(server: FathomServer, session: Session) -> None:
    """Has a new session take over what the client said when it began: the answer to `initialize` needs no session."""
    session.configuration.guards = guards_settings(server.client_capabilities)
    if server.settings_at_first is not None:
        _tell(server, session.configuration.begin(server.settings_at_first))


async def _ask(server: FathomServer) -> None:
    """Asks the client for the section `fathom`, in general and of each folder, if it can be asked."""
    able = server.client_capabilities.workspace
    if able is None or not able.configuration:
        return
    known = list(workspace.folders_of(server))
    server.session.configuration.use_folders(known)
    folders = [None, *known]
    items = [types.ConfigurationItem(scope_uri=folder, section="fathom") for folder in folders]
    answers = await server.workspace_configuration_async(types.ConfigurationParams(items))
    told: set[str] = set()
    for folder, answer in zip(folders, answers or [], strict=False):
        told |= _take(server, plain(answer), folder, told)


def _take(server: FathomServer, section: object, folder: str | None = None, told: Collection[str] = ()) -> set[str]:
    """Takes over settings, of a folder or of all; None where the client has nothing to say. An empty table of Lua comes
    as an empty list. The client is shown what is wrong, unless it was `told` that."""
    return _tell(server, server.session.configure(section or {}, folder) if section is not None else [], told)


def _tell(server: FathomServer, problems: Iterable[Problem], told: Collection[str] = ()) -> set[str]:
    """Shows the client what is wrong with its settings, but for what it was `told`."""
    messages = {str(problem): None for problem in problems}
    for problem in messages:
        if problem not in told:
            server.window_log_message(types.LogMessageParams(types.MessageType.Warning, problem))
    return set(messages)
