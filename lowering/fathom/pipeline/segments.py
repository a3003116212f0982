"""A part of a pipeline: some of its passes, in their order and on the operations that the whole runs them on."""

from __future__ import annotations

from fathom.passes.definition import Pass
from fathom.pipeline.language import Nest, Pipeline


def segment(pipeline: Pipeline, first: int, last: int) -> Pipeline:
    """The passes `[first, last)` of a pipeline. To run a pipeline's segments one after the other is to run it: a pass
    sees no more than the operation that it runs on, so others may take their turn in between."""
    number = 0

    def cut(nest: Nest) -> Nest:
        nonlocal number
        kept: list[Pass | Nest] = []
        for item in nest.items:
            if isinstance(item, Nest):
                inner = cut(item)
                if inner.items:
                    kept.append(inner)
                continue
            if first <= number < last:
                kept.append(item)
            number += 1
        return Nest(nest.anchor, tuple(kept))

    return Pipeline(cut(pipeline.root), pipeline.errors)
