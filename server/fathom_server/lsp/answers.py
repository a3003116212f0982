"""What features answer, in the protocol's terms: hovers and places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from fathom_server.lsp.border import AnyBorder
from fathom_server.lsp.markup import markup, with_lines
from fathom_server.lsp.questions import asking

if TYPE_CHECKING:
    from fathom.ir.operation import Span
    from fathom_server.features.hover import Hover


def hover(border: AnyBorder, _params: object, shown: Hover) -> types.Hover | dict[str, Any]:
    """A hover; with what one may ask beside it for a client that shows that (`docs/protocol.md`, "Hovers")."""
    said = with_lines(shown.markdown, border.uri, are_links=border.client.follows_lines)
    content = markup(said, is_markdown=border.client.takes_markdown)
    where = border.range(shown.start, shown.end)
    if shown.asks is None or not border.client.acts_in_hovers:
        return types.Hover(content, where)
    name, arguments = asking(border, shown.asks)
    action = {"title": shown.asks.title, "command": name, "arguments": arguments}
    return {"contents": content, "range": where, "actions": [action]}


def locations(border: AnyBorder, _params: object, spans: list[Span]) -> list[types.Location]:
    return border.locations(spans)
