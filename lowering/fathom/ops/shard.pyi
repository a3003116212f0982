from typing import Final

from fathom.ir.attributes import Attribute, DenseArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Value

class AllGatherOp(Operation):
    grid: Final[SymbolRefAttr]
    grid_axes: Final[DenseArrayAttr]
    gather_axis: Final[IntegerAttr]
    input: Final[Value]

class AllReduceOp(Operation):
    grid: Final[SymbolRefAttr]
    grid_axes: Final[DenseArrayAttr]
    reduction: Final[Attribute]
    input: Final[Value]

class AllSliceOp(Operation):
    grid: Final[SymbolRefAttr]
    grid_axes: Final[DenseArrayAttr]
    slice_axis: Final[IntegerAttr]
    input: Final[Value]

class AllToAllOp(Operation):
    grid: Final[SymbolRefAttr]
    grid_axes: Final[DenseArrayAttr]
    split_axis: Final[IntegerAttr]
    concat_axis: Final[IntegerAttr]
    input: Final[Value]

class BroadcastOp(Operation):
    grid: Final[SymbolRefAttr]
    grid_axes: Final[DenseArrayAttr]
    root: Final[DenseArrayAttr]
    input: Final[Value]
    root_dynamic: Final[list[Value]]

class GatherOp(Operation):
    grid: Final[SymbolRefAttr]
    grid_axes: Final[DenseArrayAttr]
    gather_axis: Final[IntegerAttr]
    root: Final[DenseArrayAttr]
    input: Final[Value]
    root_dynamic: Final[list[Value]]

class GetShardingOp(Operation):
    source: Final[Value]

class GridOp(Operation):
    sym_name: Final[StringAttr]
    shape: Final[DenseArrayAttr]

class GridShapeOp(Operation):
    grid: Final[SymbolRefAttr]
    axes: Final[DenseArrayAttr]

class NeighborsLinearIndicesOp(Operation):
    grid: Final[SymbolRefAttr]
    split_axes: Final[DenseArrayAttr]
    neighbor_down: Final[OpResult]
    neighbor_up: Final[OpResult]
    device: Final[list[Value]]

class ProcessLinearIndexOp(Operation):
    grid: Final[SymbolRefAttr]

class ProcessMultiIndexOp(Operation):
    grid: Final[SymbolRefAttr]
    axes: Final[DenseArrayAttr]

class RecvOp(Operation):
    grid: Final[SymbolRefAttr]
    grid_axes: Final[DenseArrayAttr]
    source: Final[DenseArrayAttr | None]
    input: Final[Value]
    source_dynamic: Final[list[Value]]

class ReduceOp(Operation):
    grid: Final[SymbolRefAttr]
    grid_axes: Final[DenseArrayAttr]
    reduction: Final[Attribute]
    root: Final[DenseArrayAttr]
    input: Final[Value]
    root_dynamic: Final[list[Value]]

class ReduceScatterOp(Operation):
    grid: Final[SymbolRefAttr]
    grid_axes: Final[DenseArrayAttr]
    reduction: Final[Attribute]
    scatter_axis: Final[IntegerAttr]
    input: Final[Value]

class ScatterOp(Operation):
    grid: Final[SymbolRefAttr]
    grid_axes: Final[DenseArrayAttr]
    scatter_axis: Final[IntegerAttr]
    root: Final[DenseArrayAttr]
    input: Final[Value]
    root_dynamic: Final[list[Value]]

class SendOp(Operation):
    grid: Final[SymbolRefAttr]
    grid_axes: Final[DenseArrayAttr]
    destination: Final[DenseArrayAttr]
    input: Final[Value]
    destination_dynamic: Final[list[Value]]

class ShardOp(Operation):
    annotate_for_users: Final[UnitAttr | None]
    src: Final[Value]
    sharding: Final[Value]

class ShardShapeOp(Operation):
    dims: Final[DenseArrayAttr]
    device: Final[DenseArrayAttr]
    dims_dynamic: Final[list[Value]]
    sharding: Final[Value]
    device_dynamic: Final[list[Value]]

class ShardingOp(Operation):
    grid: Final[SymbolRefAttr]
    split_axes: Final[Attribute]
    static_sharded_dims_offsets: Final[DenseArrayAttr]
    static_halo_sizes: Final[DenseArrayAttr]
    dynamic_sharded_dims_offsets: Final[list[Value]]
    dynamic_halo_sizes: Final[list[Value]]

class ShiftOp(Operation):
    grid: Final[SymbolRefAttr]
    grid_axes: Final[DenseArrayAttr]
    shift_axis: Final[IntegerAttr]
    offset: Final[IntegerAttr]
    rotate: Final[UnitAttr | None]
    input: Final[Value]

class UpdateHaloOp(Operation):
    grid: Final[SymbolRefAttr]
    split_axes: Final[Attribute]
    static_halo_sizes: Final[DenseArrayAttr]
    destination: Final[Value]
    halo_sizes: Final[list[Value]]
