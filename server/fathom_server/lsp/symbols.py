"""Symbols of a document in the protocol's terms: one in the other, or in a list for clients that show no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from lsprotocol import types

if TYPE_CHECKING:
    from fathom_server.features.document_symbols import Element
    from fathom_server.lsp.border import AnyBorder

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
    "type": types.SymbolKind.Struct,
}


def of_document(
    border: AnyBorder, _params: object, elements: list[Element]
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """The symbols of a document."""
    return _tree(border, elements) if border.client.nests_symbols else list(_flat(border, elements, None))


def _tree(border: AnyBorder, elements: list[Element]) -> list[types.DocumentSymbol]:
    return [
        types.DocumentSymbol(
            element.name,
            _kind(element),
            border.range(element.start, element.end),
            border.range(element.name_start, element.name_end),
            detail=element.detail,
            children=_tree(border, element.children),
        )
        for element in elements
    ]


def _flat(border: AnyBorder, elements: list[Element], container: str | None) -> Iterator[types.SymbolInformation]:
    for element in elements:
        where = types.Location(border.uri, border.range(element.start, element.end))
        yield types.SymbolInformation(where, element.name, _kind(element), container_name=container)
        yield from _flat(border, element.children, element.name)


def _kind(element: Element) -> types.SymbolKind:
    return KINDS[element.role.name] if element.role is not None else _OTHERS[element.kind]
