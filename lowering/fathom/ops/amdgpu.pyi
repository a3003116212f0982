from typing import Final

from fathom.ir.attributes import Attribute, DenseArrayAttr, IntegerAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Value

class DppOp(Operation):
    kind: Final[Attribute]
    permArgument: Final[Attribute | None]
    row_mask: Final[IntegerAttr]
    bank_mask: Final[IntegerAttr]
    bound_ctrl: Final[IntegerAttr]
    old: Final[Value]
    src: Final[Value]

class ExtPackedFp8Op(Operation):
    index: Final[IntegerAttr]
    res: Final[OpResult]
    source: Final[Value]

class FatRawBufferCastOp(Operation):
    boundsCheck: Final[IntegerAttr]
    resetOffset: Final[UnitAttr | None]
    source: Final[Value]
    validBytes: Final[Value | None]
    cacheSwizzleStride: Final[Value | None]

class GatherToLdsOp(Operation):
    transferType: Final[TypeAttr]
    src: Final[Value]
    srcIndices: Final[list[Value]]
    dst: Final[Value]
    dstIndices: Final[list[Value]]

class LdsBarrierOp(Operation): ...

class MakeDmaBaseOp(Operation):
    base: Final[OpResult]
    global_: Final[Value]
    global_indices: Final[list[Value]]
    lds: Final[Value]
    lds_indices: Final[list[Value]]

class MakeDmaDescriptorOp(Operation):
    global_static_sizes: Final[DenseArrayAttr]
    global_static_strides: Final[DenseArrayAttr]
    shared_static_sizes: Final[DenseArrayAttr]
    desc: Final[OpResult]
    base: Final[Value]
    global_dynamic_sizes: Final[list[Value]]
    global_dynamic_strides: Final[list[Value]]
    shared_dynamic_sizes: Final[list[Value]]
    workgroup_mask: Final[Value | None]
    early_timeout: Final[Value | None]
    pad_amount: Final[Value | None]
    pad_interval: Final[Value | None]
    atomic_barrier_address: Final[Value | None]
    atomic_barrier_indices: Final[list[Value]]
    global_increment: Final[Value | None]
    lds_increment: Final[Value | None]
    iteration_count: Final[Value | None]

class MakeGatherDmaBaseOp(Operation):
    base: Final[OpResult]
    global_: Final[Value]
    global_indices: Final[list[Value]]
    lds: Final[Value]
    lds_indices: Final[list[Value]]

class MakeGatherDmaDescriptorOp(Operation):
    global_static_sizes: Final[DenseArrayAttr]
    global_static_strides: Final[DenseArrayAttr]
    shared_static_sizes: Final[DenseArrayAttr]
    desc: Final[OpResult]
    base: Final[Value]
    indices: Final[Value]
    global_dynamic_sizes: Final[list[Value]]
    global_dynamic_strides: Final[list[Value]]
    shared_dynamic_sizes: Final[list[Value]]
    workgroup_mask: Final[Value | None]
    early_timeout: Final[Value | None]
    pad_amount: Final[Value | None]
    pad_interval: Final[Value | None]
    atomic_barrier_address: Final[Value | None]
    atomic_barrier_indices: Final[list[Value]]
    global_increment: Final[Value | None]
    lds_increment: Final[Value | None]
    iteration_count: Final[Value | None]

class MemoryCounterWaitOp(Operation):
    load: Final[IntegerAttr | None]
    store: Final[IntegerAttr | None]
    ds: Final[IntegerAttr | None]
    exp: Final[IntegerAttr | None]
    tensor: Final[IntegerAttr | None]

class MfmaOp(Operation):
    m: Final[IntegerAttr]
    n: Final[IntegerAttr]
    k: Final[IntegerAttr]
    blocks: Final[IntegerAttr]
    cbsz: Final[IntegerAttr]
    abid: Final[IntegerAttr]
    blgp: Final[Attribute]
    reducePrecision: Final[UnitAttr | None]
    negateA: Final[UnitAttr | None]
    negateB: Final[UnitAttr | None]
    negateC: Final[UnitAttr | None]
    destD: Final[OpResult]
    sourceA: Final[Value]
    sourceB: Final[Value]
    destC: Final[Value]

class PackedScaledTruncOp(Operation):
    index: Final[IntegerAttr]
    res: Final[OpResult]
    source: Final[Value]
    scale: Final[Value]
    existing: Final[Value | None]

class PackedStochRoundFp8Op(Operation):
    storeIndex: Final[IntegerAttr]
    res: Final[OpResult]
    source: Final[Value]
    stochiasticParam: Final[Value]
    existing: Final[Value | None]

class PackedTrunc2xfp8Op(Operation):
    wordIndex: Final[IntegerAttr]
    res: Final[OpResult]
    sourceA: Final[Value]
    sourceB: Final[Value | None]
    existing: Final[Value | None]

class PermlaneSwapOp(Operation):
    row_length: Final[IntegerAttr]
    fetch_inactive: Final[IntegerAttr]
    bound_ctrl: Final[IntegerAttr]
    src: Final[Value]

class RawBufferAtomicCmpswapOp(Operation):
    boundsCheck: Final[IntegerAttr]
    indexOffset: Final[IntegerAttr | None]
    value: Final[OpResult]
    src: Final[Value]
    cmp: Final[Value]
    memref: Final[Value]
    indices: Final[list[Value]]
    sgprOffset: Final[Value | None]

class RawBufferAtomicFaddOp(Operation):
    boundsCheck: Final[IntegerAttr]
    indexOffset: Final[IntegerAttr | None]
    value: Final[Value]
    memref: Final[Value]
    indices: Final[list[Value]]
    sgprOffset: Final[Value | None]

class RawBufferAtomicFmaxOp(Operation):
    boundsCheck: Final[IntegerAttr]
    indexOffset: Final[IntegerAttr | None]
    value: Final[Value]
    memref: Final[Value]
    indices: Final[list[Value]]
    sgprOffset: Final[Value | None]

class RawBufferAtomicSmaxOp(Operation):
    boundsCheck: Final[IntegerAttr]
    indexOffset: Final[IntegerAttr | None]
    value: Final[Value]
    memref: Final[Value]
    indices: Final[list[Value]]
    sgprOffset: Final[Value | None]

class RawBufferAtomicUminOp(Operation):
    boundsCheck: Final[IntegerAttr]
    indexOffset: Final[IntegerAttr | None]
    value: Final[Value]
    memref: Final[Value]
    indices: Final[list[Value]]
    sgprOffset: Final[Value | None]

class RawBufferLoadOp(Operation):
    boundsCheck: Final[IntegerAttr]
    indexOffset: Final[IntegerAttr | None]
    value: Final[OpResult]
    memref: Final[Value]
    indices: Final[list[Value]]
    sgprOffset: Final[Value | None]

class RawBufferStoreOp(Operation):
    boundsCheck: Final[IntegerAttr]
    indexOffset: Final[IntegerAttr | None]
    value: Final[Value]
    memref: Final[Value]
    indices: Final[list[Value]]
    sgprOffset: Final[Value | None]

class ScaledExtPackedMatrixOp(Operation):
    blockSize: Final[IntegerAttr]
    firstScaleLane: Final[IntegerAttr]
    firstScaleByte: Final[IntegerAttr]
    res: Final[OpResult]
    source: Final[Value]
    scale: Final[Value]

class ScaledExtPackedOp(Operation):
    index: Final[IntegerAttr]
    res: Final[OpResult]
    source: Final[Value]
    scale: Final[Value]

class ScaledMfmaOp(Operation):
    m: Final[IntegerAttr]
    n: Final[IntegerAttr]
    k: Final[IntegerAttr]
    scalesIdxA: Final[IntegerAttr]
    scalesIdxB: Final[IntegerAttr]
    destD: Final[OpResult]
    sourceA: Final[Value]
    sourceB: Final[Value]
    destC: Final[Value]
    scalesA: Final[Value]
    scalesB: Final[Value]

class ScaledWmmaOp(Operation):
    m: Final[IntegerAttr]
    n: Final[IntegerAttr]
    k: Final[IntegerAttr]
    a_first_scale_lane: Final[IntegerAttr]
    b_first_scale_lane: Final[IntegerAttr]
    destD: Final[OpResult]
    sourceA: Final[Value]
    sourceB: Final[Value]
    destC: Final[Value]
    scaleA: Final[Value]
    scaleB: Final[Value]

class SchedBarrierOp(Operation):
    opts: Final[Attribute]

class SparseMfmaOp(Operation):
    m: Final[IntegerAttr]
    n: Final[IntegerAttr]
    k: Final[IntegerAttr]
    cbsz: Final[IntegerAttr]
    abid: Final[IntegerAttr]
    destD: Final[OpResult]
    sourceA: Final[Value]
    sourceB: Final[Value]
    destC: Final[Value]
    sparseIdx: Final[Value]

class SwizzleBitmodeOp(Operation):
    and_mask: Final[IntegerAttr]
    or_mask: Final[IntegerAttr]
    xor_mask: Final[IntegerAttr]
    src: Final[Value]

class TensorLoadToLdsOp(Operation):
    desc: Final[Value]

class TensorStoreFromLdsOp(Operation):
    desc: Final[Value]

class TransposeLoadOp(Operation):
    src: Final[Value]
    srcIndices: Final[list[Value]]

class WmmaOp(Operation):
    m: Final[IntegerAttr]
    n: Final[IntegerAttr]
    k: Final[IntegerAttr]
    subwordOffset: Final[IntegerAttr]
    unsignedA: Final[UnitAttr | None]
    unsignedB: Final[UnitAttr | None]
    clamp: Final[UnitAttr | None]
    destD: Final[OpResult]
    sourceA: Final[Value]
    sourceB: Final[Value]
    destC: Final[Value]
