"""The operations of bufferization (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

AllocTensorOp = OpClass("bufferization.alloc_tensor")
CloneOp = OpClass("bufferization.clone")
DeallocOp = OpClass("bufferization.dealloc")
DeallocTensorOp = OpClass("bufferization.dealloc_tensor")
MaterializeInDestinationOp = OpClass("bufferization.materialize_in_destination")
ToBufferOp = OpClass("bufferization.to_buffer")
ToTensorOp = OpClass("bufferization.to_tensor")
