from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, StringAttr, TypeAttr
from fathom.ir.operation import Operation, OpResult, Value

class ConstantOp(Operation):
    value: Final[Attribute]

class FromPtrOp(Operation):
    ptr: Final[Value]
    metadata: Final[Value | None]

class GatherOp(Operation):
    alignment: Final[ArrayAttr]
    ptrs: Final[Value]
    mask: Final[Value]
    passthrough: Final[Value]

class GetMetadataOp(Operation):
    ptr: Final[Value]

class LoadOp(Operation):
    syncscope: Final[StringAttr | None]
    alignment: Final[ArrayAttr]
    volatile_: Final[Attribute]
    nontemporal: Final[Attribute]
    invariant: Final[Attribute]
    invariantGroup: Final[Attribute]
    ordering: Final[IntegerAttr]
    value: Final[OpResult]
    ptr: Final[Value]

class MaskedLoadOp(Operation):
    alignment: Final[ArrayAttr]
    ptr: Final[Value]
    mask: Final[Value]
    passthrough: Final[Value]

class MaskedStoreOp(Operation):
    alignment: Final[ArrayAttr]
    value: Final[Value]
    ptr: Final[Value]
    mask: Final[Value]

class PtrAddOp(Operation):
    flags: Final[IntegerAttr]
    base: Final[Value]
    offset: Final[Value]

class PtrDiffOp(Operation):
    flags: Final[IntegerAttr]
    lhs: Final[Value]
    rhs: Final[Value]

class ScatterOp(Operation):
    alignment: Final[ArrayAttr]
    value: Final[Value]
    ptrs: Final[Value]
    mask: Final[Value]

class StoreOp(Operation):
    syncscope: Final[StringAttr | None]
    alignment: Final[ArrayAttr]
    volatile_: Final[Attribute]
    nontemporal: Final[Attribute]
    invariantGroup: Final[Attribute]
    ordering: Final[IntegerAttr]
    value: Final[Value]
    ptr: Final[Value]

class ToPtrOp(Operation):
    ptr: Final[Value]

class TypeOffsetOp(Operation):
    elementType: Final[TypeAttr]
