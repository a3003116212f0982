"""What is wrong with a split of the document as a whole, as the command line has it, for what looks at one item after
the other cannot find: what an operation that holds others says of them together, a type that two functions give
different bodies, braces that mean what they say.

spirv.module Logical GLSL450 {          here: 'spirv.module' can only contain spirv.* ops
  "other.op"() : () -> ()
}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from fathom.diagnostics import UNCLOSED, UNKNOWN_OP, Diagnostic, alone
from fathom.ir.operation import Span
from fathom.records import replace
from fathom.syntax.tree import Item
from fathom_server.model.modules import items_of_split, moved, splits
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot

MOST_LINES: Final = 1000
"""A split of more lines is not looked at as a whole: that costs a tenth of a millisecond for each."""

MOST_DIVIDED: Final = 20_000
"""Nor is any split of a document of more, so that all splits of a document are remembered."""


@query(keep=MOST_DIVIDED)
def told_of(snapshot: Snapshot, split: Item | None) -> tuple[Diagnostic, ...]:
    """The errors that the command line tells of a split, in its order; spans count from the beginning of the split.

    That a dialect is not described is none: the editor keeps its operations as they are written."""
    from fathom.inputs.loading import Loading
    from fathom.inputs.splitting import Chunk

    items = items_of_split(snapshot, split)
    if sum(item.line_count for item in items) > MOST_LINES:
        return ()
    text = "".join(item.text for item in items)
    loaded, found = Loading(allow_unregistered=True, context=snapshot.context).told(Chunk(text, 0))
    told = tuple(alone(each) for each in found if each.severity == "error" and each.code != UNKNOWN_OP)
    loaded.elaborated.dismantle()
    return told


def as_a_whole(snapshot: Snapshot, known: Mapping[Item, tuple[Diagnostic, ...]]) -> dict[Item, tuple[Diagnostic, ...]]:
    """What is to be shown of items in the place of what is known of them, where the command line has something else to
    say of their split."""
    found: dict[Item, tuple[Diagnostic, ...]] = {}
    if snapshot.tree.line_count > (MOST_DIVIDED if snapshot.tree.dividers else MOST_LINES):
        return found
    for split in splits(snapshot) if snapshot.tree.items else ():
        told = told_of(snapshot, split)
        if told:
            found |= _of_split(items_of_split(snapshot, split), told, known)
    return found


def _of_split(
    items: Sequence[Item], told: Sequence[Diagnostic], known: Mapping[Item, tuple[Diagnostic, ...]]
) -> dict[Item, tuple[Diagnostic, ...]]:
    placed = list(_placed(items, told))
    shown = {item: [each for each in known.get(item, ()) if each.severity == "error"] for item in items}
    are_meant = any(each.code == UNCLOSED for each in told)
    if any(each.code == UNCLOSED for found in shown.values() for each in found) and not are_meant:
        # A brace was looked for that is not missing, and what stands behind it was taken for something else.
        return {item: _in_place_of(known.get(item, ()), shown[item], placed, item) for item in items}
    (first_item, first), *_ = placed
    if any(_is_same(first, each) for each in shown[first_item]):
        return {}
    if not any(shown.values()):
        return {item: _in_place_of(known.get(item, ()), (), placed, item) for item, _ in placed}
    others = [each for each in shown[first_item] if _start(each) == _start(first)]
    return {first_item: _in_place_of(known.get(first_item, ()), others, [(first_item, first)], first_item)}


def _in_place_of(
    known: Sequence[Diagnostic], gone: Sequence[Diagnostic], placed: Iterable[tuple[Item, Diagnostic]], item: Item
) -> tuple[Diagnostic, ...]:
    """What is known of an item with what is told of it in the place of some."""
    return (*(each for each in known if each not in gone), *(each for about, each in placed if about is item))


def _placed(items: Sequence[Item], told: Iterable[Diagnostic]) -> Iterator[tuple[Item, Diagnostic]]:
    """Errors with the items that they stand in, from whose beginnings their spans count."""
    for each in told:
        start, place = 0, _start(each)
        for item in items:
            if place < start + item.length or item is items[-1]:
                yield item, moved(each if each.span is not None else replace(each, span=Span(0, 0)), -start)
                break
            start += item.length


def _is_same(one: Diagnostic, other: Diagnostic) -> bool:
    return one.message == other.message and _start(one) == _start(other)


def _start(found: Diagnostic) -> int:
    return found.span.start if found.span is not None else 0
