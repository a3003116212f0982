"""Conversions between numbers, and between pointers.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.types import CooperativeMatrixType, PointerType, bits_of, cases, may_be_same
from fathom.dialects.spirv.words import number
from fathom.ir.traversal import closest
from fathom.ir.types import IntegerType, Type, VectorType
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from fathom.irdl.verifying import Complaint


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
    kinds = [("pointer" if isinstance(each, PointerType) else "non-pointer") for each in (source, target)]
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
