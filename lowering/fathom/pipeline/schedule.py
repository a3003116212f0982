"""Which passes of a pipeline run on which operations, one after the other. What comes next is found out when the last
one has run, since it depends on what there is then.

Source of the rules: *Pass Infrastructure*, "Operation Pass" and "Pass Manager".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fathom.ir.operation import Operation
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.passes.definition import ANY, Pass
from fathom.pipeline.language import Item, Named, Nest

if TYPE_CHECKING:
    from fathom.passes.definition import Held


def scheduled(items: Sequence[Item], op: Operation) -> Iterator[tuple[Pass, Operation]]:
    """The passes of a nest around `op`, each with the operation that it is to run on before the next is asked for."""
    for item in _merged(items):
        if isinstance(item, Named):
            yield from (_as_needed if item.named.only_as_needed else scheduled)(item.items, op)
        elif isinstance(item, Nest):
            for target in _anchored(item.anchor, op):
                yield from scheduled(item.items, target)
        else:
            yield item, op


def _as_needed(items: Sequence[Item], op: Operation) -> Iterator[tuple[Pass, Operation]]:
    """The passes for which there is anything to do; it is looked up what there is, and again when one has run."""
    held = _held(op)
    for item in items:
        if not _is_needed(item, held):
            continue
        if isinstance(item, Pass):
            yield item, op
        else:
            for target in _anchored(item.anchor, op) if isinstance(item, Nest) else (op,):
                yield from _as_needed(item.items, target)
        held = _held(op)


def _is_needed(item: Item, held: Held) -> bool:
    return item.is_for(held) if isinstance(item, Pass) else any(_is_needed(inner, held) for inner in item.items)


def _held(op: Operation) -> Held:
    held: dict[str, list[Operation]] = {}
    for inner in op.walk():
        held.setdefault(inner.name, []).append(inner)
    return held


def _merged(items: Sequence[Item]) -> list[Item]:
    """Neighbours that run on the same operations are one: each goes through all of their passes before the next."""
    merged: list[Item] = []
    for item in items:
        last = merged[-1] if merged else None
        if isinstance(item, Nest) and isinstance(last, Nest) and item.anchor == last.anchor:
            merged[-1] = Nest(item.anchor, (*last.items, *item.items))
        else:
            merged.append(item)
    return merged


def _anchored(anchor: str, op: Operation) -> list[Operation]:
    inner = [child for region in op.regions for block in region.blocks for child in block]
    return [child for child in inner if child.name == anchor or (anchor == ANY and child.has(ISOLATED_FROM_ABOVE))]
