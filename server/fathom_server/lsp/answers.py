"""What features answer, in the protocol's terms: hovers and places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from fathom_server.lsp.border import AnyBorder
from fathom_server.lsp.markup import markup, with_lines

if TYPE_CHECKING:
    from fathom.ir.operation import Span
    from fathom_server.features.hover import Hover


def hover(border: AnyBorder, _params: object, shown: Hover) -> types.Hover:
    said = with_lines(shown.markdown, border.uri, are_links=border.client.follows_lines)
    content = markup(said, is_markdown=border.client.takes_markdown)
    return types.Hover(content, border.range(shown.start, shown.end))


def locations(border: AnyBorder, _params: object, spans: list[Span]) -> list[types.Location]:
    return border.locations(spans)
