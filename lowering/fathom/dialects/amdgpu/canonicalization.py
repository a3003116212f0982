"""The canonicalisation of what runs on AMD's GPUs: accesses beside a buffer, waits one after the other, casts of what
is copied, and scales that are taken four at a time.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.arith.elements import zero_of
from fathom.dialects.memref.common import said_more
from fathom.ir.attributes import ArrayAttr, IntegerAttr, i32_attr, i64_attr
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType, VectorType
from fathom.ops import amdgpu as ops
from fathom.ops.vector import ExtractOp, InsertOp
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.pattern import Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


# ---- buffers

Read: TypeAlias = "ops.RawBufferLoadOp | ops.RawBufferAtomicCmpswapOp"
Atomic: TypeAlias = (
    "ops.RawBufferAtomicFaddOp | ops.RawBufferAtomicFmaxOp | ops.RawBufferAtomicSmaxOp | ops.RawBufferAtomicUminOp"
)
Written: TypeAlias = "ops.RawBufferStoreOp | Atomic"


def _is_outside(op: Read | Written) -> bool:
    """Whether an access that is checked is known to lie behind the end of the buffer."""
    type = op.memref.type
    layout = strides_and_offset(type) if isinstance(type, MemRefType) else None
    if not op.boundsCheck.value or not isinstance(type, MemRefType) or layout is None or not type.has_static_shape:
        return False
    strides, offset = layout
    further = [op.sgprOffset] if op.sgprOffset is not None else []
    numbers = [integer_constant(value) for value in (*op.indices, *further)]
    if None in numbers or DYNAMIC in (*strides, offset) or len(strides) != len(op.indices):
        return False
    known = [number % 2**32 for number in numbers if number is not None]
    place = offset + (op.indexOffset.value % 2**32 if op.indexOffset is not None else 0)
    place += sum(stride * number for stride, number in zip((*strides, *(1 for _ in further)), known, strict=True))
    return prod(type.ranked_shape) <= place < 2**32


def read_outside(op: Read, rewriter: Rewriter) -> Replacement:
    """What lies outside is zero."""
    if not _is_outside(op):
        return None
    type = op.value.type
    zero = zero_of(type)
    return rewriter.constant(zero, type) if zero is not None else None


def written_outside(op: Written, rewriter: Rewriter) -> Replacement:
    """What is written outside is lost."""
    return [] if _is_outside(op) else None


# ---- waits


def repeated_barrier(op: ops.LdsBarrierOp, rewriter: Rewriter) -> Replacement:
    """Before another barrier, one has no effect."""
    return [] if isinstance(op.next, ops.LdsBarrierOp) else None


_COUNTERS: Final = ("load", "store", "ds", "exp", "tensor")


def wait_twice(op: ops.MemoryCounterWaitOp, rewriter: Rewriter) -> Replacement:
    """Of two waits the counters are those of the longer one."""
    following = op.next
    if not isinstance(following, ops.MemoryCounterWaitOp):
        return None
    both = {name: [wait.properties.get(name) for wait in (op, following)] for name in _COUNTERS}
    least = {
        name: min(number.value for number in numbers if isinstance(number, IntegerAttr))
        for name, numbers in both.items()
        if any(numbers)
    }

    def change() -> None:
        op.properties = op.properties | {name: i32_attr(number) for name, number in least.items()}

    rewriter.modify(op, change)
    rewriter.erase(following)
    return op


# ---- copies


def copied_cast(op: ops.GatherToLdsOp, rewriter: Rewriter) -> Replacement:
    """A cast that forgets something is not needed."""
    known = {value: source for value in (op.src, op.dst) if (source := said_more(value)) is not None}
    if not known:
        return None
    for value, source in known.items():
        rewriter.use_instead(op, value, source)
    return op


# ---- scales

_TOGETHER: Final = 4
_SCALES: Final = ((3, "scalesIdxA"), (4, "scalesIdxB"))
"""The scales of a product by their operands' numbers, with the properties that say which of them are meant."""


def packed_scales(op: ops.ScaledMfmaOp, rewriter: Rewriter) -> Replacement:
    """
        %s = vector.extract %scales[1, 2] : f8E8M0FNU from vector<4x4xf8E8M0FNU>
        %t = vector.insert %s, … : f8E8M0FNU into vector<4xf8E8M0FNU>
        amdgpu.scaled_mfma … (%t[0] * …
    ->
        %all = vector.shape_cast %scales : vector<4x4xf8E8M0FNU> to vector<16xf8E8M0FNU>
        %t = vector.extract_strided_slice %all {offsets = [4], sizes = [4], strides = [1]} : …
        amdgpu.scaled_mfma … (%t[2] * …
    """
    changed: Replacement = None
    for place, name in _SCALES:
        found = _scale_in(op.operands[place])
        if found is None:
            break
        source, index, total = found
        first = index - index % _TOGETHER
        if total - first < _TOGETHER:
            first = total - _TOGETHER
        assert isinstance(source.type, VectorType)
        element = source.type.element
        flat = rewriter.create("vector.shape_cast", [source], [VectorType((total,), element)]).result
        properties = {
            key: ArrayAttr((i64_attr(number),))
            for key, number in (("offsets", first), ("sizes", _TOGETHER), ("strides", 1))
        }
        part = VectorType((_TOGETHER,), element)
        slice = rewriter.create("vector.extract_strided_slice", [flat], [part], properties).result
        _use(op, place, slice, name, index - first, rewriter)
        changed = op
    return changed


def _use(op: ops.ScaledMfmaOp, place: int, value: Value, name: str, index: int, rewriter: Rewriter) -> None:
    def change() -> None:
        op.set_operand(place, value)
        op.properties = op.properties | {name: i32_attr(index)}

    rewriter.modify(op, change)


def _scale_in(scales: Value) -> tuple[Value, int, int] | None:
    """Of which vector a single scale was taken, its number there, and how many there are."""
    insert = defined_by(scales, InsertOp)
    extract = defined_by(insert.valueToStore, ExtractOp) if insert is not None else None
    if insert is None or extract is None or isinstance(insert.valueToStore.type, VectorType):
        return None
    source = extract.source
    if not isinstance(source.type, VectorType):
        return None
    index, total, position = 0, 1, extract.static_position.values
    if DYNAMIC in position:
        return None
    for number, extent in zip(position, source.type.ranked_shape, strict=True):
        index, total = index * extent + number, total * extent
    return (source, index, total) if total > _TOGETHER else None


_WRITES: Final = ("store", "atomic_fadd", "atomic_fmax", "atomic_smax", "atomic_umin")

CANONICALIZATION: Final = (
    replacing("amdgpu.raw_buffer_load", read_outside, name="RemoveStaticallyOobBufferLoads"),
    replacing("amdgpu.raw_buffer_atomic_cmpswap", read_outside, name="RemoveStaticallyOobBufferLoads"),
    *(
        replacing(f"amdgpu.raw_buffer_{kind}", written_outside, name="RemoveStaticallyOobBufferWrites")
        for kind in _WRITES
    ),
    replacing("amdgpu.lds_barrier", repeated_barrier, name="eraseRedundantLDSBarrierOps"),
    replacing("amdgpu.memory_counter_wait", wait_twice, name="FuseMemoryCounterWaitOp"),
    replacing("amdgpu.gather_to_lds", copied_cast, name="FoldGatherToLDSOfCast"),
    replacing("amdgpu.scaled_mfma", packed_scales, name="PackScales"),
)
