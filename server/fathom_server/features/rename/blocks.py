"""Other names for blocks. A label is known in its region, and in no other."""

from __future__ import annotations

from collections.abc import Iterator

from fathom.elaborate.sites import Site
from fathom.ir.operation import Span
from fathom.slices import paced
from fathom_server.features.rename.places import line_of
from fathom_server.model.elaboration import elaborated
from fathom_server.model.places import Spot, block_at
from fathom_server.model.snapshot import Snapshot


def places(snapshot: Snapshot, spot: Spot) -> list[Span]:
    """Where the label of the block at a spot stands."""
    block, name = block_at(snapshot, spot), spot.token.text
    if block is None:
        return []
    spans: list[Span] = []
    unclear: list[Span] = []
    is_only = True
    for site, token in _labels(snapshot, spot, name):
        named = site.blocks.get(token)
        if named is block:
            spans.append(site.span(token))
        elif named is None:
            unclear.append(site.span(token))  # in a line that is broken
        else:
            is_only = False
    start = spot.item_start
    return [Span(start + span.start, start + span.end) for span in (*spans, *(unclear if is_only else ()))]


def problem(snapshot: Snapshot, spot: Spot, name: str) -> str | None:
    """Why the block at a spot cannot have a name, given without its sign."""
    block, text = block_at(snapshot, spot), f"^{name}"
    if block is None or text == spot.token.text:
        return None
    for site, token in _labels(snapshot, spot, text):
        other = site.blocks.get(token)
        if other is None or other.parent is block.parent:
            # Shown where it stands, if it does: before that it may be named by who goes there.
            label = other.label_span if other is not None else None
            line = line_of(snapshot, spot.item_start + (label or site.span(token)).start)
            return f"'{text}' is the name of a block already (line {line})"
    return None


def _labels(snapshot: Snapshot, spot: Spot, name: str) -> Iterator[tuple[Site, int]]:
    """The tokens of the item that are a label."""
    for site in paced(elaborated(snapshot, spot.item).sites.values()):
        if any(name in line for line in site.piece.lines):
            for index, token in enumerate(site.piece.tokens()):
                if token.kind == "BLOCK" and token.text == name:
                    yield site, index
