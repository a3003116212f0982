"""Descriptors of tensors that are copied between global and shared memory by themselves: fields in registers.

    %d = amdgpu.make_dma_descriptor %base globalSize [64, %n] globalStride [%s, 1] sharedSize [16, 16] …
->
    four groups of registers of 32 bits: where it is, how large and how it is padded, and for more than two dimensions
    the rest; or the indices of what is gathered.

Source of the rules: MLIR 22, and the instruction set of gfx1250.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.attributes import FALSE, UNIT, DenseArrayAttr, i32_attr
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import I16, I32, I64, MemRefType, Type, VectorType
from fathom.irdl.index_lists import mixed
from fathom.ops import amdgpu as ops
from fathom.passes.conversions.convert_amdgpu_to_rocdl.holdings import EIGHT, FOUR
from fathom.passes.conversions.convert_amdgpu_to_rocdl.target import (
    GFX1250,
    LowerFor,
    binary,
    bitcast,
    refuse,
    width,
)
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import element_address
from fathom.passes.to_llvm.patterns import groups
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.pattern import Failure, Pattern, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.gpu_to_llvm.chipsets import Chipset
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

    Given: TypeAlias = dict[str, list[Value]]
    Described: TypeAlias = ops.MakeDmaDescriptorOp | ops.MakeGatherDmaDescriptorOp


def _with_field(rewriter: ConversionRewriter, register: Value, value: Value, offset: int) -> Value:
    """A register with a field at an offset, of which the bits below 32 count, where it has zeros."""
    if offset % 32:
        value = binary(rewriter, "shl", value, emit.i32(rewriter, offset % 32))
    if integer_constant(register) == 0:
        return value
    return rewriter.create("llvm.or", [register, value], [I32], {"isDisjoint": UNIT}).result


class _Group:
    """Registers that are filled field by field; `small` are the numbers from zero on."""

    def __init__(self, rewriter: ConversionRewriter, small: Sequence[Value], size: int) -> None:
        self.rewriter = rewriter
        self.small = small
        self.registers = [small[0]] * size

    def put(self, register: int, value: Value, offset: int) -> None:
        self.registers[register] = _with_field(self.rewriter, self.registers[register], value, offset)

    def vector(self, type: VectorType) -> Value:
        return _vector(self.rewriter, self.registers, self.small, type)


def _vector(
    rewriter: ConversionRewriter, registers: Sequence[Value], small: Sequence[Value], type: VectorType
) -> Value:
    whole = emit.poison(rewriter, type)
    for register, index in zip(registers, small, strict=False):
        whole = emit.insert_element(rewriter, whole, register, index)
    return whole


# ---- where it is

_HIGH_BITS: Final = 2**25 - 1


@named("AMDGPUMakeDmaBaseLowering")
def base(
    op: ops.MakeDmaBaseOp | ops.MakeGatherDmaBaseOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """Two addresses. Of what is gathered it is said how wide indices are."""
    if chipset < GFX1250:
        return refuse(op, "make_dma_base is only supported on gfx1250")
    given, shared, whole = groups(op, operands), op.lds.type, op.global_.type
    assert isinstance(shared, MemRefType) and isinstance(whole, MemRefType)
    small = [emit.i32(rewriter, value) for value in range(4)]
    group = _Group(rewriter, small, 4)
    group.registers[0] = small[1]
    if isinstance(op, ops.MakeGatherDmaBaseOp):
        group.put(0, small[1], 30)
        index = op.base.type.parameter("indexType") if isinstance(op.base.type, DialectType) else None
        if isinstance(index, Type) and width(index) == I32.width:
            group.put(0, small[1], 31)
    to = element_address(rewriter, types, given["lds"][0], shared, given["lds_indices"])
    start = element_address(rewriter, types, given["global"][0], whole, given["global_indices"])
    group.registers[1] = emit.cast(rewriter, "llvm.ptrtoint", to, I32)
    address = emit.cast(rewriter, "llvm.ptrtoint", start, I64)
    group.registers[2] = emit.cast(rewriter, "llvm.trunc", address, I32)
    high = emit.cast(rewriter, "llvm.trunc", binary(rewriter, "lshr", address, emit.i64(rewriter, 32)), I32)
    group.registers[3] = binary(rewriter, "and", high, emit.i32(rewriter, _HIGH_BITS))
    group.put(3, small[2], 30)
    rewriter.replace(op, [group.vector(FOUR)])
    return None


# ---- what it is like


class _Descriptor:
    """A descriptor that is being made."""

    def __init__(self, op: Described, given: Given, rewriter: ConversionRewriter, types: LLVMTypeConverter) -> None:
        self.op = op
        self.given = given
        self.rewriter = rewriter
        self.types = types
        self.gathers = isinstance(op, ops.MakeGatherDmaDescriptorOp)
        self.small = [emit.i32(rewriter, value) for value in range(8)]
        self.sizes = self._mixed(op.global_static_sizes, "global_dynamic_sizes")
        self.strides = self._mixed(op.global_static_strides, "global_dynamic_strides")
        self.tile = self._mixed(op.shared_static_sizes, "shared_dynamic_sizes")

    def _mixed(self, static: DenseArrayAttr, dynamic: str) -> list[int | Value]:
        """Numbers, the last dimension first."""
        return mixed(static, self.given[dynamic])[::-1]

    def value(self, name: str) -> Value | None:
        return next(iter(self.given[name]), None)

    def word(self, value: Value | int) -> Value:
        if isinstance(value, int):
            return emit.i32(self.rewriter, value)
        return emit.cast(self.rewriter, "llvm.trunc", value, I32)

    # Fields that several groups have.

    def tensor_size(self, group: _Group, register: int, dimension: int, offset: int, *, over_two: bool) -> None:
        """A size, whose upper half may stand in the next register."""
        if len(self.sizes) <= dimension:
            return
        size = self.word(self.sizes[dimension])
        group.put(register, size, offset)
        if over_two:
            half = emit.i32(self.rewriter, 16)
            group.put(register + 1, binary(self.rewriter, "lshr", size, half), offset + 16)

    def tile_size(self, group: _Group, register: int, dimension: int, offset: int) -> None:
        if len(self.tile) > dimension:
            group.put(register, self.word(self.tile[dimension]), offset)

    def stride(self, group: _Group, register: int, dimension: int, offset: int) -> None:
        """48 bits, in two registers; that of the last dimension is 1, and not said."""
        if len(self.strides) <= dimension + 1:
            return
        rewriter, stride = self.rewriter, self.strides[dimension + 1]
        whole = emit.i64(rewriter, stride) if isinstance(stride, int) else stride
        mask = emit.i64(rewriter, 2**48 - 1)
        whole = rewriter.create("llvm.and", [mask, whole], [I64]).result
        group.put(register, emit.cast(rewriter, "llvm.trunc", whole, I32), offset)
        shift = offset % 32 or 32
        rest = binary(rewriter, "lshr", whole, emit.i64(rewriter, shift))
        group.put(register + 1, emit.cast(rewriter, "llvm.trunc", rest, I32), offset + shift)

    # The groups.

    def first(self) -> Value:
        """How large it is, how it is padded, and what goes on at its end."""
        rewriter, op, small = self.rewriter, self.op, self.small
        group = _Group(rewriter, small, 8)
        if op.workgroup_mask is not None:
            mask = emit.cast(rewriter, "llvm.zext", bitcast(rewriter, op.workgroup_mask, I16), I32)
            group.put(0, mask, 0)
        described = op.base.type.parameter("elementType") if isinstance(op.base.type, DialectType) else None
        size = width(described) // 8 if isinstance(described, Type) else 1
        group.put(0, small[size.bit_length() - 1], 16)
        barrier, interval, amount = map(self.value, ("atomic_barrier_address", "pad_interval", "pad_amount"))
        flags = (
            (barrier, 18),
            (self.value("global_increment"), 19),
            (amount, 20),
            (op.workgroup_mask, 21),
        )
        for value, offset in flags:
            if value is not None:
                group.put(0, small[1], offset)
        if amount is not None and interval is not None:
            zeros = rewriter.create("llvm.intr.cttz", [interval], [I32], {"is_zero_poison": FALSE}).result
            group.put(0, emit.sub(rewriter, zeros, small[1]), 22)
            group.put(0, emit.sub(rewriter, amount, small[1]), 25)
        if barrier is not None and op.atomic_barrier_address is not None:
            self._barrier(group, barrier, op.atomic_barrier_address.type)
        self.tensor_size(group, 1, 0, 48, over_two=True)
        self.tensor_size(group, 2, 1, 80, over_two=True)
        self.tile_size(group, 3, 0, 112)
        if isinstance(op, ops.MakeGatherDmaDescriptorOp):
            assert isinstance(op.indices.type, VectorType)
            group.put(4, emit.i32(rewriter, op.indices.type.ranked_shape[-1]), 128)
        else:
            self.tile_size(group, 4, 1, 128)
            self.tile_size(group, 4, 2, 144)
        self.stride(group, 5, 0, 160)
        if not self.gathers:
            self.stride(group, 6, 1, 208)
        return group.vector(EIGHT)

    def _barrier(self, group: _Group, barrier: Value, type: Type) -> None:
        """Where the barrier is in shared memory, in units of 8 bytes."""
        assert isinstance(type, MemRefType)
        rewriter, indices = self.rewriter, self.given["atomic_barrier_indices"]
        address = element_address(rewriter, self.types, barrier, type, indices)
        units = binary(rewriter, "lshr", emit.cast(rewriter, "llvm.ptrtoint", address, I32), self.small[3])
        group.put(1, binary(rewriter, "and", units, emit.i32(rewriter, 0xFFFF)), 32)

    @property
    def is_short(self) -> bool:
        """Whether two groups say all of it."""
        return self.op.lds_increment is None and len(self.sizes) <= 2

    def second(self) -> Value:
        """The third and fourth dimension, or by how much it is moved on each time."""
        rewriter, op = self.rewriter, self.op
        if self.is_short:
            return emit.null(rewriter, FOUR)
        group = _Group(rewriter, self.small, 4)
        self.tensor_size(group, 0, 2, 0, over_two=False)
        shared = self.value("lds_increment")
        if shared is None:
            self.tensor_size(group, 1, 3, 32, over_two=False)
        else:
            group.put(1, shared, 32)
        whole = self.value("global_increment")
        if whole is None:
            self.stride(group, 2, 2, 64)
        else:
            group.put(2, emit.cast(rewriter, "llvm.trunc", whole, I32), 64)
            high = binary(rewriter, "lshr", whole, emit.i64(rewriter, 32))
            group.put(3, emit.cast(rewriter, "llvm.trunc", high, I32), 96)
            group.registers[3] = binary(rewriter, "and", group.registers[3], emit.i32(rewriter, 2**16 - 1))
        times = self.value("iteration_count")
        if op.iteration_count is None or times is None:
            self.tile_size(group, 3, 2, 112)
        else:
            less = emit.sub(rewriter, emit.cast(rewriter, "llvm.trunc", times, I32), self.small[1])
            group.put(3, less, 112)
        return group.vector(FOUR)

    def third(self) -> Value:
        """The last dimensions."""
        if self.is_short:
            return emit.null(self.rewriter, FOUR)
        group = _Group(self.rewriter, self.small, 4)
        self.stride(group, 0, 3, 0)
        self.tensor_size(group, 1, 4, 48, over_two=True)
        self.tile_size(group, 2, 4, 80)
        return group.vector(FOUR)

    def indices(self, half: int) -> Value:
        """Half of the indices of what is gathered; two of 16 bits stand in one register."""
        rewriter, (vector,) = self.rewriter, self.given["indices"]
        assert isinstance(vector.type, VectorType)
        length, is_wide = vector.type.ranked_shape[-1], vector.type.element == I32
        most = 4 if is_wide else 8
        lanes = range(half * most, min(length, (half + 1) * most))
        found: list[Value] = []
        for lane in lanes:
            index = self.small[lane] if lane < len(self.small) else emit.i32(rewriter, lane)
            found.append(emit.extract_element(rewriter, vector, index))
        if not is_wide:
            found = [emit.cast(rewriter, "llvm.zext", value, I32) for value in found]
            if len(found) % 2:
                found.append(self.small[0])
            pairs = zip(found[::2], found[1::2], strict=True)
            found = [_with_field(rewriter, first, second, 16) for first, second in pairs]
        return _vector(rewriter, found, self.small, FOUR)


@named("AMDGPULowerDescriptor")
def describe(
    op: Described,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """See the module."""
    if chipset < GFX1250:
        return refuse(op, "make_dma_descriptor is only supported on gfx1250")
    given = groups(op, operands)
    made = _Descriptor(op, given, rewriter, types)
    first = made.first()
    rest = [made.indices(0), made.indices(1)] if made.gathers else [made.second(), made.third()]
    rewriter.replace(op, [[*given["base"], first, *rest]])
    return None


# ---- copies


def transfers(types: LLVMTypeConverter, chipset: Chipset) -> list[Pattern]:
    """The patterns of copies, which take the four groups of a descriptor."""

    @named("AMDGPUTensorLoadStoreOpLowering")
    def rewrite(op: Operation, operands: Sequence[Sequence[Value]], rewriter: ConversionRewriter) -> Failure | None:
        if chipset < GFX1250:
            return refuse(op, "is only supported on gfx1250")
        loads = isinstance(op, ops.TensorLoadToLdsOp)
        name = "rocdl.tensor.load.to.lds" if loads else "rocdl.tensor.store.from.lds"
        rewriter.replace_with(op, name, operands[0], (), {"cachePolicy": i32_attr(0)})
        return None

    roots = ("amdgpu.tensor_load_to_lds", "amdgpu.tensor_store_from_lds")
    return [Pattern(root, rewrite, types, one_to_many=True) for root in roots]


LOWERINGS: Final[dict[str, LowerFor]] = {
    "amdgpu.make_dma_base": base,
    "amdgpu.make_gather_dma_base": base,
    "amdgpu.make_dma_descriptor": describe,
    "amdgpu.make_gather_dma_descriptor": describe,
}
