"""Which passes of a pipeline run on which operations, one after the other. What comes next is found out when the last
one has run, since it depends on what there is then.

Source of the rules: *Pass Infrastructure*, "Operation Pass" and "Pass Manager".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.operation import Operation
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.passes.definition import ANY, Pass
from fathom.pipeline.language import Item, Named, Nest
from fathom.records import field, record

if TYPE_CHECKING:
    from fathom.passes.definition import Held


@record(frozen=False)
class Demand:
    """Of passes that run only as they are needed, where others stand beside what they run on: those that these need, by
    their identity, which run in any case; and those that are `needed` here, which is found out. What stands in a nest
    has others beside it that it does not see."""

    by_others: Collection[int]
    needed: set[int] = field(default_factory=set[int])


NOBODY: Final = Demand(())
"""Nothing stands beside."""


def scheduled(items: Sequence[Item], op: Operation, demand: Demand = NOBODY) -> Iterator[tuple[Pass, Operation]]:
    """The passes of a nest around `op`, each with the operation that it is to run on before the next is asked for."""
    for item in _merged(items):
        if isinstance(item, Named):
            if item.named.only_as_needed:
                yield from _as_needed(item.items, op, demand)
            else:
                yield from scheduled(item.items, op, demand)
        elif isinstance(item, Nest):
            for target in _anchored(item.anchor, op):
                yield from scheduled(item.items, target)
        else:
            yield item, op


def _as_needed(items: Sequence[Item], op: Operation, demand: Demand = NOBODY) -> Iterator[tuple[Pass, Operation]]:
    """The passes for which there is anything to do; it is looked up what there is, and again when one has run."""
    held = _held(op)
    for item in items:
        is_needed = _is_needed(item, held)
        if demand is not NOBODY and not isinstance(item, (Nest, Named)):
            if is_needed:
                demand.needed.add(id(item))
            is_needed |= id(item) in demand.by_others
        if not is_needed:
            continue
        if isinstance(item, Pass):
            yield item, op
        else:
            for target in _anchored(item.anchor, op) if isinstance(item, Nest) else (op,):
                yield from _as_needed(item.items, target)
        held = _held(op)


def _is_needed(item: Item, held: Held) -> bool:
    if isinstance(item, (Nest, Named)):
        return any(_is_needed(inner, held) for inner in item.items)
    return item.is_for(held)


def _held(op: Operation) -> Held:
    held: dict[str, list[Operation]] = {}
    for inner in op.walk():
        name = inner.name
        if name in held:
            held[name].append(inner)
        else:
            held[name] = [inner]
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
