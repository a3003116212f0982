"""The operations of ptr (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

ConstantOp = OpClass("ptr.constant")
FromPtrOp = OpClass("ptr.from_ptr")
GatherOp = OpClass("ptr.gather")
GetMetadataOp = OpClass("ptr.get_metadata")
LoadOp = OpClass("ptr.load")
MaskedLoadOp = OpClass("ptr.masked_load")
MaskedStoreOp = OpClass("ptr.masked_store")
PtrAddOp = OpClass("ptr.ptr_add")
PtrDiffOp = OpClass("ptr.ptr_diff")
ScatterOp = OpClass("ptr.scatter")
StoreOp = OpClass("ptr.store")
ToPtrOp = OpClass("ptr.to_ptr")
TypeOffsetOp = OpClass("ptr.type_offset")
