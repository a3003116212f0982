from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class AllReduceOp(Operation):
    op: Final[Attribute | None]
    uniform: Final[UnitAttr | None]
    body: Final[Region]
    value: Final[Value]

class AllocOp(Operation):
    hostShared: Final[UnitAttr | None]
    memref: Final[OpResult]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    dynamicSizes: Final[list[Value]]
    symbolOperands: Final[list[Value]]

class BarrierOp(Operation): ...

class BinaryOp(Operation):
    sym_name: Final[StringAttr]
    offloadingHandler: Final[Attribute | None]
    objects: Final[ArrayAttr]

class BlockDimOp(Operation):
    dimension: Final[Attribute]
    upper_bound: Final[IntegerAttr | None]
    _result0: Final[OpResult]

class BlockIdOp(Operation):
    dimension: Final[Attribute]
    upper_bound: Final[IntegerAttr | None]
    _result0: Final[OpResult]

class ClusterBlockIdOp(Operation):
    dimension: Final[Attribute]
    upper_bound: Final[IntegerAttr | None]
    _result0: Final[OpResult]

class ClusterDimBlocksOp(Operation):
    dimension: Final[Attribute]
    upper_bound: Final[IntegerAttr | None]
    _result0: Final[OpResult]

class ClusterDimOp(Operation):
    dimension: Final[Attribute]
    upper_bound: Final[IntegerAttr | None]
    _result0: Final[OpResult]

class ClusterIdOp(Operation):
    dimension: Final[Attribute]
    upper_bound: Final[IntegerAttr | None]
    _result0: Final[OpResult]

class Create2to4SpmatOp(Operation):
    pruneFlag: Final[Attribute]
    spMat: Final[OpResult]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    rows: Final[Value]
    cols: Final[Value]
    memref: Final[Value]

class CreateBsrOp(Operation):
    spmat: Final[OpResult]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    brows: Final[Value]
    bcols: Final[Value]
    bnnz: Final[Value]
    rBlockSize: Final[Value]
    cBlockSize: Final[Value]
    bRowPos: Final[Value]
    bColIdxs: Final[Value]
    values: Final[Value]

class CreateCooAosOp(Operation):
    spmat: Final[OpResult]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    rows: Final[Value]
    cols: Final[Value]
    nnz: Final[Value]
    idxs: Final[Value]
    values: Final[Value]

class CreateCooOp(Operation):
    spmat: Final[OpResult]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    rows: Final[Value]
    cols: Final[Value]
    nnz: Final[Value]
    rowIdxs: Final[Value]
    colIdxs: Final[Value]
    values: Final[Value]

class CreateCscOp(Operation):
    spmat: Final[OpResult]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    rows: Final[Value]
    cols: Final[Value]
    nnz: Final[Value]
    colPos: Final[Value]
    rowIdxs: Final[Value]
    values: Final[Value]

class CreateCsrOp(Operation):
    spmat: Final[OpResult]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    rows: Final[Value]
    cols: Final[Value]
    nnz: Final[Value]
    rowPos: Final[Value]
    colIdxs: Final[Value]
    values: Final[Value]

class CreateDnTensorOp(Operation):
    dnTensor: Final[OpResult]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    memref: Final[Value]
    dims: Final[list[Value]]

class DeallocOp(Operation):
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    memref: Final[Value]

class DestroyDnTensorOp(Operation):
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    dnTensor: Final[Value]

class DestroySpMatOp(Operation):
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    spmat: Final[Value]

class DynamicSharedMemoryOp(Operation):
    resultMemref: Final[OpResult]

class FuncOp(Operation):
    function_type: Final[TypeAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    workgroup_attrib_attrs: Final[ArrayAttr | None]
    private_attrib_attrs: Final[ArrayAttr | None]
    known_block_size: Final[DenseArrayAttr | None]
    known_grid_size: Final[DenseArrayAttr | None]
    known_cluster_size: Final[DenseArrayAttr | None]
    body: Final[Region]

class GlobalIdOp(Operation):
    dimension: Final[Attribute]
    upper_bound: Final[IntegerAttr | None]
    _result0: Final[OpResult]

class GridDimOp(Operation):
    dimension: Final[Attribute]
    upper_bound: Final[IntegerAttr | None]
    _result0: Final[OpResult]

class HostRegisterOp(Operation):
    value: Final[Value]

class HostUnregisterOp(Operation):
    value: Final[Value]

class LaneIdOp(Operation):
    upper_bound: Final[IntegerAttr | None]

class LaunchFuncOp(Operation):
    kernel: Final[SymbolRefAttr]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    gridSizeX: Final[Value]
    gridSizeY: Final[Value]
    gridSizeZ: Final[Value]
    blockSizeX: Final[Value]
    blockSizeY: Final[Value]
    blockSizeZ: Final[Value]
    clusterSizeX: Final[Value | None]
    clusterSizeY: Final[Value | None]
    clusterSizeZ: Final[Value | None]
    dynamicSharedMemorySize: Final[Value | None]
    kernelOperands: Final[list[Value]]
    asyncObject: Final[Value | None]

class LaunchOp(Operation):
    module: Final[SymbolRefAttr | None]
    function: Final[SymbolRefAttr | None]
    body: Final[Region]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    gridSizeX: Final[Value]
    gridSizeY: Final[Value]
    gridSizeZ: Final[Value]
    blockSizeX: Final[Value]
    blockSizeY: Final[Value]
    blockSizeZ: Final[Value]
    clusterSizeX: Final[Value | None]
    clusterSizeY: Final[Value | None]
    clusterSizeZ: Final[Value | None]
    dynamicSharedMemorySize: Final[Value | None]

class MemcpyOp(Operation):
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    dst: Final[Value]
    src: Final[Value]

class MemsetOp(Operation):
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    dst: Final[Value]
    value: Final[Value]

class ModuleOp(Operation):
    sym_name: Final[StringAttr]
    targets: Final[ArrayAttr | None]
    offloadingHandler: Final[Attribute | None]
    bodyRegion: Final[Region]

class NumSubgroupsOp(Operation):
    upper_bound: Final[IntegerAttr | None]

class PrintfOp(Operation):
    format: Final[StringAttr]
    args: Final[list[Value]]

class ReturnOp(Operation): ...

class RotateOp(Operation):
    offset: Final[IntegerAttr]
    width: Final[IntegerAttr]
    rotateResult: Final[OpResult]
    valid: Final[OpResult]
    value: Final[Value]

class SddmmBufferSizeOp(Operation):
    modeA: Final[Attribute]
    modeB: Final[Attribute]
    computeType: Final[TypeAttr]
    bufferSz: Final[OpResult]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    dnmatA: Final[Value]
    dnmatB: Final[Value]
    spmatC: Final[Value]

class SddmmOp(Operation):
    modeA: Final[Attribute]
    modeB: Final[Attribute]
    computeType: Final[TypeAttr]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    dnmatA: Final[Value]
    dnmatB: Final[Value]
    spmatC: Final[Value]
    buffer: Final[Value]

class SetCsrPointersOp(Operation):
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    spmat: Final[Value]
    positions: Final[Value]
    coordinates: Final[Value]
    values: Final[Value]

class SetDefaultDeviceOp(Operation):
    devIndex: Final[Value]

class ShuffleOp(Operation):
    mode: Final[Attribute]
    shuffleResult: Final[OpResult]
    valid: Final[OpResult]
    value: Final[Value]
    offset: Final[Value]
    width: Final[Value]

class SpgemmCopyOp(Operation):
    modeA: Final[Attribute]
    modeB: Final[Attribute]
    computeType: Final[TypeAttr]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    desc: Final[Value]
    spmatA: Final[Value]
    spmatB: Final[Value]
    spmatC: Final[Value]

class SpgemmCreateDescrOp(Operation):
    desc: Final[OpResult]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]

class SpgemmDestroyDescrOp(Operation):
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    desc: Final[Value]

class SpgemmWorkEstimationOrComputeOp(Operation):
    modeA: Final[Attribute]
    modeB: Final[Attribute]
    computeType: Final[TypeAttr]
    kind: Final[Attribute]
    bufferSzNew: Final[OpResult]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    desc: Final[Value]
    spmatA: Final[Value]
    spmatB: Final[Value]
    spmatC: Final[Value]
    bufferSz: Final[Value]
    buffer: Final[Value]

class SpmatGetSizeOp(Operation):
    rows: Final[OpResult]
    cols: Final[OpResult]
    nnz: Final[OpResult]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    spmat: Final[Value]

class SpmmBufferSizeOp(Operation):
    modeA: Final[Attribute]
    modeB: Final[Attribute]
    computeType: Final[TypeAttr]
    bufferSzs: Final[list[OpResult]]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    spmatA: Final[Value]
    dnmatB: Final[Value]
    dnmatC: Final[Value]

class SpmmOp(Operation):
    modeA: Final[Attribute]
    modeB: Final[Attribute]
    computeType: Final[TypeAttr]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    spmatA: Final[Value]
    dnmatB: Final[Value]
    dnmatC: Final[Value]
    buffers: Final[list[Value]]

class SpmvBufferSizeOp(Operation):
    modeA: Final[Attribute]
    computeType: Final[TypeAttr]
    bufferSz: Final[OpResult]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    spmatA: Final[Value]
    dnX: Final[Value]
    dnY: Final[Value]

class SpmvOp(Operation):
    modeA: Final[Attribute]
    computeType: Final[TypeAttr]
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]
    spmatA: Final[Value]
    dnX: Final[Value]
    dnY: Final[Value]
    buffer: Final[Value]

class SubgroupBroadcastOp(Operation):
    broadcast_type: Final[Attribute]
    src: Final[Value]
    lane: Final[Value | None]

class SubgroupIdOp(Operation):
    upper_bound: Final[IntegerAttr | None]

class SubgroupMmaComputeOp(Operation):
    a_transpose: Final[UnitAttr | None]
    b_transpose: Final[UnitAttr | None]
    res: Final[OpResult]
    opA: Final[Value]
    opB: Final[Value]
    opC: Final[Value]

class SubgroupMmaConstantMatrixOp(Operation):
    res: Final[OpResult]
    value: Final[Value]

class SubgroupMmaElementwiseOp(Operation):
    opType: Final[Attribute]
    res: Final[OpResult]
    args: Final[list[Value]]

class SubgroupMmaExtractThreadLocalOp(Operation):
    res: Final[OpResult]
    matrix: Final[Value]
    indices: Final[list[Value]]

class SubgroupMmaInsertThreadLocalOp(Operation):
    res: Final[OpResult]
    value: Final[Value]
    matrix: Final[Value]
    indices: Final[list[Value]]

class SubgroupMmaLoadMatrixOp(Operation):
    leadDimension: Final[IntegerAttr]
    transpose: Final[UnitAttr | None]
    res: Final[OpResult]
    srcMemref: Final[Value]
    indices: Final[list[Value]]

class SubgroupMmaStoreMatrixOp(Operation):
    leadDimension: Final[IntegerAttr]
    transpose: Final[UnitAttr | None]
    src: Final[Value]
    dstMemref: Final[Value]
    indices: Final[list[Value]]

class SubgroupReduceOp(Operation):
    op: Final[Attribute]
    uniform: Final[UnitAttr | None]
    cluster_size: Final[IntegerAttr | None]
    cluster_stride: Final[IntegerAttr]
    value: Final[Value]

class SubgroupSizeOp(Operation):
    upper_bound: Final[IntegerAttr | None]

class TerminatorOp(Operation): ...

class ThreadIdOp(Operation):
    dimension: Final[Attribute]
    upper_bound: Final[IntegerAttr | None]
    _result0: Final[OpResult]

class WaitOp(Operation):
    asyncToken: Final[OpResult | None]
    asyncDependencies: Final[list[Value]]

class WarpExecuteOnLane0Op(Operation):
    warp_size: Final[IntegerAttr]
    warpRegion: Final[Region]
    laneid: Final[Value]
    args: Final[list[Value]]

class YieldOp(Operation):
    values: Final[list[Value]]
