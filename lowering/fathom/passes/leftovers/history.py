"""What is known of a run of a pipeline beside what it left: the passes in their order, and which of them made what."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from fathom.ir.operation import Operation
from fathom.passes.definition import Pass
from fathom.records import record

Key: TypeAlias = tuple[str, int, int]
"""An operation by its name and its span. Whatever a pass makes in place of an operation has the span of that."""


@record
class History:
    """`passes` are those of the pipeline, whether they had anything to do or not. `makers` says of operations that were
    not in the source which pass made them, as an index in `passes`."""

    passes: tuple[Pass, ...]
    makers: Mapping[Key, int] = MappingProxyType({})

    def last(self, name: str) -> int | None:
        """The index of the last use of a pass."""
        return max((index for index, each in enumerate(self.passes) if each.name == name), default=None)

    def maker(self, op: Operation) -> int | None:
        """The index of the pass that made an operation; None for one of the source."""
        return self.makers.get(key(op))


def key(op: Operation) -> Key:
    span = op.span
    return (op.name, span.start, span.end) if span is not None else (op.name, -1, -1)
