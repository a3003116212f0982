"""A client of the real server, started as an editor starts it: buffers kept in step, and all that the server said."""

from __future__ import annotations

import ast
import asyncio
import atexit
import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

from cattrs import Converter
from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.protocol import JsonRPCNotification, JsonRPCRequestMessage, JsonRPCResponseMessage, default_converter

from tests.patience import PATIENCE
from tests.suite.execute import stand_ins

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "fathom.cli", "lsp")
CACHE: Final = TemporaryDirectory(prefix="fathom-tests-")
"""What servers keep between sessions is kept there."""


@cache
def warm_command() -> tuple[str, ...]:
    """The command of a server that does not start Python anew: a parent that has imported all of it forks
    (`tests/suite/warm.py`).
    What the system says of its process is said of one that stands before it."""
    kept = ExitStack()
    atexit.register(kept.close)
    work = Path(kept.enter_context(TemporaryDirectory(prefix="fathom-tests-")))
    kept.enter_context(stand_ins(work, work))
    return str(work / "fathom"), "lsp"


def environment() -> dict[str, str]:
    """The environment in which a child finds the packages of this checkout."""
    paths = [str(ROOT / "lowering"), str(ROOT / "server"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "XDG_CACHE_HOME": CACHE.name}


@cache
def plain_converter() -> Converter:
    """Reads messages of no known type as dictionaries and lists; pygls makes a class for each dictionary. It writes
    code for each kind of message, so all clients have one."""
    converter = default_converter()
    for kind in (JsonRPCRequestMessage, JsonRPCResponseMessage, JsonRPCNotification):
        converter.register_structure_hook(kind, lambda message, kind: kind(**message))
    return converter


class Buffer:
    """An open document: the client's copy of its text, and the diagnostics that the server sent for each version."""

    def __init__(self, session: Session, uri: str, text: str) -> None:
        self.session = session
        self.uri = uri
        self.text = text
        self.version = 1

    @property
    def identifier(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    def position(self, offset: int) -> types.Position:
        """The position of an offset, in the encoding agreed on."""
        before = self.text[:offset]
        line = before.count("\n")
        return types.Position(line, units(before[before.rfind("\n") + 1 :], self.session.encoding))

    def at(self, needle: str, beyond: int = 0) -> types.Position:
        """The position `beyond` characters into the only place of a text."""
        assert self.text.count(needle) == 1, f"{needle!r} stands {self.text.count(needle)} times"
        return self.position(self.text.index(needle) + beyond)

    def offset(self, position: types.Position) -> int:
        lines = self.text.split("\n")
        line = lines[position.line]
        column = next(i for i in range(len(line) + 1) if units(line[:i], self.session.encoding) >= position.character)
        return sum(len(before) + 1 for before in lines[: position.line]) + column

    def slice(self, where: types.Range) -> str:
        """The text of a range."""
        return self.text[self.offset(where.start) : self.offset(where.end)]

    def edit(self, *replacements: tuple[str, str]) -> None:
        """Replaces texts that stand once each, one after the other, all in one notification."""
        changes: list[types.TextDocumentContentChangeEvent] = []
        for old, new in replacements:
            start = self.text.index(old)
            where = types.Range(self.at(old), self.position(start + len(old)))
            changes.append(types.TextDocumentContentChangePartial(where, new))
            self.text = self.text[:start] + new + self.text[start + len(old) :]
        self.send(changes)

    def replace(self, start: int, end: int, new: str) -> None:
        """Replaces a stretch of the text."""
        where = types.Range(self.position(start), self.position(end))
        self.text = self.text[:start] + new + self.text[end:]
        self.send([types.TextDocumentContentChangePartial(where, new)])

    def set(self, text: str) -> None:
        """Replaces the whole text by a change without a range."""
        self.text = text
        self.send([types.TextDocumentContentChangeWholeDocument(text)])

    def send(self, changes: Sequence[types.TextDocumentContentChangeEvent]) -> None:
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.session.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    async def diagnostics(self, holds: Callable[[list[str]], bool] | None = None) -> list[str]:
        """`line: message` of each diagnostic of the present version, once they are as `holds` wants them."""

        def current() -> list[str] | None:
            diagnostics = self.session.published.get((self.uri, self.version))
            if diagnostics is None:
                return None
            shown = [f"{d.range.start.line + 1}: {d.message}" for d in diagnostics]
            return shown if holds is None or holds(shown) else None

        return await self.session.until(current, lambda: f"{self.session.published}")

    async def raw_diagnostics(self) -> list[types.Diagnostic]:
        return await self.session.until(lambda: self.session.published.get((self.uri, self.version)))

    async def ask(self, method: str, **parameters: Any) -> Any:
        """The answer to one of Fathom's own requests about this document."""
        return await self.session.request(method, {"textDocument": {"uri": self.uri}, **parameters})

    async def hover(self, position: types.Position) -> str:
        hover = await self.session.client.text_document_hover_async(types.HoverParams(self.identifier, position))
        assert hover is not None, "nothing to say"
        assert isinstance(hover.contents, types.MarkupContent)
        return hover.contents.value

    async def definition(self, position: types.Position) -> list[types.Location]:
        params = types.DefinitionParams(self.identifier, position)
        places = await self.session.client.text_document_definition_async(params) or []
        return [
            place
            for place in ([places] if isinstance(places, types.Location) else places)
            if isinstance(place, types.Location)
        ]

    async def symbols(self) -> list[types.DocumentSymbol]:
        params = types.DocumentSymbolParams(self.identifier)
        symbols = await self.session.client.text_document_document_symbol_async(params) or []
        return [symbol for symbol in symbols if isinstance(symbol, types.DocumentSymbol)]

    async def actions(self, position: types.Position, only: list[str] | None = None) -> list[types.CodeAction]:
        context = types.CodeActionContext([], only=only)
        params = types.CodeActionParams(self.identifier, types.Range(position, position), context)
        actions = await self.session.client.text_document_code_action_async(params) or []
        return [action if isinstance(action, types.CodeAction) else _with_command(action) for action in actions]

    async def fixes(self, position: types.Position) -> list[types.CodeAction]:
        """The fixes at a position, without the question why something is left."""
        found = await self.actions(position, ["quickfix"])
        return [action for action in found if not action.title.startswith("Why was this")]

    async def lowering(self, position: types.Position) -> types.CodeAction:
        """The action that lowers the function at a position."""
        (action,) = [candidate for candidate in await self.actions(position) if candidate.title.startswith("Lower `@")]
        return action

    async def run(self, function: str, *arguments: Any, **more: Any) -> Any:
        """The answer to `fathom.runFunction`."""
        given = {"uri": self.uri, "function": function, "arguments": list(arguments), **more}
        return await self.session.command("fathom.runFunction", given)

    def close(self) -> None:
        self.session.client.text_document_did_close(types.DidCloseTextDocumentParams(self.identifier))


class Session:
    """A started and initialized server, and all that it has said without being asked."""

    def __init__(self, client: LanguageClient, configuration: dict[str, Any] | None) -> None:
        self.client = client
        self.configuration = configuration
        self.scoped: dict[str, dict[str, Any]] = {}
        """What is another in a folder, by its URI."""
        self.result: types.InitializeResult
        self.published: dict[tuple[str, int | None], list[types.Diagnostic]] = {}
        self.previews: list[Any] = []
        self.progress: list[tuple[Any, Any]] = []
        self.shown: list[types.ProgressToken] = []
        """What the server has asked the client to show."""
        self.log: list[str] = []
        self.edits: list[types.WorkspaceEdit] = []
        self.traced: list[types.LogTraceParams] = []
        self.accepts_edits = True
        self.registered: list[types.Registration] = []
        """What the server asked the client to do from now on."""
        self.refreshed = 0
        """How often the server has said that it should be asked again for diagnostics."""
        self.messages: list[types.PublishDiagnosticsParams] = []
        """The diagnostics that were published, one message after the other."""
        self.asked_again: list[str] = []
        """The requests of the server that something be asked for again."""
        self.asked = 0
        """How often the server has asked for the settings."""
        self._changed = asyncio.Event()
        self._count = 0
        self._listen()

    @property
    def encoding(self) -> str:
        chosen = self.result.capabilities.position_encoding
        return str(getattr(chosen, "value", chosen) or "utf-16")

    def open(self, text: str, name: str | None = None) -> Buffer:
        """Opens a new document."""
        self._count += 1
        buffer = Buffer(self, f"file:///{name or f'buffer{self._count}.mlir'}", text)
        item = types.TextDocumentItem(buffer.uri, "mlir", buffer.version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return buffer

    async def request(self, method: str, params: Any) -> Any:
        """The answer to a request that pygls has no type for, as plain dictionaries and lists."""
        return await asyncio.wait_for(self.client.protocol.send_request_async(method, params), PATIENCE)

    async def command(self, name: str, *arguments: Any, token: str | None = None) -> Any:
        params = types.ExecuteCommandParams(name, list(arguments), work_done_token=token)
        return await asyncio.wait_for(self.client.workspace_execute_command_async(params), PATIENCE)

    async def until(self, look: Callable[[], Any], otherwise: Callable[[], str] = str) -> Any:
        """Waits for messages until `look` finds something other than None, and gives that."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PATIENCE
        while (seen := look()) is None:
            self._changed.clear()
            left = deadline - loop.time()
            assert left > 0, f"it did not come: {otherwise()}"
            try:
                await asyncio.wait_for(self._changed.wait(), left)
            except TimeoutError:
                continue
        return seen

    def _listen(self) -> None:
        feature = cast("Callable[[str], Callable[[Any], Any]]", self.client.feature)

        @feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def on_diagnostics(params: types.PublishDiagnosticsParams) -> None:
            self.published[params.uri, params.version] = list(params.diagnostics)
            self.messages.append(params)
            self._changed.set()

        @feature("fathom/previewDidChange")
        def on_preview(params: Any) -> None:
            self.previews.append(params)
            self._changed.set()

        @feature(types.PROGRESS)
        def on_progress(params: types.ProgressParams) -> None:
            self.progress.append((params.token, params.value))
            self._changed.set()

        @feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def on_shown(params: types.WorkDoneProgressCreateParams) -> None:
            self.shown.append(params.token)

        @feature(types.WINDOW_LOG_MESSAGE)
        def on_log(params: types.LogMessageParams) -> None:
            self.log.append(params.message)
            self._changed.set()

        @feature(types.LOG_TRACE)
        def on_trace(params: types.LogTraceParams) -> None:
            self.traced.append(params)
            self._changed.set()

        @feature(types.WINDOW_SHOW_MESSAGE)
        def on_show(params: types.ShowMessageParams) -> None:
            self.log.append(f"shown: {params.message}")
            self._changed.set()

        @feature(types.WORKSPACE_APPLY_EDIT)
        def on_edit(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.edits.append(params.edit)
            if self.accepts_edits:
                return types.ApplyWorkspaceEditResult(True)
            return types.ApplyWorkspaceEditResult(False, failure_reason="the buffer has changed")

        @feature(types.CLIENT_REGISTER_CAPABILITY)
        def on_registration(params: types.RegistrationParams) -> None:
            self.registered += params.registrations
            self._changed.set()

        @feature(types.WORKSPACE_INLAY_HINT_REFRESH)
        def on_hints(*_nothing: object) -> None:
            self.asked_again.append(types.WORKSPACE_INLAY_HINT_REFRESH)
            self._changed.set()

        @feature(types.WORKSPACE_SEMANTIC_TOKENS_REFRESH)
        def on_tokens(*_nothing: object) -> None:
            self.asked_again.append(types.WORKSPACE_SEMANTIC_TOKENS_REFRESH)

        @feature(types.WORKSPACE_CONFIGURATION)
        def on_configuration(params: types.ConfigurationParams) -> list[Any]:
            assert {item.section for item in params.items} == {"fathom"}
            self.asked += 1
            self._changed.set()
            return [self.scoped.get(item.scope_uri or "", self.configuration) for item in params.items]

        @feature(types.WORKSPACE_DIAGNOSTIC_REFRESH)
        def on_refresh(_params: None) -> None:
            self.refreshed += 1
            self._changed.set()

        del (
            on_shown,
            on_trace,
            (
                on_refresh,
                on_diagnostics,
                on_preview,
                on_progress,
                on_log,
                on_show,
                on_edit,
                on_registration,
                on_configuration,
                on_hints,
                on_tokens,
            ),
        )


def capabilities(
    encodings: Sequence[str] = ("utf-16",),
    *,
    resolve: bool = False,
    related: bool = True,
    links: bool = False,
    document_changes: bool = True,
    configuration: bool = False,
    watches_files: bool = False,
    creates_files: bool = False,
    tags: bool = False,
    pulls: bool = False,
    refreshes: bool = True,
    shows_progress: bool = False,
    completes: bool = True,
    shows_disabled: bool = True,
    names_folders: bool = False,
) -> types.ClientCapabilities:
    """What a client can do, as far as it matters to Fathom."""
    support = types.ClientCodeActionResolveOptions(["edit"]) if resolve else None
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(
            position_encodings=[types.PositionEncodingKind(name) for name in encodings]
        ),
        text_document=types.TextDocumentClientCapabilities(
            code_action=types.CodeActionClientCapabilities(resolve_support=support, disabled_support=shows_disabled),
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                related_information=related,
                code_description_support=links,
                tag_support=types.ClientDiagnosticsTagOptions(list(types.DiagnosticTag)) if tags else None,
            ),
            diagnostic=types.DiagnosticClientCapabilities() if pulls else None,
            completion=types.CompletionClientCapabilities(
                completion_item=types.ClientCompletionItemOptions(
                    tag_support=types.CompletionItemTagOptions(list(types.CompletionItemTag)) if tags else None
                )
            )
            if completes
            else None,
        ),
        window=types.WindowClientCapabilities(work_done_progress=shows_progress),
        workspace=types.WorkspaceClientCapabilities(
            apply_edit=True,
            configuration=configuration,
            workspace_folders=names_folders,
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refreshes),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(watches_files),
            workspace_edit=types.WorkspaceEditClientCapabilities(
                document_changes=document_changes,
                resource_operations=[types.ResourceOperationKind.Create] if creates_files else None,
            ),
        ),
    )


@asynccontextmanager
async def started(
    can: types.ClientCapabilities | None = None,
    options: object = None,
    configuration: dict[str, Any] | None = None,
    folder: Path | None = None,
    scoped: Mapping[Path, dict[str, Any]] | None = None,
    root: Path | None = None,
    own_process: bool = False,
) -> AsyncGenerator[Session]:
    """A session with a server of its own on standard input and output, a process that was started for it if that is
    asked for; `folder` is that of the workspace, or those in `scoped`, each with its own settings; of one with a `root`
    the client says that it has no folders."""
    client = LanguageClient("fathom-tests", "0", converter_factory=plain_converter)
    session = Session(client, configuration)
    start = cast("Callable[..., Awaitable[None]]", client.start_io)  # pyright: ignore[reportUnknownMemberType]
    await start(*(COMMAND if own_process else warm_command()), "--stdio", env=environment())
    try:
        session.scoped = {path.as_uri(): section for path, section in (scoped or {}).items()}
        named = [*([folder] if folder is not None else []), *(scoped or {})]
        folders = [types.WorkspaceFolder(path.as_uri(), path.name) for path in named] or ([] if root else None)
        params = types.InitializeParams(
            can or capabilities(),
            root_uri=root.as_uri() if root else None,
            initialization_options=options,
            workspace_folders=folders,
        )
        session.result = await asyncio.wait_for(client.initialize_async(params), PATIENCE)
        client.initialized(types.InitializedParams())
        yield session
    finally:
        if not client.stopped:
            await asyncio.wait_for(client.shutdown_async(None), PATIENCE)
            client.exit(None)
            await client.stop()


def _with_command(action: types.Command) -> types.CodeAction:
    """The action with a command that lsprotocol took for a command: it has the action's command as text."""
    return types.CodeAction(action.title, command=types.Command(**ast.literal_eval(action.command)))


def units(text: str, encoding: str) -> int:
    """The length of a text in units of an encoding."""
    return {
        "utf-8": lambda: len(text.encode()),
        "utf-16": lambda: len(text.encode("utf-16-le")) // 2,
        "utf-32": lambda: len(text),
    }[encoding]()
