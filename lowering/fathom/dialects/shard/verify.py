"""What MLIR's verifiers say of the operations of shard: of grids, of what names one, and of collective communication.

A collective operation groups the devices of a grid along some of its axes. What each of them demands is put together
of a few checks (`COLLECTIVES`): one of them looks at the device that the text names, one at the shape of the result.

Source of the rules: *'shard' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Any, Final, TypeAlias

from fathom.ir.attributes import DenseArrayAttr, SymbolRefAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.property_values import numbers_property
from fathom.ir.types import DYNAMIC, ShapedType
from fathom.irdl.checking import bare
from fathom.irdl.symbols import Lookup
from fathom.irdl.verifying import Complaint, SymbolCheck, SymbolChecks, verifies
from fathom.ops import shard as ops
from fathom.records import record


@record
class Group:
    """The devices that take part: the shape of the grid, and the axes along which they are grouped."""

    grid: Sequence[int]
    axes: Sequence[int]

    @property
    def size(self) -> int:
        """How many devices there are in a group; DYNAMIC where the grid does not say."""
        extents = [self.grid[axis] for axis in self.axes]
        return DYNAMIC if DYNAMIC in extents else prod(extents)


Demand: TypeAlias = "Callable[[Any, Group], Complaint]"


def split_axes(op: ops.ShardingOp) -> list[Sequence[int]]:
    """The axes of the grid over which each dimension of a tensor is spread."""
    axes = op.split_axes.parameters[0] if isinstance(op.split_axes, DialectAttr) else ()
    return [axis.values for axis in axes if isinstance(axis, DenseArrayAttr)] if isinstance(axes, tuple) else []


# ---- grids


@verifies("shard.grid")
def grid(op: ops.GridOp) -> Complaint:
    """`shard.grid` has dimensions."""
    shape = op.shape.values
    if not shape:
        return "rank of grid is expected to be a positive integer"
    if any(extent < 0 and extent != DYNAMIC for extent in shape):
        return "dimension size of a grid is expected to be non-negative or dynamic"
    return None


def _name_of_grid(op: Operation) -> str:
    symbol = op.properties.get("grid")
    return symbol.root if isinstance(symbol, SymbolRefAttr) else ""


def _grid_of(op: Operation, lookup: Lookup) -> tuple[Sequence[int], Complaint]:
    """The shape of the grid that an operation names, or that there is none."""
    named = lookup(_name_of_grid(op))
    if not isinstance(named, ops.GridOp):
        return (), bare(f'Undefined required grid symbol "{_name_of_grid(op)}".')
    return named.shape.values, None


@verifies("shard.neighbors_linear_indices", "shard.process_linear_index", "shard.update_halo", symbols=True)
def on_grid(op: Operation, lookup: Lookup) -> Complaint:
    """The grid that is named exists."""
    return _grid_of(op, lookup)[1]


def _group_of(op: Operation, lookup: Lookup, axes: str) -> tuple[Group, Complaint]:
    """The devices that an operation is about, with what is wrong with its axes."""
    shape, problems = _grid_of(op, lookup)
    known = Group(shape, numbers_property(op, axes))
    if problems:
        return known, problems
    if len(set(known.axes)) < len(known.axes):
        return known, bare("Grid axes contains duplicate elements.")
    outside = next((axis for axis in known.axes if not 0 <= axis < len(shape)), None)
    if outside is None:
        return known, None
    where = f'is out of bounds. The referenced grid "{_name_of_grid(op)}" is of rank {len(shape)}.'
    return known, bare(f"0-based grid axis index {outside} {where}")


@verifies("shard.grid_shape", "shard.process_multi_index", symbols=True)
def of_each_axis(op: Operation, lookup: Lookup) -> Complaint:
    """There is a result for each of the axes, or else for each dimension of the grid."""
    group, problems = _group_of(op, lookup, "axes")
    expected = len(group.axes) or len(group.grid)
    if problems or len(op.results) == expected:
        return problems
    return bare(f"Unexpected number of results {len(op.results)}. Expected {expected}.")


# ---- shardings


@verifies("shard.sharding")
def sharding(op: ops.ShardingOp) -> Complaint:
    """Each axis of the grid is used once, and halos are those of the dimensions that are spread."""
    axes = split_axes(op)
    seen: set[int] = set()
    for axis in (axis for of_group in axes for axis in of_group):
        if axis < 0:
            return bare("grid axis is expected to be non-negative")
        if axis in seen:
            return bare("grid axis duplicated")
        seen.add(axis)
    halos = op.static_halo_sizes.values
    if halos and op.static_sharded_dims_offsets.values:
        return "halo sizes and shard offsets are mutually exclusive"
    if halos and len(halos) != 2 * sum(bool(axis) for axis in axes):
        return bare("halo sizes must be specified for all split axes.")
    return None


@verifies("shard.sharding", symbols=True)
def sharding_on_grid(op: ops.ShardingOp, lookup: Lookup) -> Complaint:
    """There are offsets for all devices along the axes of a dimension that is spread, and they do not decrease."""
    shape, problems = _grid_of(op, lookup)
    offsets = op.static_sharded_dims_offsets.values
    if problems or not offsets:
        return problems
    if DYNAMIC in shape:
        return bare("sharded dims offsets are not allowed for device grids with dynamic shape.")
    start = 0
    for axes in split_axes(op):
        if not axes:
            continue
        end = start + sum(shape[axis] for axis in axes if 0 <= axis < len(shape)) + 1
        known = [offset for offset in offsets[start:end] if offset != DYNAMIC]
        if any(one > other for one, other in pairwise([0, *known])):
            return bare("sharded dims offsets must be non-decreasing.")
        if end > len(offsets):
            return bare("sharded dims offsets has wrong size.")
        start = end
    return None


# ---- collective communication


def _device(name: str) -> Demand:
    """The device that the text names is one of the group."""

    def check(op: Operation, group: Group) -> Complaint:
        if name not in op.properties:
            return None
        device = numbers_property(op, name)
        if len(device) != len(group.axes):
            size = f"multi-index size {len(device)}. Expected {len(group.axes)}."
            return bare(f'In-group device "{name}" has unexpected {size}')
        for index, (place, axis) in enumerate(zip(device, group.axes, strict=True)):
            extent = group.grid[axis]
            if DYNAMIC not in (place, extent) and place >= extent:
                where = f'for in-group device "{name}". Got {place}, but expected value in the range [0, {extent - 1}].'
                return bare(f"Out of bounds coordinate {index} {where}")
        return None

    return check


def _shape(value: Value) -> Sequence[int]:
    return value.type.shape or () if isinstance(value.type, ShapedType) else ()


def _fits(axis: int, expected: int, size: int) -> Complaint:
    """A dimension of the result that is known is what it is expected to be."""
    if size in (DYNAMIC, expected):
        return None
    wanted = "dynamic" if expected == DYNAMIC else expected
    return bare(f"Dimension size mismatch for result axis {axis}. Expected {wanted}, but got {size}.")


def _all_fit(op: Operation, expected: Mapping[int, int]) -> Complaint:
    """All dimensions fit, in this order; those beyond the shape of the result do."""
    result = _shape(op.result)
    for axis, extent in expected.items():
        if axis < len(result) and (problems := _fits(axis, extent, result[axis])):
            return problems
    return None


def _times(extent: int, count: int) -> int:
    return DYNAMIC if DYNAMIC in (extent, count) else extent * count


def _shared(extent: int, count: int) -> int:
    """The part of a dimension that each of some devices has; DYNAMIC where the parts are not of one size."""
    return DYNAMIC if DYNAMIC in (extent, count) or not count or extent % count else extent // count


def _gathered(op: ops.AllGatherOp | ops.GatherOp, group: Group) -> Complaint:
    """One dimension is put together of all devices of a group."""
    axis, shape, rank = op.gather_axis.value, _shape(op.input), len(_shape(op.result))
    if not 0 <= axis < rank:
        return bare(f"Gather axis {axis} is out of bounds [0, {rank}).")
    return _all_fit(op, {i: _times(extent, group.size) if i == axis else extent for i, extent in enumerate(shape)})


def _scattered(op: ops.AllSliceOp | ops.ReduceScatterOp | ops.ScatterOp, group: Group) -> Complaint:
    """One dimension is cut in as many parts as a group has devices."""
    axis = (op.slice_axis if isinstance(op, ops.AllSliceOp) else op.scatter_axis).value
    shape, size = _shape(op.input), group.size
    problems = _all_fit(op, {i: extent for i, extent in enumerate(shape) if i != axis})
    if problems or not 0 <= axis < len(shape):
        return problems
    if DYNAMIC not in (shape[axis], size) and size and shape[axis] % size:
        by = f"is not divisible by collective device group size {size} for tensor axis {axis}."
        return bare(f"Operand dimension size {shape[axis]} {by}")
    return _all_fit(op, {axis: _shared(shape[axis], size)})


def _exchanged(op: ops.AllToAllOp, group: Group) -> Complaint:
    """One dimension is cut, and another put together."""
    split, joined, shape = op.split_axis.value, op.concat_axis.value, _shape(op.input)
    is_same = split == joined
    problems = _all_fit(op, {i: extent for i, extent in enumerate(shape) if is_same or i not in (split, joined)})
    if problems or is_same or not (0 <= split < len(shape) and 0 <= joined < len(shape)):
        return problems
    return _all_fit(op, {joined: _times(shape[joined], group.size), split: _shared(shape[split], group.size)})


def _shifted(op: ops.ShiftOp, group: Group) -> Complaint:
    axis = op.shift_axis.value
    return None if axis in group.axes else bare(f"Invalid shift axis {axis}. It must be one of the grouping grid axes.")


COLLECTIVES: Final[Mapping[str, tuple[Demand, ...]]] = {
    "all_gather": (_gathered,),
    "all_reduce": (),
    "all_slice": (_scattered,),
    "all_to_all": (_exchanged,),
    "broadcast": (_device("root"),),
    "gather": (_device("root"), _gathered),
    "recv": (_device("source"),),
    "reduce": (_device("root"),),
    "reduce_scatter": (_scattered,),
    "scatter": (_device("root"), _scattered),
    "send": (_device("destination"),),
    "shift": (_shifted,),
}
"""What each collective operation demands beside its grid and the axes of that."""


def _collective(demands: Sequence[Demand]) -> SymbolCheck:
    def verify_symbols(op: Operation, lookup: Lookup) -> Complaint:
        group, problems = _group_of(op, lookup, "grid_axes")
        for demand in () if problems else demands:
            problems = problems or demand(op, group)
        return problems

    return verify_symbols


VERIFY_SYMBOLS: Final[SymbolChecks] = {f"shard.{name}": _collective(demands) for name, demands in COLLECTIVES.items()}
