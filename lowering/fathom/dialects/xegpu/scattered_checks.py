"""What MLIR's verifiers say of xegpu's operations that gather and scatter, and of those on shared memory.

Source of the rules: *'xegpu' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.xegpu.layouts import numbers_of
from fathom.dialects.xegpu.types import MemDescType, TensorDescType
from fathom.dialects.xegpu.verify import READ, SCATTERED, WRITE, hints, listed
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import IntegerType, MemRefType, ShapedType, VectorType, element_type, element_width
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops import xegpu as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type


def _source(op: Operation, operand: str, words: Sequence[str]) -> Complaint:
    """Offsets stand beside a buffer, and in a descriptor that is scattered."""
    type, has_offsets = op.one_of(operand).type, bool(op.all_of("offsets"))
    is_tensor = isinstance(type, TensorDescType)
    if is_tensor == has_offsets:
        return "offsets not allowed." if is_tensor else "Expects offsets."
    if isinstance(type, TensorDescType) and not type.is_scattered:
        return SCATTERED
    return hints(words)(op)


@verifies("xegpu.prefetch")
def _prefetch(op: ops.PrefetchOp) -> Complaint:
    if problems := _source(op, "source", READ):
        return problems
    is_integer = isinstance(op.source.type, IntegerType)
    is_aligned = op.offset_align_byte is not None
    if is_integer == is_aligned:
        return None
    return f"offset_align_byte {'is required' if is_integer else 'only allowed'} with integer source."


def _access(operand: str, value: str, words: Sequence[str]) -> Check:
    """A load or a store of a value that lies scattered."""

    def check(op: ops.LoadOp | ops.StoreOp) -> Complaint:
        if problems := _source(op, operand, words):
            return problems
        type, held = op.one_of(operand).type, (op.one_of(value) if value else op.result).type
        mask = op.mask.type
        if isinstance(type, TensorDescType):
            return _by_descriptor(mask, held, type)
        if isinstance(type, MemRefType) and element_type(held) != type.element:
            return bare("Value should have the same element type as MemRef.")
        chunk = op.chunk_size.value if op.chunk_size is not None else 1
        return _by_offsets(op.offsets.type, mask, held, chunk) if op.offsets is not None else None

    return check


_SINGLE: Final = "Expecting chunk size == 1 for scalar result"
_UNLIKE_VALUE: Final = "Mask should match value except the chunk size dim."


def _shape(type: Type) -> tuple[int, ...]:
    return type.ranked_shape if isinstance(type, ShapedType) else (1,)


def _by_descriptor(mask: Type, value: Type, type: TensorDescType) -> Complaint:
    if not isinstance(value, VectorType):
        if type.chunk > 1:
            return _SINGLE
        return "Expecting a vector type result." if isinstance(mask, VectorType) else None
    if value.element != type.element:
        return "Value should have the same element type as TensorDesc."
    shape = type.ranked_shape
    if (shape[:-1] if type.chunk > 1 else shape) != _shape(mask):
        return "Mask should match TensorDesc except the chunk size dim."
    if value.ranked_shape == (type.chunk,):
        return "TensorDesc doesn't need LayoutAttr for SIMT code" if type.layout is not None else None
    if value.ranked_shape == shape:
        return None
    neither = "is neither a valid distribution for SIMT nor consistent with the tensor descriptor for SIMD"
    return f"Value shape {listed(value.ranked_shape)} {neither} '{type}'"


def _by_offsets(offsets: Type, mask: Type, value: Type, chunk: int) -> Complaint:
    if not isinstance(value, VectorType):
        if chunk > 1:
            return _SINGLE
        vectors = isinstance(mask, VectorType) or isinstance(offsets, VectorType)
        return "Expecting scalar mask and offsets." if vectors else None
    shape = value.ranked_shape
    count = prod(shape)
    mismatch = f"value elements must match chunk size {chunk}"
    if not isinstance(mask, VectorType):
        if isinstance(offsets, VectorType):
            return "Expecting a vector type mask."
        return mismatch if count != chunk else None
    size = prod(mask.ranked_shape)
    if chunk > 1 and len(shape) == 1 and count != chunk:
        return mismatch
    if chunk <= 1 and count != size:
        return _UNLIKE_VALUE
    if size == 1 or (shape[:-1] if chunk > 1 else shape) == mask.shape:
        return None
    return _UNLIKE_VALUE


# ---- shared memory

_BLOCK_WISE: Final = "With subgroup_block_io,"


def _matrix(value: str) -> Check:
    """A load or a store of a part of a matrix in shared memory."""

    def check(op: ops.LoadMatrixOp | ops.StoreMatrixOp) -> Complaint:
        type, held = op.mem_desc.type, (op.one_of(value) if value else op.result).type
        block_wise = op.subgroup_block_io is not None
        if not isinstance(held, VectorType) or not isinstance(type, MemDescType):
            only = "subgroup_block_io are only allowed when result is a VectorType."
            return bare(only) if block_wise else None
        if len(type.ranked_shape) != 2:
            return bare("mem_desc must be 2D.")
        layout = op.layout
        if block_wise and isinstance(layout, DialectAttr) and (problems := _lanes(layout, type)):
            return problems
        if len(held.ranked_shape) == 2:
            exceeds = any(a > b for a, b in zip(held.ranked_shape, type.ranked_shape, strict=True))
            return bare("data shape must not exceed mem_desc shape.") if exceeds else None
        if block_wise and type.strides[0] == 1:
            return bare("mem_desc should be row major when subgroup_block_io is set.")
        return None

    return check


def _lanes(layout: DialectAttr, type: MemDescType) -> Complaint:
    data, lanes = numbers_of(layout, "lane_data") or (), numbers_of(layout, "lane_layout") or ()
    if any(number != 1 for number in data[:-1]):
        return bare(f"{_BLOCK_WISE} accessed data must be contiguous and coalesced.")
    for _, lane, block, stride in zip(data, lanes, type.block, type.strides, strict=False):
        if lane != block:
            return bare(f"{_BLOCK_WISE} the block shape must match the lane layout.")
        if lane != 1 and stride != 1:
            return bare(f"{_BLOCK_WISE} the distributed dimensions must be contiguous.")
    return None


def _bits(type: Type) -> int | None:
    """How many bits a shaped type holds."""
    if not isinstance(type, ShapedType) or not type.has_static_shape:
        return None
    width = element_width(type)
    return prod(type.ranked_shape) * width if width else None


def same_size(op: Operation) -> bool:
    """Whether a descriptor of memory has as many bits as what it describes."""
    one, other = _bits(op.one_of("source").type), _bits(op.result.type)
    return one is None or other is None or one == other


VERIFY: Final[Checks] = {
    "xegpu.load": _access("source", "", READ),
    "xegpu.load_matrix": _matrix(""),
    "xegpu.store": _access("dest", "value", WRITE),
    "xegpu.store_matrix": _matrix("data"),
}
