"""The words and names in the statements around a place, weighed by how near they stand and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

from fathom.cached import cached_property
from fathom.slices import checkpoint, paced
from fathom.syntax.carried import LONG
from fathom.syntax.lexer import tokens_of
from fathom.syntax.pieces import Piece
from fathom.syntax.shapes import Shape
from fathom.syntax.tree import Item, SyntaxTree

MOST: Final = 150
"""So many statements of the same item are looked at before a place, and as many behind it."""
FAR: Final = 400
"""So many statements altogether, with those of other items, each way."""
_WORDS: Final = ("BARE", "EXCLAIM", "HASH", "ALIAS")
_SIGNS: Final = ("%", "@", "^", "#")


class Near:
    """What stands near a statement."""

    def __init__(self, tree: SyntaxTree, item: Item, index: int) -> None:
        self.weights: Final[dict[str, float]] = {}
        """The weight of each word, and of each name with its sign."""
        pieces = item.pieces
        behind = list(islice(pieces.from_index(index + 1), MOST))
        before = [pieces[at] for at in range(index - 1, max(index - 1 - MOST, -1), -1)]
        for statements in (behind, before):
            for distance, piece in enumerate(paced(statements), 4):
                for word in _words_of(piece):
                    self._weigh(word, 1 / distance)
        number = tree.index_of(item)
        self._add(tree.items.from_index(number + 1), len(behind))
        self._add((tree.items[at] for at in range(number - 1, -1, -1)), len(before))

    def _add(self, items: Iterable[Item], distance: int) -> None:
        """Takes in the words of items that follow each other at a distance, as long as they are near."""
        for item in items:
            if distance >= FAR:
                break
            checkpoint()
            count = min(len(item.pieces), FAR - distance)
            weight = 1 / (4 + distance + count // 2)
            for word, times in _words_in(item, count).items():
                self._weigh(word, weight * times)
            distance += count

    def _weigh(self, word: str, weight: float) -> None:
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


def _words_of(piece: Piece) -> Iterator[str]:
    yield from piece.shape.known(_words)
    yield from _names(piece)


def _words_in(item: Item, count: int) -> Mapping[str, int]:
    """The words in the first statements of an item, with how often they come; kept with the item."""
    known: dict[str, int] | None = item.cache.get(_words_in)
    if known is None or count < len(item.pieces):
        pieces = islice(item.pieces, count)
        known = Counter(word for piece in pieces for word in _words_of(piece))
        if count == len(item.pieces):
            item.cache[_words_in] = known
    return known
