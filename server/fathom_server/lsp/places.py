"""Places in several files, in the protocol's terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from fathom_server.lsp.border import Border

if TYPE_CHECKING:
    from fathom_server.features.workspace import Place


def places(border: Border, _params: object, shown: list[Place]) -> list[types.Location]:
    return [types.Location(place.snapshot.uri, _range(border, place)) for place in shown]


def _range(border: Border, place: Place) -> types.Range:
    return Border(place.snapshot, border.client).range(place.start, place.end)
