"""Which values may be dimensions and symbols of affine maps and sets.

A symbol does not change within the affine scope, the region of a function or the like; a dimension may also be the
variable of a loop, or follow from such. Source of the rules: *Affine Dialect*, "Restrictions on Dimensions and
Symbols"; where those say less, what mlir-opt 22 accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from fathom.ir.attributes import IntegerAttr
from fathom.ir.custom_text import is_kept_text
from fathom.ir.operation import BlockArgument, Operation, OpResult, Region, Value
from fathom.ir.traversal import ancestors
from fathom.ir.types import DYNAMIC, INDEX, MemRefType
from fathom.irdl.interfaces import ShapedDim
from fathom.irdl.traits import AFFINE_SCOPE, CONSTANT_LIKE, ISOLATED_FROM_ABOVE, PURE
from fathom.irdl.verifying import Complaint
from fathom.ops.affine import ApplyOp, DelinearizeIndexOp, ForOp, LinearizeIndexOp, ParallelOp
from fathom.ops.memref import CastOp

_SIZES: Final = {"memref.view": "sizes", "memref.subview": "sizes", "memref.alloc": "dynamicSizes"}
"""The group of operands that gives the dynamic sizes of what these make."""

Condition: TypeAlias = "bool | Sequence[Value]"
"""Whether something holds, or the values of which it must hold."""


def affine_scope(op: Operation) -> Region | None:
    """The region around `op` in which symbols do not change; None where it stands in no such region."""
    for inner, outer in pairwise((op, *ancestors(op))):
        if _may_be_scope(outer):
            return inner.parent_region
    return None


def check_identifiers(op: Operation, values: Sequence[Value], dims: int) -> Complaint:
    """The first `dims` values can be dimensions, the others symbols. What is read alone stands in a module, though
    nothing is around it."""
    validity = Validity(affine_scope(op) or _outermost_region(op))
    for index, value in enumerate(values):
        if index < dims and not validity.is_dim(value):
            return "operand cannot be used as a dimension id"
        if index >= dims and not validity.is_symbol(value):
            return "operand cannot be used as a symbol"
    return None


class Validity:
    """Which values can be dimensions and symbols of an operation, whose affine scope is `scope`."""

    def __init__(self, scope: Region | None) -> None:
        self._above = set(_regions_around(scope))
        self._symbols: dict[Value, bool] = {}
        self._dims: dict[Value, bool] = {}

    def is_symbol(self, value: Value) -> bool:
        return _decide(value, self._symbol, self._symbols)

    def is_dim(self, value: Value) -> bool:
        return _decide(value, self._dim, self._dims)

    def is_index(self, value: Value) -> bool:
        """Whether it can be either."""
        return self.is_dim(value) or self.is_symbol(value)

    def _symbol(self, value: Value) -> Condition:
        if not isinstance(value, OpResult | BlockArgument):
            # The stand-in of a value that is not defined, which is reported as such.
            return True
        if value.type != INDEX:
            return False
        if _region_of(value) in self._above:
            return True
        op = value.defining_op
        if op is None:
            return False
        if op.has(CONSTANT_LIKE):
            return True
        if op.interface(ShapedDim) is not None:
            return _size_symbol(op)
        return op.operands if is_pure(op) else False

    def _dim(self, value: Value) -> Condition:
        if value.type != INDEX:
            return False
        if self.is_symbol(value):
            return True
        op = value.defining_op
        if op is None:
            return is_induction_variable(value)
        if isinstance(op, (ApplyOp, DelinearizeIndexOp, LinearizeIndexOp)):
            return op.operands
        return op.interface(ShapedDim) is not None and bool(op.operands) and is_top_level(op.operands[0])


def is_symbol(value: Value) -> bool:
    """Whether a value can be a symbol in the affine scope in which it is defined."""
    if value.type != INDEX:
        return False
    op = value.defining_op
    return is_top_level(value) or (op is not None and Validity(affine_scope(op)).is_symbol(value))


def is_dim(value: Value) -> bool:
    """Whether a value can be a dimension in the affine scope in which it is defined."""
    if value.type != INDEX:
        return False
    op = value.defining_op
    if op is None:
        return is_induction_variable(value) or is_top_level(value)
    return Validity(affine_scope(op)).is_dim(value)


def _decide(value: Value, condition: Callable[[Value], Condition], known: dict[Value, bool]) -> bool:
    """Whether a condition holds of a value, and of all that it comes down to; what was found out is kept in `known`.

    A value that depends on itself, in a text that is wrong, does not satisfy it.
    """
    pending: list[tuple[Value, Condition]] = []
    opened = value
    while True:
        if opened not in known:
            known[opened] = False
            pending.append((opened, condition(opened)))
        while pending:
            current, needs = pending[-1]
            if isinstance(needs, bool):
                known[current] = needs
            else:
                unknown = next((need for need in needs if need not in known), None)
                if unknown is not None:
                    opened = unknown
                    break
                known[current] = all(known[need] for need in needs)
            pending.pop()
        else:
            return known[value]


def is_pure(op: Operation) -> bool:
    """Whether the operation does nothing but compute, whatever its operands are, or nothing tells that it does more."""
    return op.has(PURE) or is_kept_text(op)


def is_top_level(value: Value) -> bool:
    """Whether a value is defined, or is an argument, directly in the region of an operation that is an affine scope."""
    region = _region_of(value) if isinstance(value, OpResult | BlockArgument) else None
    return region is not None and region.parent is not None and _may_be_scope(region.parent)


def _may_be_scope(op: Operation) -> bool:
    """Whether symbols do not change in the regions of an operation, or nothing tells that they do."""
    return op.has(AFFINE_SCOPE) or is_kept_text(op)


def is_induction_variable(value: Value) -> bool:
    """Whether a value counts the iterations of an affine loop."""
    if not isinstance(value, BlockArgument) or not value.block.is_entry:
        return False
    loop = value.block.parent.parent if value.block.parent is not None else None
    return isinstance(loop, ParallelOp) or (isinstance(loop, ForOp) and value.index == 0)


def _outermost_region(op: Operation) -> Region | None:
    return [op, *ancestors(op)][-1].parent_region


def _region_of(value: OpResult | BlockArgument) -> Region | None:
    block = value.parent_block
    return block.parent if block is not None else None


def _regions_around(region: Region | None) -> Iterator[Region]:
    """A region and those around it, up to one that nothing from above reaches."""
    while region is not None:
        yield region
        op = region.parent
        if op is None or op.has(ISOLATED_FROM_ABOVE):
            return
        region = op.parent_region


def _size_symbol(op: Operation) -> Condition:
    """Whether a size is a symbol: that of a shape from the top level, or one that is known or a symbol itself."""
    if len(op.operands) != 2:
        return False
    if is_top_level(op.operands[0]):
        return True
    source = op.operands[0].defining_op
    index = op.operands[1].defining_op
    position = index.properties.get("value") if index is not None and index.has(CONSTANT_LIKE) else None
    if not isinstance(position, IntegerAttr):
        return False
    while isinstance(source, CastOp) and source.operands:
        inner = source.source
        if isinstance(inner.type, MemRefType) and inner.type.shape is None:
            return False
        source = inner.defining_op
    group = _SIZES.get(source.name) if source is not None else None
    if source is None or source.definition is None or group is None:
        return False
    type = source.results[0].type
    if not isinstance(type, MemRefType) or type.shape is None or not 0 <= position.value < len(type.ranked_shape):
        return False
    if type.ranked_shape[position.value] != DYNAMIC:
        return True
    dynamic = type.ranked_shape[: position.value].count(DYNAMIC)
    sizes = source.definition.operand_groups(source)[group]
    return (sizes[dynamic],) if dynamic < len(sizes) else False
