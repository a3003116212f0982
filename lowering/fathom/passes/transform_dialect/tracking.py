"""Keeps handles up to date while the payload is rewritten: what an operation was replaced by is what its handles stand
for from then on, as far as it is like the operation.

Source of the rules: `TrackingListener` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.transform.handles import consumed, implements
from fathom.ir.operation import Operation, Value
from fathom.ir.traversal import ancestors
from fathom.irdl.traits import CONSTANT_LIKE
from fathom.passes.transform_dialect.outcomes import SilenceableFailure, said
from fathom.rewriting.pattern import Operations
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.passes.transform_dialect.state import State

LOOKED_THROUGH: Final = Operations(
    "tensor.collapse_shape", "tensor.expand_shape", "tensor.extract_slice", "tensor.insert_slice", "tensor.reshape"
)
"""Of whose source a replacement may be the result."""
_EMPTY: Final = Operations("tensor.empty")
"""Which no replacement is behind."""


class Tracker:
    """Hears what is replaced and erased while one transform is applied."""

    def __init__(self, state: State, op: Operation | None) -> None:
        self._state = state
        self._op = op
        self._consumed = [op.operands[place] for place in consumed(op)] if op is not None else []
        self._count = 0
        self.failure: SilenceableFailure | None = None
        """That no replacement was found for an operation that a handle stands for."""
        self.of_conversion = False
        """Whether a conversion replaces: an operation of any name may take the place of another, and a handle counts
        that nothing will use."""

    def erased(self, op: Operation) -> None:
        """No handle stands for an operation and its results any more."""
        if self._state.handles:
            for result in op.results:
                self._state.replace(result, None)
            self._state.replace(op, None)

    def replaced(self, op: Operation, values: Sequence[Value]) -> None:
        """These take the place of the results of an operation."""
        state = self._state
        for result, value in zip(op.results, values, strict=True):
            if result in state.handles:
                state.replace(result, value)
        handles = state.handles.get(op)
        if handles is None:
            return
        alive = next((handle for handle in handles if self.of_conversion or self._is_alive(handle)), None)
        if alive is None or any(handle in self._consumed for handle in handles):
            state.replace(op, None)
            return
        replacement = self._replacement(op, values)
        if isinstance(replacement, SilenceableFailure):
            replacement.note("replacement is required because this handle must be updated", alive)
            self._lose(replacement, op, values)
        state.replace(op, None if isinstance(replacement, SilenceableFailure) else replacement)

    def _lose(self, failure: SilenceableFailure, op: Operation, values: Sequence[Value]) -> None:
        if self.failure is not None:
            failure.diagnostics += self.failure.diagnostics
        failure.note(f"[{self._count}] replaced op", op)
        for index, value in enumerate(values):
            failure.note(f"[{self._count}] replacement value {index}", value)
        self.failure = failure
        self._count += 1

    def _replacement(self, op: Operation, values: Sequence[Value]) -> Operation | SilenceableFailure:
        message = "tracking listener failed to find replacement op during application of this transform op"
        failure = SilenceableFailure([said(message, self._op)])
        current: Sequence[Value] = values
        while True:
            maker = _maker_of_all(current)
            if maker is None:
                return failure.note("replacement values belong to different ops")
            if maker.definition is not None and implements(maker, "CastOpInterface"):
                current = maker.operands
                failure.note("using output of 'CastOpInterface' op", maker)
                continue
            if self.of_conversion or maker.name == op.name or maker.has(CONSTANT_LIKE):
                return maker
            if maker in LOOKED_THROUGH or maker in _EMPTY:
                current = maker.operands[:1] if maker in LOOKED_THROUGH else []
                failure.note("using operands provided by 'FindPayloadReplacementOpInterface'", maker)
                if current:
                    continue
            break
        return failure.note("ran out of suitable replacement values")

    def _is_alive(self, handle: Value) -> bool:
        """Whether anything uses a handle that is still to be applied."""
        block = handle.parent_block
        current = self._state.current.get(block.parent) if block is not None and block.parent is not None else None
        return any(user is not current and not _happens_before(user, current) for user in handle.uses)


def _maker_of_all(values: Sequence[Value]) -> Operation | None:
    """The one operation that defines all of these."""
    makers = {value.defining_op for value in values}
    return makers.pop() if len(makers) == 1 else None


def _happens_before(op: Operation, other: Operation | None) -> bool:
    if other is None:
        return False
    around = [other, *ancestors(other)]
    for ancestor in (op, *ancestors(op)):
        if ancestor in around[1:]:
            return False
        beside = next((one for one in around if one.parent is not None and one.parent is ancestor.parent), None)
        if beside is not None:
            return ancestor is not beside and ancestor.is_before_in_block(beside)
    return False


class TrackingRewriter(Rewriter):
    """Changes take effect at once, and handles follow."""

    def __init__(self, context: Context, tracker: Tracker) -> None:
        super().__init__(context)
        self.tracker = tracker

    def replace(self, op: Operation, values: Sequence[Value | Sequence[Value]]) -> None:
        replaced = [value if isinstance(value, Value) else value[0] for value in values]
        self.tracker.replaced(op, replaced)
        super().replace(op, replaced)

    def erase(self, op: Operation) -> None:
        for operation in op.walk():
            self.tracker.erased(operation)
        super().erase(op)
