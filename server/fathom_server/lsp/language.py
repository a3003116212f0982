"""Hover, definition, references, symbols and code actions: each handler translates, the features think.

A feature is imported when it is first used, so that the server answers `initialize` at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from fathom_server.lsp.configuration import plain
from fathom_server.lsp.convert import from_lsp, range_to_lsp

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.ir.operation import Span
    from fathom_server.features.lower import Refusal
    from fathom_server.features.symbols import OutlineEntry
    from fathom_server.lsp.server import FathomServer
    from fathom_server.session.snapshot import Snapshot

_KINDS = {"module": types.SymbolKind.Module, "global": types.SymbolKind.Variable}


def register(server: FathomServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def on_hover(params: types.HoverParams) -> types.Hover | None:
        from fathom_server.features.hover import hover

        snapshot = server.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        found = hover(snapshot, from_lsp(snapshot.tree, params.position, server.encoding))
        if found is None:
            return None
        where = range_to_lsp(snapshot.tree, found.start, found.end, server.encoding)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, found.markdown), where)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def on_definition(params: types.DefinitionParams) -> list[types.Location] | None:
        from fathom_server.features import navigation

        snapshot = server.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        offset = from_lsp(snapshot.tree, params.position, server.encoding)
        return _locations(server, snapshot, navigation.definition(snapshot, offset))

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def on_references(params: types.ReferenceParams) -> list[types.Location] | None:
        from fathom_server.features import navigation

        snapshot = server.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        offset = from_lsp(snapshot.tree, params.position, server.encoding)
        spans = navigation.references(snapshot, offset, include_declaration=params.context.include_declaration)
        return _locations(server, snapshot, spans)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def on_symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        snapshot = server.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        from fathom_server.features.symbols import outline

        return [_symbol(entry, snapshot, server) for entry in outline(snapshot)]

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions([types.CodeActionKind.RefactorRewrite], resolve_provider=True),
    )
    def on_code_action(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        from fathom_server.features.lower import lowerable_at

        snapshot = server.snapshot(params.text_document.uri)
        only = params.context.only
        if snapshot is None or (only and not any(_includes(_kind(kind)) for kind in only)):
            return None
        start = from_lsp(snapshot.tree, params.range.start, server.encoding)
        end = from_lsp(snapshot.tree, params.range.end, server.encoding)
        return [
            types.CodeAction(
                f"Lower `@{symbol.name}` to the LLVM dialect",
                types.CodeActionKind.RefactorRewrite,
                data={"uri": snapshot.document.uri, "function": symbol.name, "version": snapshot.document.version},
            )
            if _resolves(server)
            else _with_edit(server, snapshot, symbol.name)
            for symbol in lowerable_at(snapshot, start, end)
        ]

    @server.feature(types.CODE_ACTION_RESOLVE)
    def on_resolve(action: types.CodeAction) -> types.CodeAction:
        match plain(action.data):
            case {"uri": str(uri), "function": str(name)}:
                made = _with_edit(server, server.open_snapshot(uri), name)
            case _:
                raise JsonRpcInvalidParams("this action did not come from Fathom")
        action.edit, action.disabled = made.edit, made.disabled
        return action


def _locations(server: FathomServer, snapshot: Snapshot, spans: Iterable[Span]) -> list[types.Location]:
    uri, tree = snapshot.document.uri, snapshot.tree
    return [types.Location(uri, range_to_lsp(tree, span.start, span.end, server.encoding)) for span in spans]


def _kind(kind: object) -> str:
    return str(getattr(kind, "value", kind))


def _includes(kind: str) -> bool:
    """Whether a kind of actions includes rewritings; the empty one includes all."""
    return not kind or f"{types.CodeActionKind.RefactorRewrite.value}.".startswith(f"{kind}.")


def _resolves(server: FathomServer) -> bool:
    """Whether the client asks for the edit of an action when it is chosen."""
    capabilities = server.client_capabilities.text_document
    action = capabilities.code_action if capabilities is not None else None
    support = action.resolve_support if action is not None else None
    return support is not None and "edit" in support.properties


def _with_edit(server: FathomServer, snapshot: Snapshot, name: str) -> types.CodeAction:
    from fathom_server.features.lower import Refusal

    title = f"Lower `@{name}` to the LLVM dialect"
    outcome = lower_edit(server, snapshot, name)
    if isinstance(outcome, Refusal):
        disabled = types.CodeActionDisabled(outcome.reason)
        return types.CodeAction(title, types.CodeActionKind.RefactorRewrite, disabled=disabled)
    return types.CodeAction(title, types.CodeActionKind.RefactorRewrite, edit=outcome)


def lower_edit(server: FathomServer, snapshot: Snapshot, name: str) -> types.WorkspaceEdit | Refusal:
    """The edit that lowers a function, bound to the version of the document that it was made for."""
    from fathom_server.features.lower import Refusal, lower_function

    outcome = lower_function(snapshot, name)
    if isinstance(outcome, Refusal):
        return outcome
    where = range_to_lsp(snapshot.tree, outcome.start, outcome.end, server.encoding)
    edit = types.TextEdit(where, outcome.text)
    capabilities = server.client_capabilities.workspace
    support = capabilities.workspace_edit if capabilities is not None else None
    if support is not None and support.document_changes:
        document = types.OptionalVersionedTextDocumentIdentifier(snapshot.document.uri, snapshot.document.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, [edit])])
    return types.WorkspaceEdit(changes={snapshot.document.uri: [edit]})


def _symbol(entry: OutlineEntry, snapshot: Snapshot, server: FathomServer) -> types.DocumentSymbol:
    kind = _KINDS.get(entry.symbol.op_name.rpartition(".")[2], types.SymbolKind.Function)
    end = max(entry.end, entry.name_end)
    return types.DocumentSymbol(
        f"@{entry.symbol.name}",
        kind,
        range_to_lsp(snapshot.tree, entry.start, end, server.encoding),
        range_to_lsp(snapshot.tree, entry.name_start, entry.name_end, server.encoding),
        detail=entry.detail,
        children=[_symbol(child, snapshot, server) for child in entry.children],
    )
