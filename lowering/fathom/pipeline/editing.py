"""Changes of a pipeline: passes put in, moved and taken out, and nesting mended.

A pipeline is a list of passes, each with the anchors that it is nested in; neighbours with the same anchors share
nests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fathom.passes.definition import ANY, FUNCTION, Pass
from fathom.passes.foreign import find_any
from fathom.passes.leftovers.removers import Step
from fathom.pipeline.language import Item, Named, Nest, Pipeline, runs_on
from fathom.records import record, replace

FUNC: Final = "func.func"
"""Where a pass is nested that runs on functions."""


@record
class Entry:
    """A pass, or a pipeline that has a name, with the anchors that it is nested in, the outermost first."""

    anchors: tuple[str, ...]
    item: Pass | Named

    @property
    def count(self) -> int:
        """How many passes it is."""
        return 1 if isinstance(self.item, Pass) else len(Pipeline(Nest(ANY, (self.item,))).passes)


def entries(pipeline: Pipeline) -> list[Entry]:
    return list(_entries(pipeline.root.items, (pipeline.root.anchor,)))


def _entries(items: Sequence[Item], anchors: tuple[str, ...]) -> Iterator[Entry]:
    for item in items:
        if isinstance(item, Nest):
            yield from _entries(item.items, (*anchors, item.anchor))
        else:
            yield Entry(anchors, item)


def pipeline_of(found: Sequence[Entry]) -> Pipeline:
    root = found[0].anchors[0] if found else "builtin.module"
    return Pipeline(Nest(root, _nested(found, 1)))


def _nested(found: Sequence[Entry], depth: int) -> tuple[Item, ...]:
    items: list[Item] = []
    index = 0
    while index < len(found):
        entry = found[index]
        end = index + 1
        if len(entry.anchors) == depth:
            items.append(entry.item)
        else:
            anchor = entry.anchors[depth]
            while end < len(found) and found[end].anchors[depth : depth + 1] == (anchor,):
                end += 1
            items.append(Nest(anchor, _nested(found[index:end], depth + 1)))
        index = end
    return tuple(items)


def changed(pipeline: Pipeline, steps: Sequence[Step]) -> Pipeline | None:
    """The pipeline with changes made one after the other; None where one cannot be."""
    found = entries(pipeline)
    for step in steps:
        if step.source is None:
            use = _made(step)
            if use is None:
                return None
            found.insert(_index(found, step.place), Entry(_anchors(use, found), use))
            continue
        source = _index(found, step.source)
        if source >= len(found) or found[source].count != 1:
            return None
        place = _index(found, step.place)
        moved = found.pop(source)
        if step.goes:
            continue
        found.insert(place - (source < place), replace(moved, anchors=moved.anchors[:1]) if step.out else moved)
    return pipeline_of(found)


def _index(found: Sequence[Entry], number: int) -> int:
    """The entry in which the pass of a number stands."""
    before = 0
    for index, entry in enumerate(found):
        before += entry.count
        if number < before:
            return index
    return len(found)


def _made(step: Step) -> Pass | None:
    found = find_any(step.name)
    use = found.read(step.options) if found is not None else None
    return use if isinstance(use, Pass) else None


def _anchors(use: Pass, found: Sequence[Entry]) -> tuple[str, ...]:
    """The anchors for a pass: the root, or functions for one that runs on these alone."""
    root = found[0].anchors[0] if found else "builtin.module"
    return (root,) if runs_on(type(use), root) else (root, FUNC)


def mended(pipeline: Pipeline) -> Pipeline:
    """The pipeline with each pass nested where it can run: further out, or in the functions of the module."""
    found: list[Entry] = []
    for entry in entries(pipeline):
        anchors = entry.anchors
        if isinstance(entry.item, Pass) and not runs_on(type(entry.item), anchors[-1]):
            fits = (anchors[:count] for count in range(len(anchors) - 1, 0, -1))
            kind = type(entry.item)
            outer = next((each for each in fits if runs_on(kind, each[-1])), None)
            inner = FUNC if kind.anchor == FUNCTION else kind.anchor
            anchors = outer if outer is not None else (anchors[0], inner)
        found.append(Entry(anchors, entry.item))
    return pipeline_of(found)
