"""Which pass of a run made what, for who asks why something was left."""

from __future__ import annotations

from fathom.ir.operation import Operation, Span
from fathom.passes.definition import Pass
from fathom.passes.leftovers.history import History, Key, key
from fathom.pipeline.instrumentation import Instrumentation
from fathom.pipeline.language import Pipeline


class Tracing(Instrumentation):
    """Notes, of a run of `pipeline` on `module`, which has not begun, after which pass each operation was first
    there."""

    def __init__(self, pipeline: Pipeline, module: Operation) -> None:
        self._passes = tuple(pipeline.passes)
        self._nests = pipeline.nests
        self._makers: dict[Key, int] = {}
        self._noted: dict[tuple[str, int], Span | None] = {}
        """The spans that operations of each name have that were noted, by the span's identity: most share theirs."""
        self._module = module
        self._met = set(module.walk())
        self._source = {key(op) for op in self._met}
        self.index = 0
        """The pass that ran last."""

    def before_pass(self, use: Pass, op: Operation) -> None:
        """Passes come in their order, on each of several functions all that are nested for them."""
        found = (index for index, each in enumerate(self._passes) if each is use)
        self.index = next(found, self.index)

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        met = set(op.walk())
        for each in met - self._met:
            noted = each.name, id(each.span)
            if noted not in self._noted:
                self._noted[noted] = each.span
                known = key(each)
                if known not in self._source:
                    self._makers.setdefault(known, self.index)
        if op is self._module:
            self._met = met
        else:
            self._met |= met

    @property
    def history(self) -> History:
        return History(self._passes, self._makers, self._nests)
