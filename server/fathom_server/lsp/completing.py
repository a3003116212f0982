"""Completion and signature help in the protocol's terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from fathom.text.encodings import to_units
from fathom_server.lsp.border import Border
from fathom_server.lsp.markup import markup
from fathom_server.lsp.plain import plain
from fathom_server.lsp.words import Place, word_at

if TYPE_CHECKING:
    from fathom_server.features.completion.suggestion import Completions
    from fathom_server.features.signature_help import Signature

KINDS: Final = {
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
    "pass": types.CompletionItemKind.Function,
    "dialect": types.CompletionItemKind.Module,
    "word": types.CompletionItemKind.Text,
}

NOT_CALLED: Final = {"operation": types.CompletionItemKind.Keyword, "pass": types.CompletionItemKind.Keyword}
"""The other kinds for a client that has words of its own: Kate would write parentheses behind a function."""


def completions(border: Border, params: types.CompletionParams, offered: Completions) -> types.CompletionList:
    """The suggestions in their order; each takes the place of the whole word. For a client that has words of its own,
    each takes the place of one of those, and is left out where it cannot."""
    place = Place(offered.start, offered.end)
    kinds = KINDS
    if border.client.completes_words:
        place = word_at(border.snapshot.tree, border.offset(params.position), offered)
        kinds = KINDS | NOT_CALLED
    where = border.range(place.start, place.end)
    struck = [types.CompletionItemTag.Deprecated] if border.client.strikes_through else None
    items: list[types.CompletionItem] = []
    for number, suggestion in enumerate(offered.suggestions):
        is_snippet = suggestion.is_snippet and border.client.takes_snippets
        text = suggestion.text if is_snippet or not suggestion.is_snippet else ""
        written = place.written(text or suggestion.label)
        if written is None:
            continue
        items.append(
            types.CompletionItem(
                place.kept + suggestion.label,
                kind=kinds[suggestion.kind],
                detail=suggestion.detail or None,
                documentation=suggestion.documentation or None,
                data={"uri": border.uri, "subject": suggestion.subject} if suggestion.subject else None,
                sort_text=f"{number:04}",
                filter_text=place.written(suggestion.label) or suggestion.label,
                insert_text_format=types.InsertTextFormat.Snippet if is_snippet else None,
                text_edit=types.TextEdit(where, written),
                tags=struck if suggestion.is_deprecated else None,
            )
        )
    return types.CompletionList(offered.is_incomplete, items)


def as_it_is(item: types.CompletionItem) -> types.CompletionItem:
    """An item of which there is no more to say."""
    return item


def document_of(item: types.CompletionItem) -> str:
    """The document in which an item was suggested; empty for one of which there is no more to say."""
    match plain(item.data):
        case {"uri": str(uri)}:
            return uri
        case _:
            return ""


def subject_of(_border: Border, item: types.CompletionItem) -> tuple[str]:
    match plain(item.data):
        case {"subject": str(name)}:
            return (name,)
        case _:
            return ("",)


def documented(border: Border, item: types.CompletionItem, text: str) -> types.CompletionItem:
    """The item with what is said of it."""
    if text:
        item.documentation = markup(text, is_markdown=border.client.takes_markdown)
    return item


def signature(_border: Border, _params: object, shown: Signature) -> types.SignatureHelp:
    """The signature with the places of its parts in the label, which count in UTF-16 whatever was agreed on."""
    label = shown.label
    parameters = [
        types.ParameterInformation(
            (to_units(label, parameter.start, "utf-16"), to_units(label, parameter.end, "utf-16")),
            parameter.documentation or None,
        )
        for parameter in shown.parameters
    ]
    made = types.SignatureInformation(label, shown.documentation or None, parameters)
    return types.SignatureHelp([made], active_signature=0, active_parameter=shown.active)
