"""A part of a pipeline: some of its passes, in their order and on the operations that the whole runs them on."""

from __future__ import annotations

from fathom.passes.definition import Pass
from fathom.pipeline.language import Item, Pipeline
from fathom.records import replace


def segment(pipeline: Pipeline, first: int, last: int) -> Pipeline:
    """The passes `[first, last)` of a pipeline. To run a pipeline's segments one after the other is to run it: a pass
    sees no more than the operation that it runs on, so others may take their turn in between."""
    number = 0

    def cut(items: tuple[Item, ...]) -> tuple[Item, ...]:
        nonlocal number
        kept: list[Item] = []
        for item in items:
            if not isinstance(item, Pass):
                inner = cut(item.items)
                if inner:
                    kept.append(replace(item, items=inner))
                continue
            if first <= number < last:
                kept.append(item)
            number += 1
        return tuple(kept)

    return Pipeline(replace(pipeline.root, items=cut(pipeline.root.items)), pipeline.errors)
