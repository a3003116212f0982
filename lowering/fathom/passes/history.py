"""What is known of a run of a pipeline beside what it left: the passes in their order, and which of them made what."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from fathom.ir.operation import Operation, Span
from fathom.passes.definition import ANY, Pass
from fathom.records import record

Key: TypeAlias = tuple[str, int, int]
"""An operation by its name and its span. Whatever a pass makes in place of an operation has the span of that."""


@record
class History:
    """`passes` are those of the pipeline, whether they had anything to do or not. `makers` says of operations that were
    not in the source which pass made them, as an index in `passes`. `nests` are the anchors inside the root that each
    of the passes stands in, the outermost first; where they are not known, all run on the root."""

    passes: tuple[Pass, ...]
    makers: Mapping[Key, int] = MappingProxyType({})
    nests: tuple[tuple[str, ...], ...] = ()

    def reaches(self, index: int, op: Operation) -> bool:
        """Whether a pass ran on an operation, or on one around it: a nest is only for what stands directly in the one
        around it."""
        anchors = self.nests[index] if self.nests else ()
        around: list[str] = []
        inner: Operation | None = op
        while inner is not None:
            around.insert(0, inner.name)
            inner = inner.parent_op
        inside = around[1:]
        return len(anchors) <= len(inside) and all(map(_is_anchor, anchors, inside))

    def last(self, name: str) -> int | None:
        """The index of the last use of a pass."""
        return max((index for index, pass_ in enumerate(self.passes) if pass_.name == name), default=None)

    def maker(self, op: Operation) -> int | None:
        """The index of the pass that made an operation; None for one of the source."""
        return self.makers.get(key_of(op.name, op.span))


_FUNCTIONS: Final = ("func.func", "llvm.func")
"""What a function was, and what it has become."""


def _is_anchor(anchor: str, name: str) -> bool:
    return anchor in (ANY, name) or (anchor == _FUNCTIONS[0] and name in _FUNCTIONS)


def key_of(name: str, span: Span | None) -> Key:
    """What is known of an operation with this name at this place."""
    return (name, *span.place) if span is not None else (name, -1, -1)
