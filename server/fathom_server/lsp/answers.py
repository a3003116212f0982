"""What features answer, in the protocol's terms: hovers, symbols, code actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from fathom_server.lsp.border import Border
from fathom_server.lsp.plain import plain
from fathom_server.lsp.requests import invalid

if TYPE_CHECKING:
    from fathom.ir.operation import Span
    from fathom_server.features.actions import Action
    from fathom_server.features.completion.suggestion import Completions
    from fathom_server.features.edits import Refusal, Replacement
    from fathom_server.features.hover import Hover
    from fathom_server.features.symbols import OutlineEntry

KINDS: Final = {
    "FUNCTION": types.SymbolKind.Function,
    "TABLE": types.SymbolKind.Module,
    "DATA": types.SymbolKind.Variable,
    "UNKNOWN": types.SymbolKind.Function,
}
"""By the name of the role: the model is not loaded before `initialize` is answered."""


def hover(border: Border, _params: object, found: Hover) -> types.Hover:
    content = types.MarkupContent(types.MarkupKind.Markdown, found.markdown)
    return types.Hover(content, border.range(found.start, found.end))


def locations(border: Border, _params: object, found: list[Span]) -> list[types.Location]:
    return border.locations(found)


def symbols(border: Border, params: object, found: list[OutlineEntry]) -> list[types.DocumentSymbol]:
    return [
        types.DocumentSymbol(
            entry.name,
            KINDS[entry.role.name] if entry.role is not None else types.SymbolKind.Namespace,
            border.range(entry.start, max(entry.end, entry.name_end)),
            border.range(entry.name_start, entry.name_end),
            detail=entry.detail,
            children=symbols(border, params, entry.children),
        )
        for entry in found
    ]


# ---- completion

COMPLETION_KINDS: Final = {
    "value": types.CompletionItemKind.Variable,
    "argument": types.CompletionItemKind.Variable,
    "function": types.CompletionItemKind.Function,
    "table": types.CompletionItemKind.Module,
    "data": types.CompletionItemKind.Constant,
    "block": types.CompletionItemKind.Reference,
    "type": types.CompletionItemKind.Class,
    "attribute": types.CompletionItemKind.Property,
    "keyword": types.CompletionItemKind.Keyword,
    "operation": types.CompletionItemKind.Function,
    "dialect": types.CompletionItemKind.Module,
    "word": types.CompletionItemKind.Text,
}


def completions(border: Border, _params: object, found: Completions) -> types.CompletionList:
    """The suggestions in their order; each takes the place of the whole word."""
    place = border.range(found.start, found.end)
    items: list[types.CompletionItem] = []
    for number, each in enumerate(found.suggestions):
        is_snippet = each.is_snippet and border.client.takes_snippets
        text = each.text if is_snippet or not each.is_snippet else ""
        items.append(
            types.CompletionItem(
                each.label,
                kind=COMPLETION_KINDS[each.kind],
                detail=each.detail or None,
                documentation=each.documentation or None,
                sort_text=f"{number:04}",
                filter_text=each.label,
                insert_text_format=types.InsertTextFormat.Snippet if is_snippet else None,
                text_edit=types.TextEdit(place, text or each.label),
            )
        )
    return types.CompletionList(found.is_incomplete, items)


# ---- code actions


def range_and_kinds(border: Border, params: types.CodeActionParams) -> tuple[int, int, tuple[str, ...]]:
    """The range that actions are asked for, and the kinds of them."""
    only = tuple(str(getattr(kind, "value", kind)) for kind in params.context.only or ())
    return border.offset(params.range.start), border.offset(params.range.end), only


def actions(border: Border, _params: object, found: list[Action]) -> list[types.CodeAction]:
    """Actions without their edits for a client that asks for the edit of the one it chose; else with them."""
    later = border.client.resolves_edits
    able = [each for each in found if not (each.describes or each.pipeline) or border.client.creates_files]
    return [_action(border, action, later=later) for action in able]


def _action(border: Border, action: Action, *, later: bool) -> types.CodeAction:
    from fathom_server.features.lower import lower_function

    made = types.CodeAction(action.title, types.CodeActionKind(action.kind))
    if action.edit:
        return with_edit(border, made, list(action.edit))
    if action.describes:
        made.command = types.Command(action.title, "fathom.describeDialect", arguments=[border.uri, action.describes])
        return made
    if action.pipeline:
        made.command = types.Command(action.title, "fathom.setPipeline", arguments=[border.uri, action.pipeline])
        return made
    if later:
        made.data = {"uri": border.uri, "function": action.lowers, "version": border.snapshot.version}
        return made
    return with_edit(border, made, lower_function(border.snapshot, action.lowers))


def with_edit(border: Border, action: types.CodeAction, outcome: list[Replacement] | Refusal) -> types.CodeAction:
    """The action with its edit, or with the reason why it cannot be done."""
    from fathom_server.features.edits import Refusal

    if isinstance(outcome, Refusal):
        action.disabled = types.CodeActionDisabled(outcome.reason)
    else:
        action.edit = border.edit(outcome)
    return action


def document_of_action(action: types.CodeAction) -> str:
    match plain(action.data):
        case {"uri": str(uri)}:
            return uri
        case _:
            raise invalid("this action did not come from Fathom")


def function_of_action(_border: Border, action: types.CodeAction) -> tuple[str]:
    match plain(action.data):
        case {"function": str(name)}:
            return (name,)
        case _:
            raise invalid("this action did not come from Fathom")
