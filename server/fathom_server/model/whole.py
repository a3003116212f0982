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
    loaded, diagnostics = Loading(allow_unregistered=True, context=snapshot.context).told(Chunk(text, 0))
    told = tuple(
        alone(diagnostic)
        for diagnostic in diagnostics
        if diagnostic.severity == "error" and diagnostic.code != UNKNOWN_OP
    )
    loaded.elaborated.dismantle()
    return told


def as_a_whole(snapshot: Snapshot, known: Mapping[Item, tuple[Diagnostic, ...]]) -> dict[Item, tuple[Diagnostic, ...]]:
    """What is to be shown of items in the place of what is known of them, where the command line has something else to
    say of their split."""
    answer: dict[Item, tuple[Diagnostic, ...]] = {}
    if snapshot.tree.line_count > (MOST_DIVIDED if snapshot.tree.dividers else MOST_LINES):
        return answer
    for split in splits(snapshot) if snapshot.tree.items else ():
        told = told_of(snapshot, split)
        if told:
            answer |= _of_split(items_of_split(snapshot, split), told, known)
    return answer


def _of_split(
    items: Sequence[Item], told: Sequence[Diagnostic], known: Mapping[Item, tuple[Diagnostic, ...]]
) -> dict[Item, tuple[Diagnostic, ...]]:
    placed = list(_placed(items, told))
    shown = {
        item: [diagnostic for diagnostic in known.get(item, ()) if diagnostic.severity == "error"] for item in items
    }
    are_meant = any(diagnostic.code == UNCLOSED for diagnostic in told)
    if (
        any(diagnostic.code == UNCLOSED for diagnostics in shown.values() for diagnostic in diagnostics)
        and not are_meant
    ):
        # A brace was looked for that is not missing, and what stands behind it was taken for something else.
        return {item: _in_place_of(known.get(item, ()), shown[item], placed, item) for item in items}
    (first_item, first), *_ = placed
    if any(_is_same(first, diagnostic) for diagnostic in shown[first_item]):
        return {}
    if not any(shown.values()):
        return {item: _in_place_of(known.get(item, ()), (), placed, item) for item, _ in placed}
    others = [diagnostic for diagnostic in shown[first_item] if _start(diagnostic) == _start(first)]
    return {first_item: _in_place_of(known.get(first_item, ()), others, [(first_item, first)], first_item)}


def _in_place_of(
    known: Sequence[Diagnostic], gone: Sequence[Diagnostic], placed: Iterable[tuple[Item, Diagnostic]], item: Item
) -> tuple[Diagnostic, ...]:
    """What is known of an item with what is told of it in the place of some."""
    return (
        *(diagnostic for diagnostic in known if diagnostic not in gone),
        *(diagnostic for about, diagnostic in placed if about is item),
    )


def _placed(items: Sequence[Item], told: Iterable[Diagnostic]) -> Iterator[tuple[Item, Diagnostic]]:
    """Errors with the items that they stand in, from whose beginnings their spans count."""
    for diagnostic in told:
        start, place = 0, _start(diagnostic)
        for item in items:
            if place < start + item.length or item is items[-1]:
                yield (
                    item,
                    moved(diagnostic if diagnostic.span is not None else replace(diagnostic, span=Span(0, 0)), -start),
                )
                break
            start += item.length


def _is_same(one: Diagnostic, other: Diagnostic) -> bool:
    return one.message == other.message and _start(one) == _start(other)


def _start(diagnostic: Diagnostic) -> int:
    return diagnostic.span.start if diagnostic.span is not None else 0
