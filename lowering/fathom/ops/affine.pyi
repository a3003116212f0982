from typing import Final

from fathom.ir.attributes import AffineMapAttr, ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, IntegerSetAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class ApplyOp(Operation):
    map: Final[AffineMapAttr]
    mapOperands: Final[list[Value]]

class DelinearizeIndexOp(Operation):
    static_basis: Final[DenseArrayAttr]
    multi_index: Final[list[OpResult]]
    linear_index: Final[Value]
    dynamic_basis: Final[list[Value]]

class DmaStartOp(Operation): ...
class DmaWaitOp(Operation): ...

class ForOp(Operation):
    lowerBoundMap: Final[AffineMapAttr]
    upperBoundMap: Final[AffineMapAttr]
    step: Final[IntegerAttr]
    region: Final[Region]
    lowerBoundOperands: Final[list[Value]]
    upperBoundOperands: Final[list[Value]]
    inits: Final[list[Value]]

class IfOp(Operation):
    condition: Final[IntegerSetAttr]
    thenRegion: Final[Region]
    elseRegion: Final[Region]

class LinearizeIndexOp(Operation):
    static_basis: Final[DenseArrayAttr]
    disjoint: Final[Attribute]
    linear_index: Final[OpResult]
    multi_index: Final[list[Value]]
    dynamic_basis: Final[list[Value]]

class LoadOp(Operation):
    map: Final[AffineMapAttr]
    memref: Final[Value]
    indices: Final[list[Value]]

class MaxOp(Operation):
    map: Final[AffineMapAttr]

class MinOp(Operation):
    map: Final[AffineMapAttr]

class ParallelOp(Operation):
    reductions: Final[ArrayAttr]
    lowerBoundsMap: Final[AffineMapAttr]
    lowerBoundsGroups: Final[Attribute]
    upperBoundsMap: Final[AffineMapAttr]
    upperBoundsGroups: Final[Attribute]
    steps: Final[ArrayAttr]
    region: Final[Region]
    mapOperands: Final[list[Value]]

class PrefetchOp(Operation):
    isWrite: Final[IntegerAttr]
    localityHint: Final[IntegerAttr]
    isDataCache: Final[IntegerAttr]
    map: Final[AffineMapAttr]
    memref: Final[Value]
    indices: Final[list[Value]]

class StoreOp(Operation):
    map: Final[AffineMapAttr]
    value: Final[Value]
    memref: Final[Value]
    indices: Final[list[Value]]

class VectorLoadOp(Operation):
    map: Final[AffineMapAttr]
    memref: Final[Value]
    indices: Final[list[Value]]

class VectorStoreOp(Operation):
    map: Final[AffineMapAttr]
    value: Final[Value]
    memref: Final[Value]
    indices: Final[list[Value]]

class YieldOp(Operation): ...
