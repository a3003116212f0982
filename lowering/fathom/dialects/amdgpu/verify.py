"""What MLIR's verifiers say of amdgpu's operations on memory, and of those within a wave.

Source of the rules: *'amdgpu' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.amdgpu.products import length, small_float
from fathom.dialects.gpu.types import is_global, is_workgroup, lies_in
from fathom.ir.attributes import ArrayAttr, IntegerAttr, StridedLayoutAttr, UnitAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.strides import has_unit_stride, is_identity, row_major_strides
from fathom.ir.types import I16, I32, FloatType, IntegerType, MemRefType, Type, element_type, element_width
from fathom.irdl.cases import case_of, word_of
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import amdgpu as ops
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Operation


# ---- packing


@verifies("amdgpu.packed_scaled_trunc", "amdgpu.packed_stoch_round_fp8", "amdgpu.packed_trunc_2xfp8")
def _existing(op: ops.PackedScaledTruncOp | ops.PackedStochRoundFp8Op | ops.PackedTrunc2xfp8Op) -> Complaint:
    differs = op.existing is not None and op.existing.type != op.result.type
    return "existing values must have same type as result" if differs else None


@verifies("amdgpu.scaled_ext_packed_matrix")
def _scaled_extension(op: ops.ScaledExtPackedMatrixOp) -> Complaint:
    size, byte = op.blockSize.value, op.firstScaleByte.value
    if not small_float(element_type(op.source.type), 8):
        choices = (0, 1) if size == 16 else (0, 2)
        if byte not in choices:
            listed = " or ".join(map(str, choices))
            return f"blockSize of {size} can only have firstScaleByte be {listed} for f4 and f6."
        return None
    if size == 16 and (op.firstScaleLane.value, byte) not in ((0, 0), (16, 2)):
        pairs = "(firstScaleLane, firstScaleByte) be (0, 0) or (16, 2) for f8."
        return f"blockSize of 16 can only have {pairs}"
    return None


# ---- buffers


def _expected(op: ops.FatRawBufferCastOp, type: MemRefType) -> Type | None:
    """A buffer with its bounds, which lies in a space of its own."""
    space = case_of(own_description("amdgpu").attributes["AddressSpaceAttr"], "fat_raw_buffer")
    made = replace(type, space=space)
    if op.resetOffset is None or is_identity(type):
        return made
    layout = type.layout
    if not isinstance(layout, StridedLayoutAttr):
        return None
    shape = type.ranked_shape
    identity = row_major_strides(shape) if type.has_static_shape else (1,) * len(shape) if len(shape) < 2 else None
    if tuple(layout.strides) == identity:
        return replace(made, layout=None)
    return replace(made, layout=StridedLayoutAttr(layout.strides, 0))


@verifies("amdgpu.fat_raw_buffer_cast")
def _fat_buffer(op: ops.FatRawBufferCastOp) -> Complaint:
    source = op.source.type
    if not isinstance(source, MemRefType) or source.shape is None:
        return None
    expected = _expected(op, source)
    if expected is None:
        return f"source type '{source}' can't have its offset reset"
    if op.result.type != expected:
        return f"expected result type to be '{expected}' but got '{op.result.type}'"
    return None


_BUFFERS: Final = ("atomic_cmpswap", "atomic_fadd", "atomic_fmax", "atomic_smax", "atomic_umin", "load", "store")


@verifies(*(f"amdgpu.raw_buffer_{name}" for name in _BUFFERS))
def _raw_buffer(op: Operation) -> Complaint:
    type = op.one_of("memref").type
    if not is_global(type):
        return "Buffer ops must operate on a memref in global memory"
    if not isinstance(type, MemRefType) or type.shape is None:
        return "Cannot meaningfully buffer_store to an unranked memref"
    rank = len(type.shape)
    return None if len(op.all_of("indices")) == rank else f"Expected {rank} indices to memref"


# ---- lanes


@verifies("amdgpu.dpp")
def _lanes(op: ops.DppOp) -> Complaint:
    kind, argument = word_of(op.kind), op.permArgument
    if element_width(op.src.type) > 64:
        return "integer and floating point types larger than 64 bits are not supported"
    if kind == "quad_perm":
        elements = argument.elements if isinstance(argument, ArrayAttr) else ()
        if len(elements) != 4:
            return "quad_perm attribute must have exactly 4 elements"
        fits = all(not isinstance(element, IntegerAttr) or 0 <= element.value <= 3 for element in elements)
        return None if fits else "Each element of quad_perm must be in the range [0, 3]"
    if kind in ("row_shl", "row_shr", "row_ror"):
        if argument is None:
            return f"Attribute '{kind}' value not specified"
        fits = not isinstance(argument, IntegerAttr) or 1 <= argument.value <= 15
        return None if fits else "Attribute value must be between 1 and 15"
    if argument is not None and not isinstance(argument, UnitAttr):
        return "Expected unit attribute for permArgument, but found non-trivial argument"
    return None


@verifies("amdgpu.permlane_swap")
def _swap(op: ops.PermlaneSwapOp) -> Complaint:
    return None if op.row_length.value in (16, 32) else "row_length attribute must either be 16 or 32."


# ---- shared memory


@verifies("amdgpu.gather_to_lds")
def _gather(op: ops.GatherToLdsOp) -> Complaint:
    source, target = op.src.type, op.dst.type
    if not has_unit_stride(target):
        return "destination type inner most dim must be contiguous"
    if element_type(source) != element_type(target):
        return "source and destination element types must match"
    transfer = op.transferType.type
    if length(transfer) * element_width(transfer) not in (8, 16, 32, 96, 128):
        return "Transfering type size must be 8, 16, 32, 96 or 128 bits"
    if not is_global(source) and not lies_in(source, (7,), "amdgpu", "fat_raw_buffer"):
        return "source memory address space must be global or fat raw buffer"
    return None if is_workgroup(target) else "destination memory address space must be Workgroup"


_LENGTHS: Final = {4: 16, 6: 16, 8: 8, 16: 4}
"""How many elements of a width are loaded transposed."""


@verifies("amdgpu.transpose_load")
def _transposed(op: ops.TransposeLoadOp) -> Complaint:
    if not is_workgroup(op.src.type):
        return "source memory address space must be Workgroup"
    width = element_width(op.result.type)
    expected = _LENGTHS.get(width)
    if expected is None:
        return f"Unsupported element type size for transpose load: {width} bits"
    fits = length(op.result.type) == expected
    return None if fits else f"Transferring type size mismatch: expected num of elements: {expected}"


# ---- descriptors of tensors

_BYTES: Final = (8, 16, 32, 64)


@verifies("amdgpu.make_dma_base", "amdgpu.make_gather_dma_base")
def _base(op: ops.MakeDmaBaseOp | ops.MakeGatherDmaBaseOp) -> Complaint:
    shared, distant = op.lds.type, op.global_.type
    if not is_workgroup(shared):
        return "lds memref must have workgroup address space attribute."
    if not is_global(distant):
        return "global memref must have global address space attribute."
    width = element_width(shared)
    if width in _BYTES:
        return None
    return f"element type must be 1, 2, 4, or 8 bytes long but type was {width} bits long."


def _parameter(op: ops.MakeDmaDescriptorOp | ops.MakeGatherDmaDescriptorOp, name: str) -> Type | None:
    """A parameter of the type of a descriptor's base."""
    base = op.base.type
    parameter = base.parameter(name) if isinstance(base, DialectType) and name in base.definition.names else None
    return parameter if isinstance(parameter, Type) else None


@verifies("amdgpu.make_dma_descriptor")
def _descriptor(op: ops.MakeDmaDescriptorOp | ops.MakeGatherDmaDescriptorOp) -> Complaint:
    strides, sizes = op.global_static_strides.values, op.global_static_sizes.values
    if not strides:
        return "strides must not be empty."
    if strides[-1] != 1:
        return "strides for the innermost dimension must be 1."
    if len(sizes) > 5:
        return "tensor and tile must be at most of rank 5."
    if len(sizes) != len(strides):
        return "strides and sizes must have same rank."
    if len(sizes) != len(op.shared_static_sizes.values):
        return "tensor must have same rank as tile."
    kind = _parameter(op, "elementType")
    if kind is not None and element_width(kind) not in _BYTES:
        return f"element type width must be 1, 2, 4 or 8 bytes, but was {element_width(kind)} bits long"
    if op.atomic_barrier_address is not None and not is_workgroup(op.atomic_barrier_address.type):
        return "atomic barrier address must be in LDS."
    if op.early_timeout is not None and op.workgroup_mask is None:
        return "early timeout does not apply when workgroup_mask is not set."
    return None


@verifies("amdgpu.make_gather_dma_descriptor")
def _gather_descriptor(op: ops.MakeGatherDmaDescriptorOp) -> Complaint:
    if len(op.global_static_sizes.values) > 2:
        return "tensor and tile must be at most of rank two in gather mode."
    if element_type(op.indices.type) != _parameter(op, "indexType"):
        return "indices' element type must match base's element type."
    return _descriptor(op)


def gather_base_problem(parameters: Mapping[str, Parameter]) -> str | None:
    """What is wrong with the type of a base from which is gathered."""
    kind, index = parameters["elementType"], parameters["indexType"]
    if isinstance(kind, (IntegerType, FloatType)) and kind.width not in _BYTES:
        return f"element type must be 1, 2, 4, or 8 bytes wide but type '{kind}' is {kind.width // 8} bytes wide."
    return None if index in (I16, I32) else f"index type must be i16 or i32 but index type is '{index}'."
