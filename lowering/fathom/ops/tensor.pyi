from typing import Final

from fathom.ir.attributes import ArrayAttr, DenseArrayAttr, IntegerAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class BitcastOp(Operation):
    dest: Final[OpResult]
    source: Final[Value]

class CastOp(Operation):
    dest: Final[OpResult]
    source: Final[Value]

class CollapseShapeOp(Operation):
    reassociation: Final[ArrayAttr]
    src: Final[Value]

class ConcatOp(Operation):
    dim: Final[IntegerAttr]
    inputs: Final[list[Value]]

class DimOp(Operation):
    source: Final[Value]
    index: Final[Value]

class EmptyOp(Operation):
    dynamicSizes: Final[list[Value]]

class ExpandShapeOp(Operation):
    reassociation: Final[ArrayAttr]
    static_output_shape: Final[DenseArrayAttr]
    src: Final[Value]
    output_shape: Final[list[Value]]

class ExtractOp(Operation):
    tensor: Final[Value]
    indices: Final[list[Value]]

class ExtractSliceOp(Operation):
    static_offsets: Final[DenseArrayAttr]
    static_sizes: Final[DenseArrayAttr]
    static_strides: Final[DenseArrayAttr]
    source: Final[Value]
    offsets: Final[list[Value]]
    sizes: Final[list[Value]]
    strides: Final[list[Value]]

class FromElementsOp(Operation):
    elements: Final[list[Value]]

class GatherOp(Operation):
    gather_dims: Final[DenseArrayAttr]
    unique: Final[UnitAttr | None]
    source: Final[Value]
    indices: Final[Value]

class GenerateOp(Operation):
    body: Final[Region]
    dynamicExtents: Final[list[Value]]

class InsertOp(Operation):
    scalar: Final[Value]
    dest: Final[Value]
    indices: Final[list[Value]]

class InsertSliceOp(Operation):
    static_offsets: Final[DenseArrayAttr]
    static_sizes: Final[DenseArrayAttr]
    static_strides: Final[DenseArrayAttr]
    source: Final[Value]
    dest: Final[Value]
    offsets: Final[list[Value]]
    sizes: Final[list[Value]]
    strides: Final[list[Value]]

class PadOp(Operation):
    static_low: Final[DenseArrayAttr]
    static_high: Final[DenseArrayAttr]
    nofold: Final[UnitAttr | None]
    region: Final[Region]
    source: Final[Value]
    low: Final[list[Value]]
    high: Final[list[Value]]

class ParallelInsertSliceOp(Operation):
    static_offsets: Final[DenseArrayAttr]
    static_sizes: Final[DenseArrayAttr]
    static_strides: Final[DenseArrayAttr]
    source: Final[Value]
    dest: Final[Value]
    offsets: Final[list[Value]]
    sizes: Final[list[Value]]
    strides: Final[list[Value]]

class RankOp(Operation):
    _result0: Final[OpResult]
    tensor: Final[Value]

class ReshapeOp(Operation):
    source: Final[Value]
    shape: Final[Value]

class ScatterOp(Operation):
    scatter_dims: Final[DenseArrayAttr]
    unique: Final[UnitAttr | None]
    source: Final[Value]
    dest: Final[Value]
    indices: Final[Value]

class SplatOp(Operation):
    aggregate: Final[OpResult]
    input: Final[Value]
    dynamicSizes: Final[list[Value]]

class YieldOp(Operation):
    value: Final[Value]
