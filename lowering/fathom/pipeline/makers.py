"""Which pass of a run made what, for who asks why something was left."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.ir.operation import Operation, Span
from fathom.passes.definition import Pass
from fathom.passes.history import Key, key
from fathom.pipeline.observer import Observer


class Makers(Observer):
    """Notes, of a run of `passes` on `module`, which has not begun, after which pass each operation was first there.
    `indices` has the index of that pass, by what is known of the operation; of those of the source it has none."""

    def __init__(self, passes: Sequence[Pass], module: Operation) -> None:
        self.indices: dict[Key, int] = {}
        self._index_of = {id(use): index for index, use in reversed(list(enumerate(passes)))}
        self._noted: dict[tuple[str, int], Span | None] = {}
        """The spans that operations of each name have that were noted, by the span's identity: most share theirs."""
        self._module = module
        self._met = set(module.walk())
        self._source = {key(op) for op in self._met}

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        met = set(op.walk())
        for operation in met - self._met:
            noted = operation.name, id(operation.span)
            if noted not in self._noted:
                self._noted[noted] = operation.span
                known = key(operation)
                if known not in self._source:
                    self.indices.setdefault(known, self._index_of[id(use)])
        if op is self._module:
            self._met = met
        else:
            self._met |= met
