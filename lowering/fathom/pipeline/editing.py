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


def pipeline_of(given: Sequence[Entry]) -> Pipeline:
    root = given[0].anchors[0] if given else "builtin.module"
    return Pipeline(Nest(root, _nested(given, 1)))


def _nested(given: Sequence[Entry], depth: int) -> tuple[Item, ...]:
    items: list[Item] = []
    index = 0
    while index < len(given):
        entry = given[index]
        end = index + 1
        if len(entry.anchors) == depth:
            items.append(entry.item)
        else:
            anchor = entry.anchors[depth]
            while end < len(given) and given[end].anchors[depth : depth + 1] == (anchor,):
                end += 1
            items.append(Nest(anchor, _nested(given[index:end], depth + 1)))
        index = end
    return tuple(items)


def changed(pipeline: Pipeline, steps: Sequence[Step]) -> Pipeline | None:
    """The pipeline with changes made one after the other; None where one cannot be."""
    edited = entries(pipeline)
    for step in steps:
        if step.source is None:
            use = _made(step)
            if use is None:
                return None
            edited.insert(_index(edited, step.place), Entry(_anchors(use, edited), use))
            continue
        source = _index(edited, step.source)
        if source >= len(edited) or edited[source].count != 1:
            return None
        place = _index(edited, step.place)
        moved = edited.pop(source)
        if step.goes:
            continue
        edited.insert(place - (source < place), replace(moved, anchors=moved.anchors[:1]) if step.out else moved)
    return pipeline_of(edited)


def _index(given: Sequence[Entry], number: int) -> int:
    """The entry in which the pass of a number stands."""
    before = 0
    for index, entry in enumerate(given):
        before += entry.count
        if number < before:
            return index
    return len(given)


def _made(step: Step) -> Pass | None:
    class_ = find_any(step.name)
    use = class_.read(step.options) if class_ is not None else None
    return use if isinstance(use, Pass) else None


def _anchors(use: Pass, given: Sequence[Entry]) -> tuple[str, ...]:
    """The anchors for a pass: the root, or functions for one that runs on these alone."""
    root = given[0].anchors[0] if given else "builtin.module"
    return (root,) if runs_on(type(use), root) else (root, FUNC)


def mended(pipeline: Pipeline) -> Pipeline:
    """The pipeline with each pass nested where it can run: further out, or in the functions of the module."""
    mended_entries: list[Entry] = []
    for entry in entries(pipeline):
        anchors = entry.anchors
        if isinstance(entry.item, Pass) and not runs_on(type(entry.item), anchors[-1]):
            fits = (anchors[:count] for count in range(len(anchors) - 1, 0, -1))
            kind = type(entry.item)
            outer = next((path for path in fits if runs_on(kind, path[-1])), None)
            inner = FUNC if kind.anchor == FUNCTION else kind.anchor
            anchors = outer if outer is not None else (anchors[0], inner)
        mended_entries.append(Entry(anchors, entry.item))
    return pipeline_of(mended_entries)
