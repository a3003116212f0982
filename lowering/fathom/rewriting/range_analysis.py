"""Between which numbers each integer lies whatever way the program takes: constants and ranges, found out together.

A range only ever grows. One that a loop hands on and that grows once more is taken to be anything, since it might go on
growing for as long as there are numbers; and so is one that has grown very often. A value that has one number is a
constant, by which branches are chosen. Source of the rules: `IntegerRangeAnalysis` of MLIR 22.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute, DenseElementsAttr, IntegerAttr
from fathom.ir.operation import BlockArgument, OpResult
from fathom.ir.types import ShapedType, element_type, is_too_wide
from fathom.irdl.traits import TERMINATOR
from fathom.rewriting.constant_propagation import VARYING, Constant, ConstantPropagation
from fathom.rewriting.int_ranges import INT_RANGES, IntRange, everything, signed, width_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.constant_propagation import Cause

MOST_CHANGES: Final = 64
"""How often a range grows until it is taken to be anything: only what no end of a block hands on comes to that."""


class RangeAnalysis(ConstantPropagation):
    """The analysis of an operation and all that is nested in it. `ranges` has what became known of each value."""

    def __init__(self, root: Operation, context: Definitions) -> None:
        super().__init__(root)
        self.ranges: dict[Value, IntRange] = {}
        self._context = context
        self._changes = Counter["Value"]()

    # ---- what changes

    def _widen(self, value: Value, range_: IntRange, *, once: bool = False) -> None:
        """What is known of a value, together with what was found besides. `once` is whether it may grow no more after
        it is known."""
        before = self.ranges.get(value)
        after = range_ if before is None else before.union(range_)
        if after == before:
            return
        if before is not None:
            self._changes[value] += 1
            if once or self._changes[value] > MOST_CHANGES:
                after = after.union(everything(width_of(value.type)))
        self.ranges[value] = after
        if after.width:
            number, dialect = after.constant, source_dialect(value)
            self._join(value, VARYING if number is None else Constant(attribute_of(number, value.type), dialect))
        for user in value.uses:
            self._enqueue(user)

    def _vary(self, values: Iterable[Value], because: Cause = "") -> None:
        values = list(values)
        super()._vary(values, because)
        for value in values:
            self._widen(value, everything(width_of(value.type)))

    def _pass(self, values: Iterable[Value], targets: Iterable[Value]) -> None:
        values, targets = list(values), list(targets)
        super()._pass(values, targets)
        for value, target in zip(values, targets, strict=False):
            known = self.ranges.get(value)
            if known is not None:
                self._widen(target, known)

    # ---- what operations infer

    def _make(self, op: Operation, values: Iterable[Value]) -> None:
        values = list(values)
        if self._infers(op):
            self._are_no_constants(values)
            self._infer(op, values)
        else:
            self._vary(values)

    def _fold(self, op: Operation) -> None:
        super()._fold(op)
        if self._infers(op):
            self._infer(op, op.results)
        else:
            for result in op.results:
                self._widen(result, everything(width_of(result.type)))

    def _infers(self, op: Operation) -> bool:
        if op.name not in self._context.aspect(INT_RANGES, op.dialect):
            return False
        return not any(is_too_wide(value.type) for value in (*op.operands, *op.results))

    def _infer(self, op: Operation, values: Collection[Value]) -> None:
        inference = self._context.aspect(INT_RANGES, op.dialect)[op.name]
        known = [self.ranges.get(operand) for operand in op.operands]
        if not inference.takes_unknown and None in known:
            return
        wanted = set(values)
        for value, range_ in inference.infer(op, known):
            if value in wanted:
                handed_on = inference.widens and any(user.has(TERMINATOR) for user in value.uses)
                self._widen(value, range_, once=handed_on)


def attribute_of(number: int, type: Type) -> Attribute:
    """The attribute of a number without sign, or of a shape that is filled with it."""
    element = element_type(type)
    width = width_of(element)
    value = number if width == 1 or getattr(element, "signedness", "") == "u" else signed(number, width)
    return DenseElementsAttr((value,), type) if isinstance(type, ShapedType) else IntegerAttr(value, type)


def source_dialect(value: Value) -> str:
    """The dialect of the operation that defines a value, or around whose block it stands."""
    if isinstance(value, OpResult):
        return value.op.dialect
    region = value.block.parent if isinstance(value, BlockArgument) else None
    return region.parent.dialect if region is not None and region.parent is not None else ""
