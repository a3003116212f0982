"""The words and names in the statements around a place, weighed by how near they stand and how often."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from fathom.cached import cached_property
from fathom.slices import checkpoint
from fathom.syntax.carried import LONG
from fathom.syntax.lexer import tokens_of
from fathom.syntax.pieces import Piece
from fathom.syntax.shapes import Shape
from fathom.syntax.tree import Item, SyntaxTree

MOST: Final = 400
"""So many statements are looked at before a place, and as many behind it."""
_WORDS: Final = ("BARE", "EXCLAIM", "HASH", "ALIAS")
_SIGNS: Final = ("%", "@", "^", "#")


class Near:
    """What stands near a statement."""

    def __init__(self, tree: SyntaxTree, item: Item, index: int) -> None:
        self.weights: Final[dict[str, float]] = {}
        """The weight of each word, and of each name with its sign."""
        number = tree.index_of(item)
        for pieces in (_behind(tree, number, index), _before(tree, number, index)):
            for distance, piece in enumerate(islice(pieces, MOST), 4):
                checkpoint()
                weight = 1 / distance
                for word in (*piece.shape.known(_words), *_names(piece)):
                    self.weights[word] = self.weights.get(word, 0) + weight

    @cached_property
    def ordered(self) -> list[str]:
        """The words and names, the nearest and most frequent first."""
        return sorted(self.weights, key=self.weights.__getitem__, reverse=True)


def _words(shape: Shape) -> tuple[str, ...]:
    """The words in the statements of a shape."""
    tokens = zip(shape.tokens, shape.hole_of, strict=True)
    return tuple(token.text for token, hole in tokens if token.kind in _WORDS and hole < 0)


def _names(piece: Piece) -> Iterator[str]:
    """The names with a sign in a statement, and the symbols in comments, as checks mention them."""
    for hole in piece.holes():
        if hole[0] in _SIGNS:
            yield hole
        elif hole[0] == "/" and "@" in hole and len(hole) < LONG:
            yield from (token.text for token in tokens_of(hole[2:]) if token.kind == "SYMBOL")


def _behind(tree: SyntaxTree, item: int, index: int) -> Iterator[Piece]:
    """The statements behind one, in the order of the text."""
    items = tree.items
    yield from items[item].pieces.from_index(index + 1)
    for other in items.from_index(item + 1):
        yield from other.pieces


def _before(tree: SyntaxTree, item: int, index: int) -> Iterator[Piece]:
    """The statements before one, the nearest first."""
    items = tree.items
    while item >= 0:
        pieces = items[item].pieces
        for number in range(min(index, len(pieces)) - 1, -1, -1):
            yield pieces[number]
        item, index = item - 1, 1 << 60
