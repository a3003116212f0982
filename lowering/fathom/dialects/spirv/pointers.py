"""What pointers lead to, and conversions between pointers and between numbers.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.groups import constant_number
from fathom.dialects.spirv.types import (
    CooperativeMatrixType,
    PointerType,
    StructType,
    bits_of,
    cases,
    count_of,
    is_composite,
    may_be_same,
    part_of,
)
from fathom.dialects.spirv.words import number
from fathom.ir.traversal import closest
from fathom.ir.types import IntegerType, Type, UnknownType, VectorType, element_type
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.irdl.definition import Problem
    from fathom.irdl.verifying import Complaint


# ---- parts of what pointers point to


_CHAIN: Final = "'spirv.AccessChain'"
"""What MLIR calls all operations of the kind in messages about indices."""


@verifies("spirv.AccessChain", "spirv.InBoundsPtrAccessChain", "spirv.PtrAccessChain")
def _chain(op: ops.AccessChainOp | ops.InBoundsPtrAccessChainOp | ops.PtrAccessChainOp) -> Complaint:
    base, given = op.base_ptr.type, op.result.type
    if not isinstance(base, PointerType):
        return None
    pointee = _pointee(base.pointee, op.indices)
    if not isinstance(pointee, Type):
        return pointee
    reached = PointerType(pointee, base.storage)
    if not may_be_same(reached, given):
        return f"invalid result type: expected '{reached}', but provided '{given}'"
    return None


def _pointee(type: Type, indices: Sequence[Value]) -> Type | Problem | None:
    """What indices lead to from a type, or what is wrong with them; None where that cannot be known."""
    index = 0
    for value in indices:
        if isinstance(type, UnknownType) or (isinstance(type, StructType) and type.members is None):
            return None
        if not is_composite(type):
            return bare(f"{_CHAIN} op cannot extract from non-composite type '{type}' with index {index}")
        index = 0
        if isinstance(type, StructType):
            chosen = _member(type, value)
            if not isinstance(chosen, int):
                return chosen
            index = chosen
        part = part_of(type, index)
        if part is None:
            return None
        type = part
    return type


def _member(struct: StructType, value: Value) -> int | Problem | None:
    """Which member of a struct a value chooses."""
    definer = value.defining_op
    if definer is None:
        return bare(f"{_CHAIN} op index must be an integer spirv.Constant to access element of spirv.struct")
    if definer.definition is None:
        return None
    index = constant_number(definer)
    if index is None:
        access = "index must be an integer spirv.Constant to access element of spirv.struct"
        return bare(f"{_CHAIN} {access}, but provided {definer.name}")
    if not 0 <= index < (count_of(struct) or 0):
        return bare(f"{_CHAIN} op index {index} out of bounds for '{struct}'")
    return index


@verifies("spirv.INTEL.SubgroupBlockRead", "spirv.INTEL.SubgroupBlockWrite")
def _block(op: ops.INTELSubgroupBlockReadOp | ops.INTELSubgroupBlockWriteOp) -> Complaint:
    """Of what a subgroup reads or writes as a block."""
    pointer, value = op.ptr.type, (op.value if isinstance(op, ops.INTELSubgroupBlockWriteOp) else op.result).type
    if not isinstance(pointer, PointerType):
        return None
    element = element_type(value) if isinstance(value, VectorType) else value
    if not may_be_same(element, pointer.pointee):
        return "mismatch in result type and pointer type"
    return None


@verifies("spirv.EXT.EmitMeshTasks")
def _payload(op: ops.EXTEmitMeshTasksOp) -> Complaint:
    type = op.payload.type if op.payload is not None else None
    fits = not isinstance(type, PointerType) or type.storage == "TaskPayloadWorkgroupEXT"
    return None if fits else "payload must be a variable with a storage class of TaskPayloadWorkgroupEXT"


# ---- conversions


@verifies("spirv.FConvert", "spirv.SConvert", "spirv.UConvert")
def _convert(op: ops.FConvertOp | ops.SConvertOp | ops.UConvertOp) -> Complaint:
    """Of conversions that change the number of bits."""
    source, target = op.operand.type, op.result.type
    if isinstance(source, (VectorType, CooperativeMatrixType)):
        if not isinstance(target, type(source)):
            return "incompatible operand and result types"
        source, target = source.element, target.element
    if bits_of(source) == bits_of(target):
        different = "expected the different bit widths for operand type and result type"
        return f"{different}, but provided '{source}' and '{target}'"
    return None


@verifies("spirv.Bitcast")
def _bitcast(op: ops.BitcastOp) -> Complaint:
    source, target = op.operand.type, op.result.type
    if source == target:
        return bare("result type must be different from operand type")
    kinds = [("pointer" if isinstance(type_, PointerType) else "non-pointer") for type_ in (source, target)]
    if kinds[0] != kinds[1]:
        return bare(f"unhandled bit cast conversion from {kinds[0]} type to {kinds[1]} type")
    first, second = bits_of(source), bits_of(target)
    if first is not None and second is not None and first != second:
        return f"mismatch in result type bitwidth {second} and operand type bitwidth {first}"
    return None


# ---- pointers


_SPECIFIC: Final = ("Workgroup", "CrossWorkgroup", "Function")


@verifies("spirv.PtrCastToGeneric")
def _to_generic(op: ops.PtrCastToGenericOp) -> Complaint:
    source, target = op.pointer.type, op.result.type
    if not isinstance(source, PointerType) or not isinstance(target, PointerType):
        return None
    if source.storage not in _SPECIFIC:
        return bare("pointer must point to the Workgroup, CrossWorkgroup, or Function Storage Class")
    if target.storage != "Generic":
        return bare("result type must be of storage class Generic")
    return _same_pointee(source, target)


@verifies("spirv.GenericCastToPtr", "spirv.GenericCastToPtrExplicit")
def _from_generic(op: ops.GenericCastToPtrOp | ops.GenericCastToPtrExplicitOp) -> Complaint:
    source, target = op.pointer.type, op.result.type
    if not isinstance(source, PointerType) or not isinstance(target, PointerType):
        return None
    if source.storage != "Generic":
        return bare("pointer type must be of storage class Generic")
    if target.storage not in _SPECIFIC:
        return bare("result must point to the Workgroup, CrossWorkgroup, or Function Storage Class")
    return _same_pointee(source, target)


def _same_pointee(source: PointerType, target: PointerType) -> Complaint:
    if not may_be_same(source.pointee, target.pointee):
        same = "pointer operand's pointee type must have the same as the op result type"
        return f"{same}, but found '{source.pointee}' vs '{target.pointee}'"
    return None


def _between_number_and_pointer(noun: str, *, to_pointer: bool) -> Check:
    """Of conversions between pointers and the numbers of their addresses."""

    def check(op: ops.ConvertPtrToUOp | ops.ConvertUToPtrOp) -> Complaint:
        types: list[Type] = [op.operands[0].type, op.result.type]
        number_type, pointer = types if to_pointer else reversed(types)
        if not isinstance(number_type, IntegerType) or number_type.signedness:
            return bare("result must be a scalar type of unsigned integer")
        module = closest(op, ops.ModuleOp)
        if module is None or not isinstance(pointer, PointerType):
            return None
        model, models = number(module, "addressing_model"), cases("AddressingModel")
        in_buffer = pointer.storage == "PhysicalStorageBuffer"
        if model == models["Logical"] or (model == models["PhysicalStorageBuffer64"] and not in_buffer):
            return bare(f"{noun} must be a physical pointer")
        return None

    return check


VERIFY: Final[Checks] = {
    "spirv.ConvertPtrToU": _between_number_and_pointer("operand", to_pointer=False),
    "spirv.ConvertUToPtr": _between_number_and_pointer("result", to_pointer=True),
}
