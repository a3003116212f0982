"""What features answer, in the protocol's terms: hovers, places and symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from fathom_server.lsp.border import Border
from fathom_server.lsp.markup import markup

if TYPE_CHECKING:
    from fathom.ir.operation import Span
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
