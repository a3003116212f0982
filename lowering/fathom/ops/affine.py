"""The operations of affine (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

ApplyOp = OpClass("affine.apply")
DelinearizeIndexOp = OpClass("affine.delinearize_index")
DmaStartOp = OpClass("affine.dma_start")
DmaWaitOp = OpClass("affine.dma_wait")
ForOp = OpClass("affine.for")
IfOp = OpClass("affine.if")
LinearizeIndexOp = OpClass("affine.linearize_index")
LoadOp = OpClass("affine.load")
MaxOp = OpClass("affine.max")
MinOp = OpClass("affine.min")
ParallelOp = OpClass("affine.parallel")
PrefetchOp = OpClass("affine.prefetch")
StoreOp = OpClass("affine.store")
VectorLoadOp = OpClass("affine.vector_load")
VectorStoreOp = OpClass("affine.vector_store")
YieldOp = OpClass("affine.yield")
