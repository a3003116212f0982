"""How far an edit reaches: what it can have changed beside the items that it took away and brought, in the terms by
which facts are filed (`queries.py`).

A name that came or went is one that others may name. What divides the document or its symbol tables in another way
gives other scopes to all that stands around it. All else an item knows by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set

from fathom.records import record
from fathom.syntax.tree import Item, SyntaxTree
from fathom_server.model.symbols import symbols_of, values_of


@record
class Reach:
    """What an edit reaches: the `names` of symbols, and of `values` beside functions, of which there may be others now;
    the items `around` it whose scopes may be others; the `splits` of the document that it is in, by the lines that
    begin them; and those of other `aliases`. If it `moves` symbols, they may have another order."""

    names: Set[str] = frozenset()
    values: Set[str] = frozenset()
    around: Collection[Item] = ()
    splits: Set[Item | None] = frozenset()
    aliases: Set[Item | None] = frozenset()
    moves: bool = False


def reach_of(
    tree: SyntaxTree, first: int, removed: Sequence[Item], added: Sequence[Item], aliases: Set[Item | None]
) -> Reach:
    """What an edit reaches that made this tree: items from index `first` on were `removed` and `added`, and splits have
    other `aliases`."""
    around = tuple(_around(tree, first, removed, added))
    concerned = (*removed, *added, *around)
    beside = [neighbour for neighbour in (first - 1, first + len(added)) if 0 <= neighbour < len(tree.items)]
    return Reach(
        frozenset(symbol.name for item in concerned for symbol in symbols_of(item)),
        frozenset(value.name for item in concerned for value in values_of(item)),
        around,
        frozenset(map(tree.split_of, beside)),
        aliases,
        bool(around) or sum(1 for item in added if symbols_of(item)) > 1,
    )


def _around(tree: SyntaxTree, first: int, removed: Sequence[Item], added: Sequence[Item]) -> Iterator[Item]:
    """The items of the splits around an edit that divides the document or its tables in another way."""
    if not any(item.begins_split or item.frame_out is not item.frame for item in (*removed, *added)):
        return
    last = len(tree.items) - 1
    before, after = max(first - 1, 0), min(first + len(added), last)
    if last >= 0:
        yield from tree.items[tree.split_around(before).start : tree.split_around(after).stop]
