"""What two trees must agree in, and texts to parse: the files of `examples/` and pieces that tests put together."""

from __future__ import annotations

from pathlib import Path

from fathom.context import Context, default_context
from fathom.elaborate.aliases import aliases_of
from fathom.elaborate.elaborator import Elaborator
from fathom.elaborate.sites import definition_span
from fathom.syntax.parse import parse
from fathom.syntax.tree import Item, SyntaxTree

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def parse_afresh(text: str) -> SyntaxTree:
    """The tree of a text that `// -----` divides, by a memory of shapes that has seen nothing yet."""
    return parse(text, Context().shapes, splits=True)


def structure(tree: SyntaxTree) -> list[object]:
    """All that is visible of a tree: the items, their statements with their events, the nesting, and the mistakes."""
    return [_item(item) for item in tree.items]


def _item(item: Item) -> object:
    pieces = [
        (piece.lines, piece.frame.depth, [type(e).__name__ for e in piece.shape.events], len(piece.shape.pushes))
        for piece in item.pieces
    ]
    return pieces, item.frame_out.depth, [repr(error) for error in item.errors]


def names(tree: SyntaxTree) -> tuple[list[object], list[object]]:
    """What elaboration makes of a tree: its diagnostics, and where each name that is used is defined."""
    facts: list[object] = []
    uses: list[object] = []
    for first in tree.split_starts:
        around = tree.split_around(first)
        items = tree.items[around.start : around.stop]
        done = Elaborator(default_context(), aliases_of(items)).run(items)
        facts += ((d.message, d.span) for d in done.diagnostics)
        uses += (
            (site.span(token), definition_span(value), str(value.type))
            for site in done.sites.values()
            for token, value in sorted(site.uses.items())
        )
    return facts, uses
