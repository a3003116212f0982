from typing import Final

from fathom.ir.attributes import Attribute, IntegerAttr, StringAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Value

class BarWarpSyncOp(Operation):
    mask: Final[Value]

class Barrier0Op(Operation): ...

class BarrierArriveOp(Operation):
    barrierId: Final[Value | None]
    numberOfThreads: Final[Value]

class BarrierOp(Operation):
    reductionOp: Final[Attribute | None]
    res: Final[OpResult | None]
    barrierId: Final[Value | None]
    numberOfThreads: Final[Value | None]
    reductionPredicate: Final[Value | None]

class BreakpointOp(Operation): ...

class ClusterArriveOp(Operation):
    aligned: Final[UnitAttr | None]

class ClusterArriveRelaxedOp(Operation):
    aligned: Final[UnitAttr | None]

class ClusterWaitOp(Operation):
    aligned: Final[UnitAttr | None]

class ClusterlaunchcontrolQueryCancelOp(Operation):
    query_type: Final[Attribute]
    res: Final[OpResult]
    try_cancel_response: Final[Value]

class ClusterlaunchcontrolTryCancelOp(Operation):
    multicast: Final[UnitAttr | None]
    smemAddress: Final[Value]
    mbarrier: Final[Value]

class ConvertBf16x2ToF8x2Op(Operation):
    rnd: Final[Attribute]
    sat: Final[Attribute]
    dstTy: Final[TypeAttr]
    dst: Final[OpResult]
    a: Final[Value]

class ConvertF16x2ToF8x2Op(Operation):
    relu: Final[IntegerAttr]
    dstTy: Final[TypeAttr]
    dst: Final[OpResult]
    a: Final[Value]

class ConvertF32x2ToBf16x2Op(Operation):
    rnd: Final[Attribute]
    sat: Final[Attribute]
    relu: Final[IntegerAttr]
    dst: Final[OpResult]
    src_hi: Final[Value]
    src_lo: Final[Value]
    random_bits: Final[Value | None]

class ConvertF32x2ToF16x2Op(Operation):
    rnd: Final[Attribute]
    sat: Final[Attribute]
    relu: Final[IntegerAttr]
    dst: Final[OpResult]
    src_hi: Final[Value]
    src_lo: Final[Value]
    random_bits: Final[Value | None]

class ConvertF32x2ToF4x2Op(Operation):
    relu: Final[IntegerAttr]
    dstTy: Final[TypeAttr]
    dst: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class ConvertF32x2ToF6x2Op(Operation):
    relu: Final[IntegerAttr]
    dstTy: Final[TypeAttr]
    dst: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class ConvertF32x2ToF8x2Op(Operation):
    rnd: Final[Attribute]
    sat: Final[Attribute]
    relu: Final[IntegerAttr]
    dstTy: Final[TypeAttr]
    dst: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class ConvertF32x4ToF4x4Op(Operation):
    relu: Final[IntegerAttr]
    dstTy: Final[TypeAttr]
    dst: Final[OpResult]
    src: Final[Value]
    rbits: Final[Value]

class ConvertF32x4ToF6x4Op(Operation):
    relu: Final[IntegerAttr]
    dstTy: Final[TypeAttr]
    dst: Final[OpResult]
    src: Final[Value]
    rbits: Final[Value]

class ConvertF32x4ToF8x4Op(Operation):
    relu: Final[IntegerAttr]
    dstTy: Final[TypeAttr]
    dst: Final[OpResult]
    src: Final[Value]
    rbits: Final[Value]

class ConvertF4x2ToF16x2Op(Operation):
    relu: Final[IntegerAttr]
    srcType: Final[TypeAttr]
    dst: Final[OpResult]
    src: Final[Value]

class ConvertF6x2ToF16x2Op(Operation):
    relu: Final[IntegerAttr]
    srcType: Final[TypeAttr]
    dst: Final[OpResult]
    src: Final[Value]

class ConvertF8x2ToBf16x2Op(Operation):
    srcType: Final[TypeAttr]
    dst: Final[OpResult]
    src: Final[Value]

class ConvertF8x2ToF16x2Op(Operation):
    relu: Final[IntegerAttr]
    srcType: Final[TypeAttr]
    dst: Final[OpResult]
    src: Final[Value]

class ConvertFloatToTf32Op(Operation):
    rnd: Final[Attribute]
    sat: Final[Attribute]
    relu: Final[IntegerAttr]
    res: Final[OpResult]
    src: Final[Value]

class CpAsyncBulkCommitGroupOp(Operation): ...

class CpAsyncBulkGlobalSharedCtaOp(Operation):
    dstMem: Final[Value]
    srcMem: Final[Value]
    size: Final[Value]
    l2CacheHint: Final[Value | None]
    byteMask: Final[Value | None]

class CpAsyncBulkPrefetchOp(Operation):
    srcMem: Final[Value]
    size: Final[Value]
    l2CacheHint: Final[Value | None]

class CpAsyncBulkSharedClusterGlobalOp(Operation):
    dstMem: Final[Value]
    srcMem: Final[Value]
    mbar: Final[Value]
    size: Final[Value]
    multicastMask: Final[Value | None]
    l2CacheHint: Final[Value | None]

class CpAsyncBulkSharedClusterSharedCtaOp(Operation):
    dstMem: Final[Value]
    srcMem: Final[Value]
    mbar: Final[Value]
    size: Final[Value]

class CpAsyncBulkTensorGlobalSharedCtaOp(Operation):
    mode: Final[Attribute]
    tmaDescriptor: Final[Value]
    srcMem: Final[Value]
    coordinates: Final[list[Value]]
    l2CacheHint: Final[Value | None]
    predicate: Final[Value | None]

class CpAsyncBulkTensorPrefetchOp(Operation):
    mode: Final[Attribute]
    tmaDescriptor: Final[Value]
    coordinates: Final[list[Value]]
    im2colOffsets: Final[list[Value]]
    l2CacheHint: Final[Value | None]

class CpAsyncBulkTensorReduceOp(Operation):
    redKind: Final[Attribute]
    mode: Final[Attribute]
    tmaDescriptor: Final[Value]
    srcMem: Final[Value]
    coordinates: Final[list[Value]]
    l2CacheHint: Final[Value | None]

class CpAsyncBulkTensorSharedClusterGlobalOp(Operation):
    mode: Final[Attribute]
    isCTAOnly: Final[IntegerAttr]
    group: Final[Attribute | None]
    dstMem: Final[Value]
    tmaDescriptor: Final[Value]
    coordinates: Final[list[Value]]
    mbar: Final[Value]
    im2colOffsets: Final[list[Value]]
    multicastMask: Final[Value | None]
    l2CacheHint: Final[Value | None]
    predicate: Final[Value | None]

class CpAsyncBulkWaitGroupOp(Operation):
    group: Final[IntegerAttr]
    read: Final[UnitAttr | None]

class CpAsyncCommitGroupOp(Operation): ...

class CpAsyncMbarrierArriveOp(Operation):
    noinc: Final[IntegerAttr]
    addr: Final[Value]

class CpAsyncSharedGlobalOp(Operation):
    size: Final[IntegerAttr]
    modifier: Final[Attribute]
    dst: Final[Value]
    src: Final[Value]
    cpSize: Final[Value | None]

class CpAsyncWaitGroupOp(Operation):
    n: Final[IntegerAttr]

class DotAccumulate2wayOp(Operation):
    a_type: Final[Attribute]
    b_type: Final[Attribute]
    b_hi: Final[IntegerAttr]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class DotAccumulate4wayOp(Operation):
    a_type: Final[Attribute]
    b_type: Final[Attribute]
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]
    c: Final[Value]

class ElectSyncOp(Operation):
    pred: Final[OpResult]
    membermask: Final[Value | None]

class ExitOp(Operation): ...
class FenceMbarrierInitOp(Operation): ...

class FenceProxyAcquireOp(Operation):
    scope: Final[Attribute]
    fromProxy: Final[Attribute]
    toProxy: Final[Attribute]
    addr: Final[Value]
    size: Final[Value]

class FenceProxyOp(Operation):
    kind: Final[Attribute]
    space: Final[Attribute | None]

class FenceProxyReleaseOp(Operation):
    scope: Final[Attribute]
    fromProxy: Final[Attribute]
    toProxy: Final[Attribute]

class FenceProxySyncRestrictOp(Operation):
    order: Final[Attribute]
    fromProxy: Final[Attribute]
    toProxy: Final[Attribute]

class FenceScClusterOp(Operation): ...

class FenceSyncRestrictOp(Operation):
    order: Final[Attribute]

class GriddepcontrolOp(Operation):
    kind: Final[Attribute]

class InlinePtxOp(Operation):
    ptxCode: Final[StringAttr]
    writeOnlyArgs: Final[list[OpResult]]
    readOnlyArgs: Final[list[Value]]
    readWriteArgs: Final[list[Value]]
    predicate: Final[Value | None]

class LdmatrixOp(Operation):
    num: Final[IntegerAttr]
    layout: Final[Attribute]
    shape: Final[Attribute]
    eltType: Final[Attribute]
    res: Final[OpResult]
    ptr: Final[Value]

class MapaOp(Operation):
    res: Final[OpResult]
    a: Final[Value]
    b: Final[Value]

class MatchSyncOp(Operation):
    kind: Final[Attribute]
    res: Final[OpResult]
    thread_mask: Final[Value]
    val: Final[Value]

class MbarrierArriveDropExpectTxOp(Operation):
    scope: Final[Attribute]
    relaxed: Final[IntegerAttr]
    res: Final[OpResult | None]
    addr: Final[Value]
    txcount: Final[Value]

class MbarrierArriveDropNocompleteOp(Operation):
    res: Final[OpResult]
    addr: Final[Value]
    count: Final[Value]

class MbarrierArriveDropOp(Operation):
    scope: Final[Attribute]
    relaxed: Final[IntegerAttr]
    res: Final[OpResult | None]
    addr: Final[Value]
    count: Final[Value | None]

class MbarrierArriveExpectTxOp(Operation):
    scope: Final[Attribute]
    relaxed: Final[IntegerAttr]
    res: Final[OpResult | None]
    addr: Final[Value]
    txcount: Final[Value]
    predicate: Final[Value | None]

class MbarrierArriveNocompleteOp(Operation):
    res: Final[OpResult]
    addr: Final[Value]
    count: Final[Value]

class MbarrierArriveOp(Operation):
    scope: Final[Attribute]
    relaxed: Final[IntegerAttr]
    res: Final[OpResult | None]
    addr: Final[Value]
    count: Final[Value | None]

class MbarrierCompleteTxOp(Operation):
    scope: Final[Attribute]
    addr: Final[Value]
    txcount: Final[Value]

class MbarrierExpectTxOp(Operation):
    scope: Final[Attribute]
    addr: Final[Value]
    txcount: Final[Value]

class MbarrierInitOp(Operation):
    addr: Final[Value]
    count: Final[Value]
    predicate: Final[Value | None]

class MbarrierInvalOp(Operation):
    addr: Final[Value]

class MbarrierTestWaitOp(Operation):
    scope: Final[Attribute]
    relaxed: Final[IntegerAttr]
    res: Final[OpResult]
    addr: Final[Value]
    stateOrPhase: Final[Value]

class MbarrierTryWaitOp(Operation):
    scope: Final[Attribute]
    relaxed: Final[IntegerAttr]
    res: Final[OpResult]
    addr: Final[Value]
    stateOrPhase: Final[Value]
    ticks: Final[Value | None]

class MbarrierTryWaitParityOp(Operation):
    addr: Final[Value]
    phase: Final[Value]
    ticks: Final[Value]

class MemoryBarrierOp(Operation):
    scope: Final[Attribute]

class MmaBlockScaleOp(Operation):
    shape: Final[Attribute]
    multiplicandAPtxType: Final[Attribute | None]
    multiplicandBPtxType: Final[Attribute | None]
    scaleVecSize: Final[Attribute]
    blockScaleFormat: Final[Attribute]
    kind: Final[Attribute]
    res: Final[OpResult]
    operandA: Final[list[Value]]
    operandB: Final[list[Value]]
    operandC: Final[list[Value]]
    scaleAData: Final[Value]
    byteIdA: Final[Value]
    threadIdA: Final[Value]
    scaleBData: Final[Value]
    byteIdB: Final[Value]
    threadIdB: Final[Value]

class MmaSpBlockScaleOp(Operation):
    shape: Final[Attribute]
    multiplicandAPtxType: Final[Attribute | None]
    multiplicandBPtxType: Final[Attribute | None]
    scaleVecSize: Final[Attribute]
    blockScaleFormat: Final[Attribute]
    kind: Final[Attribute]
    orderedMetadata: Final[UnitAttr | None]
    res: Final[OpResult]
    operandA: Final[list[Value]]
    operandB: Final[list[Value]]
    operandC: Final[list[Value]]
    sparseMetadata: Final[Value]
    sparsitySelector: Final[Value]
    scaleAData: Final[Value]
    byteIdA: Final[Value]
    threadIdA: Final[Value]
    scaleBData: Final[Value]
    byteIdB: Final[Value]
    threadIdB: Final[Value]

class MmaSpSyncOp(Operation):
    shape: Final[Attribute]
    intOverflowBehavior: Final[Attribute | None]
    multiplicandAPtxType: Final[Attribute | None]
    multiplicandBPtxType: Final[Attribute | None]
    orderedMetadata: Final[UnitAttr | None]
    kind: Final[Attribute | None]
    res: Final[OpResult]
    operandA: Final[list[Value]]
    operandB: Final[list[Value]]
    operandC: Final[list[Value]]
    sparseMetadata: Final[Value]
    sparsitySelector: Final[Value]

class MmaSyncOp(Operation):
    shape: Final[Attribute]
    b1Op: Final[Attribute | None]
    intOverflowBehavior: Final[Attribute | None]
    layoutA: Final[Attribute]
    layoutB: Final[Attribute]
    multiplicandAPtxType: Final[Attribute | None]
    multiplicandBPtxType: Final[Attribute | None]
    res: Final[OpResult]
    operandA: Final[list[Value]]
    operandB: Final[list[Value]]
    operandC: Final[list[Value]]

class NanosleepOp(Operation):
    duration: Final[Value]

class PmeventOp(Operation):
    maskedEventId: Final[IntegerAttr | None]
    eventId: Final[IntegerAttr | None]

class PrefetchOp(Operation):
    cacheLevel: Final[Attribute | None]
    evictPriority: Final[Attribute | None]
    tensormap: Final[UnitAttr | None]
    uniform: Final[UnitAttr | None]
    in_param_space: Final[UnitAttr | None]
    addr: Final[Value]
    predicate: Final[Value | None]

class PrmtOp(Operation):
    mode: Final[Attribute]
    res: Final[OpResult]
    lo: Final[Value]
    hi: Final[Value | None]
    selector: Final[Value]

class RcpApproxFtzFOp(Operation):
    res: Final[OpResult]
    arg: Final[Value]

class ReadPtxSregAggrSmemSizeOp(Operation):
    res: Final[OpResult]

class ReadPtxSregClock64Op(Operation):
    res: Final[OpResult]

class ReadPtxSregClockOp(Operation):
    res: Final[OpResult]

class ReadPtxSregClusterCtaidXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregClusterCtaidYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregClusterCtaidZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregClusterCtarankOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregClusterNctaidXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregClusterNctaidYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregClusterNctaidZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregClusterNctarankOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregClusteridXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregClusteridYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregClusteridZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregCtaidXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregCtaidYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregCtaidZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregDynamicSmemSizeOp(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg0Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg10Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg11Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg12Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg13Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg14Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg15Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg16Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg17Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg18Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg19Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg1Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg20Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg21Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg22Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg23Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg24Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg25Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg26Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg27Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg28Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg29Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg2Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg30Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg31Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg3Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg4Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg5Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg6Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg7Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg8Op(Operation):
    res: Final[OpResult]

class ReadPtxSregEnvreg9Op(Operation):
    res: Final[OpResult]

class ReadPtxSregGlobaltimerLoOp(Operation):
    res: Final[OpResult]

class ReadPtxSregGlobaltimerOp(Operation):
    res: Final[OpResult]

class ReadPtxSregGrididOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregLaneidOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregLanemaskEqOp(Operation):
    res: Final[OpResult]

class ReadPtxSregLanemaskGeOp(Operation):
    res: Final[OpResult]

class ReadPtxSregLanemaskGtOp(Operation):
    res: Final[OpResult]

class ReadPtxSregLanemaskLeOp(Operation):
    res: Final[OpResult]

class ReadPtxSregLanemaskLtOp(Operation):
    res: Final[OpResult]

class ReadPtxSregNclusteridXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregNclusteridYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregNclusteridZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregNctaidXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregNctaidYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregNctaidZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregNsmidOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregNtidXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregNtidYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregNtidZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregNwarpidOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregSmidOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregTidXOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregTidYOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregTidZOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregTotalSmemSizeOp(Operation):
    res: Final[OpResult]

class ReadPtxSregWarpidOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReadPtxSregWarpsizeOp(Operation):
    range: Final[Attribute | None]
    res: Final[OpResult]

class ReduxSyncOp(Operation):
    kind: Final[Attribute]
    abs: Final[IntegerAttr]
    nan: Final[IntegerAttr]
    res: Final[OpResult]
    val: Final[Value]
    mask_and_clamp: Final[Value]

class SetmaxregisterOp(Operation):
    regCount: Final[IntegerAttr]
    action: Final[Attribute]

class ShflSyncOp(Operation):
    kind: Final[Attribute]
    return_value_and_is_valid: Final[UnitAttr | None]
    res: Final[OpResult]
    thread_mask: Final[Value]
    val: Final[Value]
    offset: Final[Value]
    mask_and_clamp: Final[Value]

class StBulkOp(Operation):
    initVal: Final[IntegerAttr]
    addr: Final[Value]
    size: Final[Value]

class StmatrixOp(Operation):
    layout: Final[Attribute]
    shape: Final[Attribute]
    eltType: Final[Attribute]
    ptr: Final[Value]
    sources: Final[list[Value]]

class Tcgen05AllocOp(Operation):
    group: Final[Attribute]
    addr: Final[Value]
    nCols: Final[Value]

class Tcgen05CommitOp(Operation):
    group: Final[Attribute]
    addr: Final[Value]
    multicastMask: Final[Value | None]

class Tcgen05CpOp(Operation):
    shape: Final[Attribute]
    group: Final[Attribute]
    multicast: Final[Attribute]
    srcFormat: Final[Attribute | None]
    taddr: Final[Value]
    smem_desc: Final[Value]

class Tcgen05DeallocOp(Operation):
    group: Final[Attribute]
    taddr: Final[Value]
    nCols: Final[Value]

class Tcgen05FenceOp(Operation):
    kind: Final[Attribute]

class Tcgen05LdOp(Operation):
    pack: Final[UnitAttr | None]
    shape: Final[Attribute]
    res: Final[OpResult]
    tmemAddr: Final[Value]
    offset: Final[Value | None]

class Tcgen05MmaBlockScaleOp(Operation):
    kind: Final[Attribute]
    ctaGroup: Final[Attribute]
    blockScale: Final[Attribute]
    collectorOp: Final[Attribute]
    matrixD: Final[Value]
    matrixA: Final[Value]
    matrixB: Final[Value]
    idesc: Final[Value]
    enableInputD: Final[Value]
    scaleA: Final[Value]
    scaleB: Final[Value]

class Tcgen05MmaOp(Operation):
    kind: Final[Attribute]
    ctaGroup: Final[Attribute]
    collectorOp: Final[Attribute]
    aShift: Final[UnitAttr | None]
    matrixD: Final[Value]
    matrixA: Final[Value]
    matrixB: Final[Value]
    idesc: Final[Value]
    enableInputD: Final[Value]
    scaleInputD: Final[Value | None]
    disableOutputLane: Final[Value | None]

class Tcgen05MmaSmemDescOp(Operation):
    res: Final[OpResult]
    startAddr: Final[Value]
    leadingDimOffset: Final[Value]
    strideDimOffset: Final[Value]
    baseOffset: Final[Value]
    leadingDimMode: Final[Value]
    swizzleMode: Final[Value]

class Tcgen05MmaSpBlockScaleOp(Operation):
    kind: Final[Attribute]
    ctaGroup: Final[Attribute]
    blockScale: Final[Attribute]
    collectorOp: Final[Attribute]
    matrixD: Final[Value]
    matrixA: Final[Value]
    matrixB: Final[Value]
    idesc: Final[Value]
    enableInputD: Final[Value]
    sparseMetadata: Final[Value]
    scaleA: Final[Value]
    scaleB: Final[Value]

class Tcgen05MmaSpOp(Operation):
    kind: Final[Attribute]
    ctaGroup: Final[Attribute]
    collectorOp: Final[Attribute]
    aShift: Final[UnitAttr | None]
    matrixD: Final[Value]
    matrixA: Final[Value]
    matrixB: Final[Value]
    idesc: Final[Value]
    enableInputD: Final[Value]
    sparseMetadata: Final[Value]
    scaleInputD: Final[Value | None]
    disableOutputLane: Final[Value | None]

class Tcgen05MmaWsOp(Operation):
    kind: Final[Attribute]
    collectorBBuffer: Final[Attribute]
    collectorOp: Final[Attribute]
    matrixD: Final[Value]
    matrixA: Final[Value]
    matrixB: Final[Value]
    idesc: Final[Value]
    enableInputD: Final[Value]
    zeroColMask: Final[Value | None]

class Tcgen05MmaWsSpOp(Operation):
    kind: Final[Attribute]
    collectorBBuffer: Final[Attribute]
    collectorOp: Final[Attribute]
    matrixD: Final[Value]
    matrixA: Final[Value]
    matrixB: Final[Value]
    idesc: Final[Value]
    enableInputD: Final[Value]
    sparseMetadata: Final[Value]
    zeroColMask: Final[Value | None]

class Tcgen05RelinquishAllocPermitOp(Operation):
    group: Final[Attribute]

class Tcgen05ShiftOp(Operation):
    group: Final[Attribute]
    taddr: Final[Value]

class Tcgen05StOp(Operation):
    unpack: Final[UnitAttr | None]
    shape: Final[Attribute]
    tmemAddr: Final[Value]
    val: Final[Value]
    offset: Final[Value | None]

class Tcgen05WaitOp(Operation):
    kind: Final[Attribute]

class VoteSyncOp(Operation):
    kind: Final[Attribute]
    res: Final[OpResult]
    mask: Final[Value]
    pred: Final[Value]

class WgmmaCommitGroupSyncAlignedOp(Operation): ...
class WgmmaFenceAlignedOp(Operation): ...

class WgmmaMmaAsyncOp(Operation):
    shape: Final[Attribute]
    typeA: Final[Attribute]
    typeB: Final[Attribute]
    typeD: Final[Attribute]
    scaleD: Final[Attribute]
    scaleA: Final[Attribute]
    scaleB: Final[Attribute]
    layoutA: Final[Attribute]
    layoutB: Final[Attribute]
    satfinite: Final[Attribute | None]
    inouts: Final[Value]
    descriptorA: Final[Value]
    descriptorB: Final[Value]

class WgmmaWaitGroupSyncAlignedOp(Operation):
    group: Final[IntegerAttr]

class WmmaLoadOp(Operation):
    m: Final[IntegerAttr]
    n: Final[IntegerAttr]
    k: Final[IntegerAttr]
    layout: Final[Attribute]
    eltype: Final[Attribute]
    frag: Final[Attribute]
    res: Final[OpResult]
    ptr: Final[Value]
    stride: Final[Value]

class WmmaMmaOp(Operation):
    m: Final[IntegerAttr]
    n: Final[IntegerAttr]
    k: Final[IntegerAttr]
    layoutA: Final[Attribute]
    layoutB: Final[Attribute]
    eltypeA: Final[Attribute]
    eltypeB: Final[Attribute]
    res: Final[OpResult]
    args: Final[list[Value]]

class WmmaStoreOp(Operation):
    m: Final[IntegerAttr]
    n: Final[IntegerAttr]
    k: Final[IntegerAttr]
    layout: Final[Attribute]
    eltype: Final[Attribute]
    ptr: Final[Value]
    args: Final[list[Value]]
    stride: Final[Value]
