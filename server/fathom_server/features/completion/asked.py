"""What the parser would take at a position, down into types and attributes, and into the bodies of those of
dialects."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from fathom.elaborate.expected_in_body import expected_in_body
from fathom.elaborate.meaning import Meanings
from fathom.records import record
from fathom.syntax.expected import Expected
from fathom.syntax.grammar import Unfinished
from fathom.syntax.nodes import Leaf, Node


@record
class Asked:
    """`words` are keywords and punctuation, `kinds` those of tokens, by the names of both the parser and the grammar.
    `unfinished` is the innermost type or attribute that breaks off. Where nothing is known, it `is_open` what may stand
    there."""

    words: tuple[str, ...]
    kinds: frozenset[str]
    unfinished: Unfinished | None
    is_open: bool = False

    def takes(self, *kinds: str) -> bool:
        """Whether a token of one of the kinds could stand there, as far as is known."""
        return self.is_open or not self.kinds.isdisjoint(kinds)

    @property
    def is_key(self) -> bool:
        """Whether the name of an entry of a dictionary can stand there."""
        unfinished = self.unfinished
        if unfinished is None or not unfinished.stack or not unfinished.terminals >= {"BARE", "STRING"}:
            return False
        last = unfinished.stack[-1]
        return isinstance(last, Leaf) and last.type in ("LBRACE", "COMMA")

    @property
    def key(self) -> str | None:
        """The name of the entry of a dictionary whose value stands next."""
        stack = self.unfinished.stack if self.unfinished is not None else ()
        if len(stack) < 2 or not isinstance(last := stack[-1], Leaf) or last.type != "EQUAL":
            return None
        before = stack[-2]
        return str(before).strip('"') if isinstance(before, Leaf) and before.type in ("BARE", "STRING") else None

    def keys(self) -> Iterator[str]:
        """The names of the entries before the position, of the dictionary that breaks off."""
        yield from (str(node.leaves[0]) for node in self._trees() if node.kind == "entry")

    @property
    def parameter(self) -> str | None:
        """The name that an affine map gives next to a dimension or a symbol: `d0`, `s1`."""
        stack = self.unfinished.stack if self.unfinished is not None else ()
        if self.unfinished is None or self.unfinished.terminals != frozenset(("BARE",)):
            return None
        names: list[str] = []
        for before, symbol in zip(reversed(stack[:-1]), reversed(stack), strict=False):
            if not isinstance(symbol, Leaf):
                return None
            if symbol.type == "BARE":
                names.append(str(symbol))
            elif symbol.type != "COMMA":
                is_dims = symbol == "(" and before == "<"
                is_symbols = symbol == "[" and isinstance(before, Node) and before.kind == "affine_dims"
                letter = "d" if is_dims else "s"
                fresh = (f"{letter}{number}" for number in count(len(names)))
                return next(name for name in fresh if name not in names) if is_dims or is_symbols else None
        return None

    def declared(self) -> Iterator[str]:
        """The names that the affine map declares which breaks off."""
        for node in self._trees():
            if node.kind in ("affine_parameters", "affine_dims"):
                yield from (str(leaf) for leaf in node.all_leaves() if leaf.type == "BARE")

    def _trees(self) -> Iterator[Node]:
        """What was read whole on the way to where the fragment breaks off."""
        for symbol in self.unfinished.stack if self.unfinished is not None else ():
            yield from (tree for tree in (symbol if isinstance(symbol, list) else [symbol]) if isinstance(tree, Node))


def asked_of(expected: Expected, meanings: Meanings, *, is_open: bool) -> Asked:
    """What could stand where a text breaks off."""
    words, kinds, unfinished = {**expected.words}, {*expected.kinds}, expected.unfinished
    body = expected_in_body(unfinished, meanings) if unfinished is not None else None
    if body is not None:
        words |= body.words
        kinds |= {*body.kinds}
        unfinished = body.unfinished
    if unfinished is not None:
        words |= dict.fromkeys(unfinished.words)
        kinds |= unfinished.terminals
    return Asked(tuple(words), frozenset(kinds), unfinished, is_open)
