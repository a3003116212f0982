"""What an editor shows while one reads, in the protocol's terms: highlights, folds, selections, linked names, links to
files, and inlay hints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from fathom_server.lsp.encoded import Encoded, encoded_list
from fathom_server.lsp.markup import with_lines
from fathom_server.lsp.plain import plain
from fathom_server.lsp.requests import invalid

if TYPE_CHECKING:
    from fathom_server.features.folding import Fold
    from fathom_server.features.highlight import Linked
    from fathom_server.features.hints import Hint
    from fathom_server.features.links import Link
    from fathom_server.features.mentions import Mention
    from fathom_server.lsp.border import AnyBorder, Border

WORD: Final = r"[%^#!][A-Za-z0-9_$.\-]+"
"""What a name that is edited in all places may be."""


def highlights(border: AnyBorder, _params: object, mentions: list[Mention]) -> list[types.DocumentHighlight]:
    kinds = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}
    return [
        types.DocumentHighlight(border.range(mention.start, mention.end), kinds[mention.is_definition])
        for mention in mentions
    ]


def linked(border: Border, _params: object, linked_names: Linked) -> types.LinkedEditingRanges:
    return types.LinkedEditingRanges([border.range(start, end) for start, end in linked_names.places], WORD)


# ---- folds and selections


def limit(border: AnyBorder, _params: object) -> tuple[int | None]:
    return (border.client.most_folds,)


def folds(_border: AnyBorder, _params: object, folded: list[Fold]) -> Encoded:
    """Whole lines, which every client can fold. There may be tens of thousands."""
    return encoded_list(f'{{"startLine":{fold.first},"endLine":{fold.last}{_kind(fold)}}}' for fold in folded)


def _kind(fold: Fold) -> str:
    return f',"kind":{json.dumps(fold.kind)}' if fold.kind else ""


def places(border: Border, params: types.SelectionRangeParams) -> tuple[tuple[int, ...]]:
    return (tuple(border.offset(position) for position in params.positions),)


def selections(border: Border, _params: object, ranges: list[list[tuple[int, int]]]) -> list[types.SelectionRange]:
    """For each place the innermost range, which has the one around it, and so on."""
    answer: list[types.SelectionRange] = []
    for around in ranges:
        outer: types.SelectionRange | None = None
        for start, end in reversed(around):
            outer = types.SelectionRange(border.range(start, end), outer)
        assert outer is not None, "there is a range around each place"
        answer.append(outer)
    return answer


# ---- links


def folder(border: Border, _params: object) -> tuple[Path | None]:
    """The folder of the document, if it is a file."""
    path = to_fs_path(border.uri) if border.uri.startswith("file:") else None
    return (Path(path).parent if path else None,)


def links(border: Border, _params: object, shown: list[Link]) -> list[types.DocumentLink]:
    return [
        types.DocumentLink(
            border.range(link.start, link.end),
            target=f"{from_fs_path(str(link.path))}#L{link.line},{max(link.column, 1)}",
            tooltip=f"{link.path.name}:{link.line}:{link.column}",
        )
        for link in shown
    ]


# ---- inlay hints


def hinted(border: Border, params: types.InlayHintParams) -> tuple[int, int]:
    return border.offset(params.range.start), border.offset(params.range.end)


def hints(border: Border, _params: object, shown: list[Hint]) -> list[types.InlayHint]:
    """The hints, with what is needed to say more about one when it is asked for."""
    return [
        types.InlayHint(
            border.position(hint.offset),
            hint.label,
            {"type": types.InlayHintKind.Type, "operand": types.InlayHintKind.Parameter}.get(hint.kind),
            padding_left=hint.is_apart or None,
            padding_right=hint.kind == "operand" or None,
            data={"uri": border.uri, "version": border.snapshot.version, "about": hint.about, "kind": hint.kind},
        )
        for hint in shown
    ]


def document_of_hint(hint: types.InlayHint) -> str:
    match plain(hint.data):
        case {"uri": str(uri)}:
            return uri
        case _:
            raise invalid("this hint did not come from Fathom")


def about_hint(_border: Border, hint: types.InlayHint) -> tuple[int, int, str]:
    match plain(hint.data):
        case {"version": int(version), "about": int(about), "kind": str(kind)}:
            return version, about, kind
        case _:
            raise invalid("this hint did not come from Fathom")


def with_tooltip(border: Border, hint: types.InlayHint, said: str) -> types.InlayHint:
    if said:
        text = with_lines(said, border.uri, are_links=border.client.follows_lines)
        hint.tooltip = types.MarkupContent(types.MarkupKind.Markdown, text)
    return hint
