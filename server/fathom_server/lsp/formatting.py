"""Formatting in the protocol's terms. How wide a tab is, and what else a client may say of a format, plays no part:
MLIR is printed in one way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from fathom_server.lsp.border import Border

if TYPE_CHECKING:
    from fathom_server.features.edits import Replacement

ON_TYPE = types.DocumentOnTypeFormattingOptions("}", ["\n"])


def part(border: Border, params: types.DocumentRangeFormattingParams) -> tuple[int, int]:
    return border.offset(params.range.start), border.offset(params.range.end)


def typed(border: Border, params: types.DocumentOnTypeFormattingParams) -> tuple[int, str]:
    return border.offset(params.position), params.ch


def edits(border: Border, _params: object, replacements: list[Replacement]) -> list[types.TextEdit]:
    return [
        types.TextEdit(border.range(replacement.start, replacement.end), replacement.text)
        for replacement in replacements
    ]
