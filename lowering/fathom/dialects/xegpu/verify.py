"""What MLIR's verifiers say of xegpu's operations on blocks: descriptors, loads and stores of them, and products.

Source of the rules: *'xegpu' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, Final

from fathom.dialects.xegpu.layouts import cannot_distribute, is_for_subgroup, is_for_workgroup
from fathom.dialects.xegpu.types import TensorDescType
from fathom.ir.attributes import IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.property_values import numbers_property
from fathom.ir.types import IntegerType, MemRefType, VectorType, element_width
from fathom.irdl.cases import word, word_of
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops import xegpu as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type


READ: Final = ("cached", "uncached", "streaming", "read_invalidate")
WRITE: Final = ("cached", "uncached", "write_back", "write_through")
NOT_SCATTERED: Final = "Expects a non-scattered TensorDesc."
SCATTERED: Final = "Expects a scattered TensorDesc."


def listed(shape: Sequence[int]) -> str:
    return f"[{', '.join(map(str, shape))}]"


def hints(words: Sequence[str]) -> Check:
    """The hints about caches are some of these."""

    def check(op: Operation) -> Complaint:
        for name in ("l1_hint", "l2_hint", "l3_hint"):
            attribute = op.properties.get(name)
            if attribute is not None and word(op, name) not in words:
                return f"invalid {name}: {attribute}"
        return None

    return check


def on_tensor(operand: str, check: Callable[[Any, TensorDescType], Complaint]) -> Check:
    """A check of an operation on a descriptor."""

    def run(op: Operation) -> Complaint:
        type = op.one_of(operand).type if operand else op.result.type
        return check(op, type) if isinstance(type, TensorDescType) else None

    return run


# ---- descriptors


def _source_space(type: Type) -> int:
    """The number of the memory space of what a descriptor is made from."""
    space = type.space if isinstance(type, MemRefType) else None
    if isinstance(space, IntegerAttr):
        return space.value
    if isinstance(space, DialectAttr) and space.full_name == "xegpu.memory_space":
        return 3 if word_of(space) == "slm" else 0
    return 0


def _spaces(op: ops.CreateNdTdescOp | ops.CreateTdescOp, type: TensorDescType) -> Complaint:
    source = _source_space(op.source.type)
    if source == type.space:
        return None
    return f"Memory space mismatch. Source: {source}, TensorDesc: {type.space}"


def _create_block(op: ops.CreateNdTdescOp, type: TensorDescType) -> Complaint:
    if problems := _spaces(op, type):
        return problems
    source = op.source.type
    memref = source if isinstance(source, MemRefType) and source.shape is not None else None
    around = len(memref.ranked_shape) if memref is not None else 0
    rank, strides = (
        len(numbers_property(op, "const_shape")) or around,
        len(numbers_property(op, "const_strides")) or around,
    )
    if isinstance(source, IntegerType) and (not rank or not strides):
        return "expecting strides and shape to be present for integer source."
    if rank != strides or len(numbers_property(op, "const_offsets")) not in (0, rank):
        what = "shape, strides, offsets, and source (if source is a memref)"
        return f"Expecting the rank of {what} should match with each other."
    if len(type.ranked_shape) > rank:
        what = "shape, strides, offsets or the memref source"
        return f"Expecting the TensorDesc rank is not greater than the ranks of {what}."
    if memref is not None and memref.element != type.element:
        return "TensorDesc should have the same element type with the source if it is a memref."
    return NOT_SCATTERED if type.is_scattered else None


def _create_scattered(op: ops.CreateTdescOp, type: TensorDescType) -> Complaint:
    if not type.is_scattered:
        return SCATTERED
    if problems := _spaces(op, type):
        return problems
    offsets = op.offsets.type
    shape = offsets.ranked_shape if isinstance(offsets, VectorType) else ()
    expected = (*shape, type.chunk) if type.chunk != 1 else shape
    return None if expected == type.shape else f"Incorrect TensorDesc shape. Expected is {listed(expected)}"


def _update_block(op: ops.UpdateNdOffsetOp, type: TensorDescType) -> Complaint:
    if type.is_scattered:
        return NOT_SCATTERED
    fits = len(type.ranked_shape) == len(op.const_offsets.values)
    return None if fits else "Invalid number of offsets."


def _update_scattered(op: ops.UpdateOffsetOp, type: TensorDescType) -> Complaint:
    if not type.is_scattered:
        return SCATTERED
    offsets = op.offsets.type
    expected = type.ranked_shape[:-1] if type.chunk > 1 else type.ranked_shape
    fits = isinstance(offsets, VectorType) and offsets.shape == expected
    return None if fits else "Offsets should match TensorDesc except the chunk size dim."


# ---- blocks


def _offsets(op: Operation, type: TensorDescType) -> Complaint:
    fits = len(numbers_property(op, "const_offsets")) in (0, len(type.ranked_shape))
    return None if fits else "Mismatched ranks between offsets and tensor descriptor"


def _prefetch(op: ops.PrefetchNdOp, type: TensorDescType) -> Complaint:
    if type.is_scattered:
        return NOT_SCATTERED
    return hints(READ)(op) or _offsets(op, type)


def _is_dealt_out(value: VectorType, elements: int) -> bool:
    """Whether a value is the part of one lane."""
    return len(value.ranked_shape) == 1 and prod(value.ranked_shape) < elements


def _dealt_out(type: TensorDescType, value: VectorType, elements: int, what: str) -> Complaint:
    """What is wrong with a value that is the part of one lane."""
    if type.layout is not None:
        return "TensorDesc doesn't need LayoutAttr for SIMT code"
    count, shape = prod(value.ranked_shape), listed(value.ranked_shape)
    if not count or elements % count:
        return f"{what} shape {shape} is not a valid distribution for tensor descriptor '{type}'"
    return None


def _block_value(op: ops.LoadNdOp | ops.StoreNdOp, type: TensorDescType, words: Sequence[str]) -> Complaint:
    """What loads and stores ask for alike."""
    if type.is_scattered:
        return NOT_SCATTERED
    if len(type.ranked_shape) > 2:
        return "Expects a 1D or 2D TensorDesc."
    return hints(words)(op)


def _load(op: ops.LoadNdOp, type: TensorDescType) -> Complaint:
    value = op.result.type
    if (problems := _block_value(op, type, READ)) or not isinstance(value, VectorType):
        return problems
    elements = prod(type.ranked_shape) * type.array_length
    if _is_dealt_out(value, elements):
        return _dealt_out(type, value, elements, "Result")
    shape, extents = list(type.ranked_shape), value.ranked_shape
    order = numbers_property(op, "transpose")
    if order and sorted(order) == [*range(len(shape))]:
        shape = [shape[index] for index in order]
    if op.packed is not None and len(shape) == 2 and extents[-1]:
        shape = [shape[0] // extents[-1], shape[1], extents[-1]]
    if type.array_length > 1:
        shape = [type.array_length, *shape]
    if tuple(shape) != extents:
        return f"Result shape {listed(extents)} is not consistent with tensor descriptor '{type}'"
    return _offsets(op, type)


def _store(op: ops.StoreNdOp, type: TensorDescType) -> Complaint:
    value = op.value.type
    if (problems := _block_value(op, type, WRITE)) or not isinstance(value, VectorType):
        return problems
    if type.array_length > 1:
        return "array length is not supported by store_nd."
    elements = prod(type.ranked_shape)
    if _is_dealt_out(value, elements):
        return _dealt_out(type, value, elements, "Value")
    if value.shape != type.shape:
        return f"Value shape {listed(value.ranked_shape)} is not consistent with tensor descriptor '{type}'"
    return _offsets(op, type)


# ---- products and layouts


@verifies("xegpu.dpas")
def _multiply(op: ops.DpasOp) -> Complaint:
    left, right, result = op.lhs.type, op.rhs.type, op.result.type
    if op.acc is not None and op.acc.type != result:
        return "Expecting the acc type to be the same as result."
    if not isinstance(left, VectorType) or not isinstance(right, VectorType) or not isinstance(result, VectorType):
        return None
    a, b, c = left.ranked_shape, right.ranked_shape, result.ranked_shape
    if len(a) == len(b) == len(c) == 1:
        unit = max(32 // (element_width(right) or 32), 1)
        return "Expecting B operand to be a multiple of 32 bits." if b[0] % unit else None
    if len(a) != 2 or len(b) not in (2, 3) or len(c) != 2:
        return "expecting lhs and result to be a 2D vector, and rhs to be either 2D or 3D (packed) vector."
    depth = b[0] * b[2] if len(b) == 3 else b[0]
    for name, one, other in (("K", depth, a[1]), ("M", a[0], c[0]), ("N", b[1], c[1])):
        if one != other:
            return f"{name}-dimension mismatch."
    return None


@verifies("xegpu.convert_layout")
def _convert(op: ops.ConvertLayoutOp) -> Complaint:
    source, target = op.input_layout, op.target_layout
    type = op.source.type
    if not isinstance(source, DialectAttr) or not isinstance(target, DialectAttr) or not isinstance(type, VectorType):
        return None
    alike = (is_for_workgroup(source) and is_for_workgroup(target)) or (
        is_for_subgroup(source) and is_for_subgroup(target)
    )
    if not alike:
        return "expected input layout and target layout be WgLayout or SgLayout at the same time."
    for layout, what in ((source, "input"), (target, "target")):
        if cannot_distribute(type.ranked_shape, layout):
            return f"invalid {what} layout, data cannot be evenly distributed."
    return None


VERIFY: Final[Checks] = {
    "xegpu.create_nd_tdesc": on_tensor("", _create_block),
    "xegpu.create_tdesc": on_tensor("", _create_scattered),
    "xegpu.load_nd": on_tensor("TensorDesc", _load),
    "xegpu.prefetch_nd": on_tensor("TensorDesc", _prefetch),
    "xegpu.store_nd": on_tensor("TensorDesc", _store),
    "xegpu.update_nd_offset": on_tensor("TensorDesc", _update_block),
    "xegpu.update_offset": on_tensor("TensorDesc", _update_scattered),
}
