"""Which pass of a run made what, for who asks why something was left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fathom.cached import cached_property
from fathom.ir.operation import Operation, Span
from fathom.passes.definition import Pass
from fathom.passes.history import Key, key_of
from fathom.pipeline.observer import Observer


class Makers(Observer):
    """Notes, of a run of `passes` on `module`, which has not begun, after which pass each operation was first there."""

    def __init__(self, passes: Sequence[Pass], module: Operation) -> None:
        self._index_of = {id(use): index for index, use in reversed(list(enumerate(passes)))}
        self._noted: dict[tuple[str, int], tuple[Span | None, int]] = {}
        """The spans that operations of each name have that were noted, by the span's identity, since most share theirs;
        with the index of the pass."""
        self._module = module
        self._met = set(module.walk())
        self._source = [(op.name, op.span) for op in self._met]

    @cached_property
    def indices(self) -> Mapping[Key, int]:
        """The index of that pass, by what is known of the operation; of those of the source there is none. It is asked
        for when the run is over, if anything is left."""
        source = {key_of(*known) for known in self._source}
        indices: dict[Key, int] = {}
        for (name, _), (span, index) in self._noted.items():
            known = key_of(name, span)
            if known not in source:
                indices.setdefault(known, index)
        return indices

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        met = set(op.walk())
        index, noted = self._index_of[id(use)], self._noted
        for operation in met - self._met:
            span = operation.span
            known = operation.name, id(span)
            if known not in noted:
                noted[known] = span, index
        if op is self._module:
            self._met = met
        else:
            self._met |= met
