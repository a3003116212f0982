from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Value

class DeviceAsyncCopyOp(Operation):
    dstElements: Final[IntegerAttr]
    bypassL1: Final[UnitAttr | None]
    asyncToken: Final[OpResult]
    dst: Final[Value]
    dstIndices: Final[list[Value]]
    src: Final[Value]
    srcIndices: Final[list[Value]]
    srcElements: Final[Value | None]

class DeviceAsyncCreateGroupOp(Operation):
    asyncToken: Final[OpResult]
    inputTokens: Final[list[Value]]

class DeviceAsyncWaitOp(Operation):
    numGroups: Final[IntegerAttr | None]
    asyncDependencies: Final[Value]

class LdmatrixOp(Operation):
    transpose: Final[IntegerAttr]
    numTiles: Final[IntegerAttr]
    res: Final[OpResult]
    srcMemref: Final[Value]
    indices: Final[list[Value]]

class MbarrierArriveExpectTxOp(Operation):
    barriers: Final[Value]
    txcount: Final[Value]
    mbarId: Final[Value]
    predicate: Final[Value | None]

class MbarrierArriveNocompleteOp(Operation):
    token: Final[OpResult]
    barriers: Final[Value]
    mbarId: Final[Value]
    count: Final[Value]

class MbarrierArriveOp(Operation):
    token: Final[OpResult]
    barriers: Final[Value]
    mbarId: Final[Value]

class MbarrierCreateOp(Operation):
    barriers: Final[OpResult]

class MbarrierGetOp(Operation):
    mbarrierPointer: Final[OpResult]
    barriers: Final[Value]
    mbarId: Final[Value]

class MbarrierInitOp(Operation):
    barriers: Final[Value]
    count: Final[Value]
    mbarId: Final[Value]
    predicate: Final[Value | None]

class MbarrierTestWaitOp(Operation):
    waitComplete: Final[OpResult]
    barriers: Final[Value]
    token: Final[Value]
    mbarId: Final[Value]

class MbarrierTryWaitParityOp(Operation):
    barriers: Final[Value]
    phaseParity: Final[Value]
    ticks: Final[Value]
    mbarId: Final[Value]

class MmaSpSyncOp(Operation):
    mmaShape: Final[ArrayAttr]
    sparsitySelector: Final[IntegerAttr]
    tf32Enabled: Final[UnitAttr | None]
    res: Final[OpResult]
    matrixA: Final[Value]
    matrixB: Final[Value]
    matrixC: Final[Value]
    sparseMetadata: Final[Value]

class MmaSyncOp(Operation):
    mmaShape: Final[ArrayAttr]
    tf32Enabled: Final[UnitAttr | None]
    res: Final[OpResult]
    matrixA: Final[Value]
    matrixB: Final[Value]
    matrixC: Final[Value]

class RcpOp(Operation):
    rounding: Final[Attribute]
    ftz: Final[UnitAttr | None]
    out: Final[OpResult]
    in_: Final[Value]

class TmaAsyncLoadOp(Operation):
    dst: Final[Value]
    barriers: Final[Value]
    tensorMapDescriptor: Final[Value]
    coordinates: Final[list[Value]]
    mbarId: Final[Value]
    multicastMask: Final[Value | None]
    predicate: Final[Value | None]

class TmaAsyncStoreOp(Operation):
    src: Final[Value]
    tensorMapDescriptor: Final[Value]
    coordinates: Final[list[Value]]
    predicate: Final[Value | None]

class TmaCreateDescriptorOp(Operation):
    tensorMap: Final[OpResult]
    tensor: Final[Value]
    boxDimensions: Final[list[Value]]

class TmaFenceDescriptorOp(Operation):
    tensorMapDescriptor: Final[Value]

class TmaPrefetchDescriptorOp(Operation):
    tensorMapDescriptor: Final[Value]
    predicate: Final[Value | None]

class WarpgroupGenerateDescriptorOp(Operation):
    descriptor: Final[OpResult]
    tensor: Final[Value]
    tensorMap: Final[Value]

class WarpgroupMmaInitAccumulatorOp(Operation):
    matrixC: Final[OpResult]

class WarpgroupMmaOp(Operation):
    waitGroup: Final[IntegerAttr]
    transposeA: Final[UnitAttr | None]
    transposeB: Final[UnitAttr | None]
    matrixD: Final[OpResult]
    descriptorA: Final[Value]
    descriptorB: Final[Value]
    matrixC: Final[Value]

class WarpgroupMmaStoreOp(Operation):
    matrixD: Final[Value]
    dstMemref: Final[Value]
