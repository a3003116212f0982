"""The claims in a document's comments (`fathom.checking.comments`): where they stand, and those that cannot be read.

What an edit did not touch is not read again.
"""

from __future__ import annotations

from collections.abc import Iterator

from fathom.checking.comments import MARK, Claim, Unclear, claims_in
from fathom.diagnostics import RUN, Diagnostic
from fathom.ir.operation import Span
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import Chunk
from fathom.syntax.tree import Item, SyntaxTree


def claims(tree: SyntaxTree) -> Iterator[tuple[int, Claim | Unclear]]:
    """The claims, in the order of the text, with the indices of the items in which they stand, from whose beginnings
    their places count."""
    for first, of_chunk in zip(tree.items.starts, tree.items.known(_of_chunk), strict=False):
        for index, of_item in of_chunk:
            yield from ((first + index, claim) for claim in of_item)


def claim_at(tree: SyntaxTree, line: int) -> Claim | None:
    """The claim that begins in a line, if one does that can be read."""
    here = (claim for index, claim in claims(tree) if tree.first_line(index) + claim.line == line)
    claim = next(here, None)
    return claim if isinstance(claim, Claim) else None


def mistakes_in_claims(tree: SyntaxTree) -> Iterator[tuple[Item, Diagnostic]]:
    """A warning for each comment that begins like a claim and is none, at a place that counts from the beginning of
    the item."""
    for index, claim in claims(tree):
        if isinstance(claim, Unclear):
            span = Span(claim.start, claim.end)
            yield tree.items[index], Diagnostic(f"this is not checked: {claim.reason}", span, "warning", RUN)


def _of_chunk(chunk: Chunk[Item]) -> tuple[tuple[int, tuple[Claim | Unclear, ...]], ...]:
    known = ((index, _of_item(item)) for index, item in enumerate(chunk.elements))
    return tuple([(index, of_item) for index, of_item in known if of_item])


def _of_item(item: Item) -> tuple[Claim | Unclear, ...]:
    return tuple(claims_in(item.lines)) if any(item.pieces.known(_has_mark)) else ()


def _has_mark(chunk: Chunk[Piece]) -> bool:
    for piece in chunk.elements:
        for line in piece.lines:
            if MARK in line:
                return True
    return False
