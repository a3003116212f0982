"""What features answer, in the protocol's terms: hovers, symbols, code actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from fathom_server.lsp.border import Border
from fathom_server.lsp.markup import markup

if TYPE_CHECKING:
    from fathom.ir.operation import Span
    from fathom_server.features.completion.suggestion import Completions
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
    content = markup(found.markdown, is_markdown=border.client.takes_markdown)
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
