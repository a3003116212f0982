"""Semantic tokens in the protocol's terms. An answer may have millions of numbers, so it is JSON before it is sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from fathom_server.lsp.border import AnyBorder
from fathom_server.lsp.encoded import Encoded

if TYPE_CHECKING:
    from fathom.text.encodings import Encoding
    from fathom_server.features.semantic_tokens import Changes, Tokens

LEGEND: Final = types.SemanticTokensLegend(
    [
        *("macro", "variable", "parameter", "function", "namespace", "label", "type"),
        *("decorator", "property", "enumMember", "keyword", "string", "number", "comment"),
    ],
    ["definition", "unused", "unknown"],
)
"""The names of `Kind` and `Modifier` in the feature's legend, which is not loaded before `initialize` is answered."""


def units(border: AnyBorder, _params: object) -> tuple[Encoding]:
    return (border.client.encoding,)


def version_and_units(border: AnyBorder, params: types.SemanticTokensDeltaParams) -> tuple[str, Encoding]:
    return params.previous_result_id, border.client.encoding


def range_and_units(border: AnyBorder, params: types.SemanticTokensRangeParams) -> tuple[int, int, Encoding]:
    return border.offset(params.range.start), border.offset(params.range.end), border.client.encoding


def tokens(_border: AnyBorder, _params: object, whole: Tokens) -> Encoded:
    return Encoded(f'{{"resultId":{json.dumps(whole.version)},"data":[{whole.numbers}]}}')


def part(_border: AnyBorder, _params: object, some: Tokens) -> Encoded:
    return Encoded(f'{{"data":[{some.numbers}]}}')


def changes(border: AnyBorder, params: object, news: Changes | Tokens) -> Encoded:
    """The edits of what was told, or all of the tokens."""
    from fathom_server.features.semantic_tokens import Tokens

    if isinstance(news, Tokens):
        return tokens(border, params, news)
    edits = ",".join(
        f'{{"start":{replaced.start},"deleteCount":{replaced.removed},"data":[{replaced.numbers}]}}'
        for replaced in news.replaced
    )
    return Encoded(f'{{"resultId":{json.dumps(news.version)},"edits":[{edits}]}}')
