from typing import Final

from fathom.ir.attributes import AffineMapAttr, ArrayAttr, Attribute, DenseArrayAttr, EnumAttr, IntegerAttr, StringAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class BitcastOp(Operation):
    source: Final[Value]

class BroadcastOp(Operation):
    vector: Final[OpResult]
    source: Final[Value]

class CompressstoreOp(Operation):
    alignment: Final[IntegerAttr | None]
    base: Final[Value]
    indices: Final[list[Value]]
    mask: Final[Value]
    valueToStore: Final[Value]

class ConstantMaskOp(Operation):
    mask_dim_sizes: Final[DenseArrayAttr]
    _result0: Final[OpResult]

class ContractOp(Operation):
    indexing_maps: Final[ArrayAttr]
    iterator_types: Final[ArrayAttr]
    kind: Final[Attribute]
    _result0: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    acc: Final[Value]

class CreateMaskOp(Operation):
    _result0: Final[OpResult]

class DeinterleaveOp(Operation):
    res1: Final[OpResult]
    res2: Final[OpResult]
    source: Final[Value]

class ExpandloadOp(Operation):
    alignment: Final[IntegerAttr | None]
    base: Final[Value]
    indices: Final[list[Value]]
    mask: Final[Value]
    pass_thru: Final[Value]

class ExtractOp(Operation):
    static_position: Final[DenseArrayAttr]
    source: Final[Value]
    dynamic_position: Final[list[Value]]

class ExtractStridedSliceOp(Operation):
    offsets: Final[ArrayAttr]
    sizes: Final[ArrayAttr]
    strides: Final[ArrayAttr]
    _result0: Final[OpResult]
    source: Final[Value]

class FmaOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]
    acc: Final[Value]

class FromElementsOp(Operation):
    dest: Final[OpResult]
    elements: Final[list[Value]]

class GatherOp(Operation):
    alignment: Final[IntegerAttr | None]
    base: Final[Value]
    offsets: Final[list[Value]]
    indices: Final[Value]
    mask: Final[Value]
    pass_thru: Final[Value]

class InsertOp(Operation):
    static_position: Final[DenseArrayAttr]
    valueToStore: Final[Value]
    dest: Final[Value]
    dynamic_position: Final[list[Value]]

class InsertStridedSliceOp(Operation):
    offsets: Final[ArrayAttr]
    strides: Final[ArrayAttr]
    valueToStore: Final[Value]
    dest: Final[Value]

class InterleaveOp(Operation):
    lhs: Final[Value]
    rhs: Final[Value]

class LoadOp(Operation):
    nontemporal: Final[IntegerAttr]
    alignment: Final[IntegerAttr | None]
    base: Final[Value]
    indices: Final[list[Value]]

class MaskOp(Operation):
    maskRegion: Final[Region]
    mask: Final[Value]
    passthru: Final[Value | None]

class MaskedloadOp(Operation):
    alignment: Final[IntegerAttr | None]
    base: Final[Value]
    indices: Final[list[Value]]
    mask: Final[Value]
    pass_thru: Final[Value]

class MaskedstoreOp(Operation):
    alignment: Final[IntegerAttr | None]
    base: Final[Value]
    indices: Final[list[Value]]
    mask: Final[Value]
    valueToStore: Final[Value]

class MultiReductionOp(Operation):
    kind: Final[Attribute]
    reduction_dims: Final[DenseArrayAttr]
    dest: Final[OpResult]
    source: Final[Value]
    acc: Final[Value]

class OuterproductOp(Operation):
    kind: Final[Attribute]
    _result0: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]
    acc: Final[Value | None]

class PrintOp(Operation):
    punctuation: Final[Attribute]
    stringLiteral: Final[StringAttr | None]
    source: Final[Value | None]

class ReductionOp(Operation):
    kind: Final[Attribute]
    fastmath: Final[EnumAttr]
    dest: Final[OpResult]
    vector: Final[Value]
    acc: Final[Value | None]

class ScalableExtractOp(Operation):
    pos: Final[IntegerAttr]
    source: Final[Value]

class ScalableInsertOp(Operation):
    pos: Final[IntegerAttr]
    valueToStore: Final[Value]
    dest: Final[Value]

class ScanOp(Operation):
    kind: Final[Attribute]
    reduction_dim: Final[IntegerAttr]
    inclusive: Final[IntegerAttr]
    dest: Final[OpResult]
    accumulated_value: Final[OpResult]
    source: Final[Value]
    initial_value: Final[Value]

class ScatterOp(Operation):
    alignment: Final[IntegerAttr | None]
    base: Final[Value]
    offsets: Final[list[Value]]
    indices: Final[Value]
    mask: Final[Value]
    valueToStore: Final[Value]

class ShapeCastOp(Operation):
    source: Final[Value]

class ShuffleOp(Operation):
    mask: Final[DenseArrayAttr]
    vector: Final[OpResult]
    v1: Final[Value]
    v2: Final[Value]

class StepOp(Operation): ...

class StoreOp(Operation):
    nontemporal: Final[IntegerAttr]
    alignment: Final[IntegerAttr | None]
    valueToStore: Final[Value]
    base: Final[Value]
    indices: Final[list[Value]]

class ToElementsOp(Operation):
    elements: Final[list[OpResult]]
    source: Final[Value]

class TransferReadOp(Operation):
    permutation_map: Final[AffineMapAttr]
    in_bounds: Final[ArrayAttr]
    vector: Final[OpResult]
    base: Final[Value]
    indices: Final[list[Value]]
    padding: Final[Value]
    mask: Final[Value | None]

class TransferWriteOp(Operation):
    permutation_map: Final[AffineMapAttr]
    in_bounds: Final[ArrayAttr]
    valueToStore: Final[Value]
    base: Final[Value]
    indices: Final[list[Value]]
    mask: Final[Value | None]

class TransposeOp(Operation):
    permutation: Final[DenseArrayAttr]
    vector: Final[Value]

class TypeCastOp(Operation):
    memref: Final[Value]

class VscaleOp(Operation):
    res: Final[OpResult]

class YieldOp(Operation): ...
