"""Symbols of a document in the protocol's terms: one in the other, or in a list for clients that show no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from lsprotocol import types

if TYPE_CHECKING:
    from fathom_server.features.document_symbols import Element
    from fathom_server.lsp.border import Border

KINDS: Final = {
    "FUNCTION": types.SymbolKind.Function,
    "TABLE": types.SymbolKind.Module,
    "DATA": types.SymbolKind.Variable,
    "UNKNOWN": types.SymbolKind.Function,
}
"""By the name of the role: the model is not loaded before `initialize` is answered."""

_OTHERS: Final = {
    "split": types.SymbolKind.Namespace,
    "block": types.SymbolKind.Key,
    "value": types.SymbolKind.Constant,
}


def of_document(
    border: Border, _params: object, found: list[Element]
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """The symbols of a document."""
    return _tree(border, found) if border.client.nests_symbols else list(_flat(border, found, None))


def _tree(border: Border, found: list[Element]) -> list[types.DocumentSymbol]:
    return [
        types.DocumentSymbol(
            each.name,
            _kind(each),
            border.range(each.start, each.end),
            border.range(each.name_start, each.name_end),
            detail=each.detail,
            children=_tree(border, each.children),
        )
        for each in found
    ]


def _flat(border: Border, found: list[Element], container: str | None) -> Iterator[types.SymbolInformation]:
    for each in found:
        where = types.Location(border.uri, border.range(each.start, each.end))
        yield types.SymbolInformation(where, each.name, _kind(each), container_name=container)
        yield from _flat(border, each.children, each.name)


def _kind(element: Element) -> types.SymbolKind:
    return KINDS[element.role.name] if element.role is not None else _OTHERS[element.kind]
