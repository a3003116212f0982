"""The aliases of each part of the document in order, without those that nobody uses.

#b = 2 : i32                !t = tensor<4xf32>
!t = tensor<4xf32>    ->    #a = dense<1> : !t
#a = dense<1> : !t
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fathom.records import record
from fathom_server.features.assists.aliases import alias_of
from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.sameness import means_the_same
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.model.snapshot import Snapshot


@record
class _Alias:
    """An alias: its name, the names that it mentions, and its lines, with the comments right above it."""

    name: str
    mentions: frozenset[str]
    start: int
    end: int
    text: str


def offered(selection: Selection) -> Iterator[Offer]:
    """Wherever a document has aliases."""
    if any(alias.types or alias.attributes for alias in selection.snapshot.aliases.values()):
        yield Offer("Sort the aliases, and remove those that are not used")


def organized(snapshot: Snapshot) -> Made:
    """The edit for all parts of the document; none for one that has a mistake for it."""
    tree = snapshot.tree
    edit: list[Replacement] = []
    for first in tree.split_starts if tree.items else ():
        edit += _of_part(snapshot, tree.split_around(first))
    if edit and not means_the_same(snapshot, edit):
        return Refusal("the document would not mean the same")
    return edit


def _of_part(snapshot: Snapshot, around: range) -> Iterator[Replacement]:
    runs = list(_runs(snapshot, around))
    aliases = [alias for run in runs for alias in run]
    used = _used(snapshot, around, aliases)
    for run in runs:
        kept = _sorted([alias for alias in run if alias.name in used])
        text = "".join(alias.text for alias in kept)
        if text != "".join(alias.text for alias in run):
            yield Replacement(run[0].start, run[-1].end, text)


def _runs(snapshot: Snapshot, around: range) -> Iterator[list[_Alias]]:
    """The aliases that stand one after the other, with no more than comments right above them between them."""
    tree = snapshot.tree
    run: list[_Alias] = []
    for index in range(around.start, around.stop):
        start = tree.start(index)
        comments = start
        for piece, offset in tree.items[index].pieces.with_offsets():
            end = start + offset + piece.length
            event = alias_of(piece)
            if event is not None and piece.text.endswith("\n"):
                name = piece.texts(event.base)(event.alias.name)
                mentions = frozenset(token.text for token in piece.tokens() if token.text[0] in "!#") - {name}
                begin = comments if run else start + offset
                text = tree.items[index].text_between(begin - start, end - start)
                run.append(_Alias(name, mentions, begin, end, text))
            elif not piece.shape.is_trivia or not piece.text.strip():
                # An empty line, or anything else, ends a run.
                if run:
                    yield run
                run = []
            else:
                continue
            comments = end
    if run:
        yield run


def _used(snapshot: Snapshot, around: range, aliases: Sequence[_Alias]) -> set[str]:
    """The names that are mentioned outside of aliases, or in one that is used."""
    tree = snapshot.tree
    by_name = {alias.name: alias for alias in aliases}
    pending: list[str] = []
    for item in tree.items[around.start : around.stop]:
        for piece in item.pieces:
            if alias_of(piece) is None or not piece.text.endswith("\n"):
                pending += [token.text for token in piece.tokens() if token.text in by_name]
    used: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in used:
            used.add(name)
            pending += [user for user in by_name[name].mentions if user in by_name]
    return used


def _sorted(aliases: Sequence[_Alias]) -> list[_Alias]:
    """Types before attributes, by name; each behind those that it mentions."""
    by_name = {alias.name: alias for alias in aliases}
    order: dict[str, _Alias] = {}
    pending = sorted(aliases, key=lambda entry: (entry.name[0] != "!", entry.name), reverse=True)
    begun: set[str] = set()
    while pending:
        alias = pending[-1]
        missing = [by_name[name] for name in sorted(alias.mentions, reverse=True) if name in by_name]
        missing = [left for left in missing if left.name not in begun] if alias.name not in begun else []
        begun.add(alias.name)
        if missing:
            pending += missing
            continue
        order.setdefault(alias.name, alias)
        pending.pop()
    return list(order.values())
