from typing import Final

from fathom.ir.attributes import AffineMapAttr, ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, StringAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class AllocOp(Operation):
    alignment: Final[IntegerAttr | None]
    memref: Final[OpResult]
    dynamicSizes: Final[list[Value]]
    symbolOperands: Final[list[Value]]

class AllocaOp(Operation):
    alignment: Final[IntegerAttr | None]
    memref: Final[OpResult]
    dynamicSizes: Final[list[Value]]
    symbolOperands: Final[list[Value]]

class AllocaScopeOp(Operation):
    bodyRegion: Final[Region]

class AllocaScopeReturnOp(Operation): ...

class AssumeAlignmentOp(Operation):
    alignment: Final[IntegerAttr]
    memref: Final[Value]

class AtomicRmwOp(Operation):
    kind: Final[IntegerAttr]
    value: Final[Value]
    memref: Final[Value]
    indices: Final[list[Value]]

class AtomicYieldOp(Operation): ...

class CastOp(Operation):
    dest: Final[OpResult]
    source: Final[Value]

class CollapseShapeOp(Operation):
    reassociation: Final[ArrayAttr]
    src: Final[Value]

class CopyOp(Operation):
    source: Final[Value]
    target: Final[Value]

class DeallocOp(Operation):
    memref: Final[Value]

class DimOp(Operation):
    source: Final[Value]
    index: Final[Value]

class DistinctObjectsOp(Operation): ...
class DmaStartOp(Operation): ...

class DmaWaitOp(Operation):
    tagMemRef: Final[Value]
    tagIndices: Final[list[Value]]
    numElements: Final[Value]

class ExpandShapeOp(Operation):
    reassociation: Final[ArrayAttr]
    static_output_shape: Final[DenseArrayAttr]
    src: Final[Value]
    output_shape: Final[list[Value]]

class ExtractAlignedPointerAsIndexOp(Operation):
    aligned_pointer: Final[OpResult]
    source: Final[Value]

class ExtractStridedMetadataOp(Operation):
    base_buffer: Final[OpResult]
    offset: Final[OpResult]
    sizes_and_strides: Final[list[OpResult]]
    source: Final[Value]

class GenericAtomicRmwOp(Operation):
    atomic_body: Final[Region]
    memref: Final[Value]
    indices: Final[list[Value]]

class GetGlobalOp(Operation): ...

class GlobalOp(Operation):
    sym_name: Final[StringAttr]
    sym_visibility: Final[StringAttr | None]
    type: Final[TypeAttr]
    initial_value: Final[Attribute | None]
    constant: Final[UnitAttr | None]
    alignment: Final[IntegerAttr | None]

class LoadOp(Operation):
    nontemporal: Final[IntegerAttr]
    alignment: Final[IntegerAttr | None]
    memref: Final[Value]
    indices: Final[list[Value]]

class MemorySpaceCastOp(Operation):
    dest: Final[OpResult]
    source: Final[Value]

class PrefetchOp(Operation):
    isWrite: Final[IntegerAttr]
    localityHint: Final[IntegerAttr]
    isDataCache: Final[IntegerAttr]
    memref: Final[Value]
    indices: Final[list[Value]]

class RankOp(Operation):
    memref: Final[Value]

class ReallocOp(Operation):
    alignment: Final[IntegerAttr | None]
    source: Final[Value]
    dynamicResultSize: Final[Value | None]

class ReinterpretCastOp(Operation):
    static_offsets: Final[DenseArrayAttr]
    static_sizes: Final[DenseArrayAttr]
    static_strides: Final[DenseArrayAttr]
    source: Final[Value]
    offsets: Final[list[Value]]
    sizes: Final[list[Value]]
    strides: Final[list[Value]]

class ReshapeOp(Operation):
    source: Final[Value]
    shape: Final[Value]

class StoreOp(Operation):
    nontemporal: Final[IntegerAttr]
    alignment: Final[IntegerAttr | None]
    value: Final[Value]
    memref: Final[Value]
    indices: Final[list[Value]]

class SubviewOp(Operation):
    static_offsets: Final[DenseArrayAttr]
    static_sizes: Final[DenseArrayAttr]
    static_strides: Final[DenseArrayAttr]
    source: Final[Value]
    offsets: Final[list[Value]]
    sizes: Final[list[Value]]
    strides: Final[list[Value]]

class TransposeOp(Operation):
    permutation: Final[AffineMapAttr]
    in_: Final[Value]

class ViewOp(Operation):
    source: Final[Value]
    byte_shift: Final[Value]
    sizes: Final[list[Value]]
