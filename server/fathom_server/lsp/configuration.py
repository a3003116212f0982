"""Settings, from `initializationOptions`, `workspace/configuration` and `workspace/didChangeConfiguration`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types

from fathom_server.lsp import dialects, publishing, refreshing, workspace
from fathom_server.lsp.plain import plain

if TYPE_CHECKING:
    from fathom_server.lsp.server import FathomServer


def register(server: FathomServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        publishing.register(server)
        _take(server, plain(params.initialization_options))

    @server.feature(types.INITIALIZED)
    async def initialized(_params: types.InitializedParams) -> None:
        warming = asyncio.create_task(server.warm_up())
        await _ask(server)
        await dialects.refresh(server)
        await dialects.watch(server)
        workspace.begin(server)
        await warming

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


async def _ask(server: FathomServer) -> None:
    """Asks the client for the section `fathom`, if it can be asked."""
    workspace = server.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return
    params = types.ConfigurationParams([types.ConfigurationItem(section="fathom")])
    answers = await server.workspace_configuration_async(params)
    for answer in answers or []:
        _take(server, plain(answer))


def _take(server: FathomServer, section: object) -> None:
    if not section:
        return
    for problem in server.session.configure(section):
        server.window_log_message(types.LogMessageParams(types.MessageType.Warning, problem))
