"""What MLIR's verifiers say of `nvvm.tcgen05`: the operations of tensor cores that have a memory of their own.

Source of the rules: *'nvvm' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.types import VectorType
from fathom.irdl.cases import word_of
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import nvvm as ops

if TYPE_CHECKING:
    from fathom.ir.types import Type

_LANES: Final = {"cta_1": 4, "cta_2": 8}
"""How many lanes of output a group of blocks can have disabled."""
_LEAST: Final = {"shape_16x128b": 2, "shape_16x256b": 4}
"""The least number of registers for the shapes that ask for more than one."""
_HALVES: Final = "shape_16x32bx2"


def _length(type: Type) -> int:
    return prod(type.ranked_shape) if isinstance(type, VectorType) else 1


@verifies("nvvm.tcgen05.cp")
def _copy(op: ops.Tcgen05CpOp) -> Complaint:
    shape, multicast = word_of(op.shape), word_of(op.multicast)
    if shape == "shape_64x128b":
        fits = multicast in ("warpx2_01_23", "warpx2_02_13")
        need = "Shape 64x128b requires multicast warpx2_01_23 or warpx2_02_13 for tcgen05.cp Op"
        return None if fits else bare(need)
    if shape == "shape_32x128b":
        fits = multicast == "warpx4"
        return None if fits else bare("Shape 32x128b requires multicast warpx4 for tcgen05.cp Op")
    return None if multicast == "none" else bare("Invalid multicast type for tcgen05.cp Op")


@verifies("nvvm.tcgen05.ld")
def _load(op: ops.Tcgen05LdOp) -> Complaint:
    shape, has_offset = word_of(op.shape), op.offset is not None
    if missing := _missing_offset(op):
        return missing
    if shape != _HALVES and has_offset:
        return bare("offset argument is only supported for shape 16x32bx2")
    length = _length(op.result.type)
    if length < _LEAST.get(shape, 0):
        return bare(f"invalid result type length {length} for shape {shape} in tcgen05.ld Op")
    return None


@verifies("nvvm.tcgen05.st")
def _store(op: ops.Tcgen05StOp) -> Complaint:
    shape, length = word_of(op.shape), _length(op.val.type)
    if missing := _missing_offset(op):
        return missing
    if length < _LEAST.get(shape, 0):
        return bare(f"invalid input length {length} for shape {shape} in tcgen05.st Op")
    return None


def _missing_offset(op: ops.Tcgen05LdOp | ops.Tcgen05StOp) -> Complaint:
    missing = word_of(op.shape) == _HALVES and not op.all_of("offset")
    return bare("shape 16x32bx2 requires offset argument") if missing else None


@verifies("nvvm.tcgen05.mma", "nvvm.tcgen05.mma.sp")
def _multiply(op: ops.Tcgen05MmaOp | ops.Tcgen05MmaSpOp) -> Complaint:
    for lanes in op.all_of("disableOutputLane"):
        length = _length(lanes.type)
        if length != _LANES.get(word_of(op.ctaGroup)):
            return bare(f"Disable Output Lane of length {length} is incompatible with CtaGroupAttr")
    if op.aShift is None:
        return None
    if not isinstance(op.matrixA.type, LLVMPointerType):
        return bare("A-shift can be applied only when matrix A is in tensor memory")
    if word_of(op.collectorOp) in ("fill", "use"):
        return bare("Cannot use collector buffer operation fill or use with ashift")
    return None


@verifies("nvvm.tcgen05.mma.block_scale", "nvvm.tcgen05.mma.sp.block_scale")
def _multiply_scaled(op: ops.Tcgen05MmaBlockScaleOp | ops.Tcgen05MmaSpBlockScaleOp) -> Complaint:
    scale, kind = word_of(op.blockScale), word_of(op.kind)
    if scale == "default" and kind == "mxf4nvf4":
        return bare("mxf4nvf4 requires block scale attribute")
    if scale == "block16" and kind != "mxf4nvf4":
        return bare(f"{kind} kind does not support block16 attribute")
    return None
