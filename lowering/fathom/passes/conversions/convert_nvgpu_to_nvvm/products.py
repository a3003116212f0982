"""Products of small matrices that the threads of a warp hold together, and what they load for them; reciprocals.

Fragments are vectors of two dimensions, whose rows are registers: arrays of vectors in the LLVM dialect. The
instructions take and give registers one by one.

    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, …) -> vector<2x2xf16>
->
    %s = nvvm.mma.sync A[%a[0], %a[1], %a[2], %a[3]] B[…] C[…] … -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
    %d = [%s[0], %s[1]] : !llvm.array<2 x vector<2xf16>>
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType, struct_of
from fathom.dialects.nvvm import case
from fathom.ir.attributes import Attribute, IntegerAttr, i64_attr
from fathom.ir.types import (
    F16,
    F32,
    F64,
    I16,
    I32,
    I64,
    IntegerType,
    MemRefType,
    Type,
    VectorType,
    element_type,
    signless,
)
from fathom.irdl.build import segment_sizes
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import element_address
from fathom.passes.to_llvm.elementwise import for_each_vector
from fathom.passes.to_llvm.patterns import groups
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops import nvgpu as ops
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_FACTORS: Final[dict[Type, str]] = {signless(4): "s4", signless(8): "s8", F16: "f16", F32: "tf32", F64: "f64"}
_SUMS: Final[dict[Type, str]] = {F16: "f16", F32: "f32", F64: "f64"}


def _vector(size: int, element: Type) -> VectorType:
    return VectorType((size,), element)


_PACKED: Final = (_vector(4, signless(8)), _vector(8, signless(4)))
"""Rows that an instruction takes as a number of 32 bits."""
_ONE_FLOAT: Final = _vector(1, F32)
_WHOLE: Final = (_vector(2, F16), _ONE_FLOAT)
"""Rows that an instruction gives as they are."""
_HALVED: Final = (_vector(2, I32), _vector(2, F64), _vector(2, F32))
"""Rows that it gives number by number."""


def _registers(rewriter: ConversionRewriter, fragment: Value, kind: str) -> list[Value]:
    """A fragment as the instruction takes it. `kind` is that of the factors."""
    array = fragment.type
    assert isinstance(array, LLVMArrayType)
    taken: list[Value] = []
    for row in range(array.size):
        value = emit.extract(rewriter, fragment, array.element, row)
        if array.element in _PACKED or (array.element == _ONE_FLOAT and kind == "tf32"):
            taken.append(emit.cast(rewriter, "llvm.bitcast", value, I32))
        elif isinstance(array.element, VectorType) and array.element.element in (I32, F32, F64):
            taken += [_element(rewriter, value, i64_attr(lane)) for lane in range(array.element.ranked_shape[0])]
        else:
            taken.append(value)
    return taken


def _element(rewriter: ConversionRewriter, vector: Value, lane: IntegerAttr) -> Value:
    return emit.extract_element(rewriter, vector, emit.constant(rewriter, I64, lane))


def _given(array: LLVMArrayType) -> Type:
    """What the instruction gives for a fragment of this type."""
    row = array.element
    if row not in (*_WHOLE, *_HALVED) or not isinstance(row, VectorType):
        return array
    if row == _vector(2, F64):
        return struct_of(F64, F64)
    each = row if row == _vector(2, F16) else row.element
    return struct_of(*[each] * (array.size * (1 if row in _WHOLE else 2)))


def _fragment(rewriter: ConversionRewriter, result: Value, array: LLVMArrayType) -> Value:
    """The fragment made of what the instruction gave."""
    row, struct = array.element, result.type
    rows: list[Value] = []
    if isinstance(struct, LLVMStructType) and row in _WHOLE:
        for index, type in enumerate(struct.body or ()):
            value = emit.extract(rewriter, result, type, index)
            rows.append(value if type == row else emit.cast(rewriter, "llvm.bitcast", value, row))
    elif isinstance(struct, LLVMStructType):
        for index in range(len(struct.body or ()) // 2):
            vector = emit.poison(rewriter, row)
            places = (2 * index, 2 * index + 1)
            halves = [emit.extract(rewriter, result, struct.field(place), place) for place in places]
            for lane, half in enumerate(halves):
                number = emit.i32(rewriter, lane)
                vector = emit.insert_element(rewriter, vector, half, number)
            rows.append(vector)
    whole = emit.poison(rewriter, array)
    for index, value in enumerate(rows):
        whole = emit.insert(rewriter, whole, value, index)
    return whole


# ---- products


def _kinds(op: ops.MmaSyncOp | ops.MmaSpSyncOp) -> tuple[str, str] | Failure:
    """The kinds of the factors and of the sum."""
    factor, total = element_type(op.matrixA.type), element_type(op.matrixC.type)
    if isinstance(factor, IntegerType):
        factor = signless(factor.width)
    if factor not in _FACTORS:
        return Failure(f"'{op.name}' op failed to deduce operand PTX types", said_of=op)
    kind = "s32" if isinstance(total, IntegerType) else _SUMS.get(total)
    if kind is None:
        return Failure("could not infer the PTX type for the accumulator/result", said_of=op)
    return _FACTORS[factor], kind


def _needs_tf32(op: ops.MmaSyncOp | ops.MmaSpSyncOp) -> bool:
    """Whether floats of 32 bits are multiplied, for which there is no instruction."""
    return element_type(op.matrixA.type) == F32 and op.tf32Enabled is None


NOT_EXACT: Final = Failure("floats of 32 bits are multiplied only where the operation says `tf32Enabled`")


def _extents(op: ops.MmaSyncOp | ops.MmaSpSyncOp) -> list[int]:
    """The shape of a product; zeros where it is not one of three extents."""
    extents = [extent.value for extent in op.mmaShape.elements if isinstance(extent, IntegerAttr)]
    return extents if len(extents) == 3 else [0, 0, 0]


@named("MmaSyncOptoNVVM")
def multiply(
    op: ops.MmaSyncOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """See the module. Sums of integers stay within their bounds."""
    if _needs_tf32(op):
        return NOT_EXACT
    kinds, array = _kinds(op), types.convert(op.res.type)
    if isinstance(kinds, Failure):
        return kinds
    if not _are_fragments(operands) or not isinstance(array, LLVMArrayType):
        return Failure("its operands and results are no vectors of two dimensions")
    parts = [_registers(rewriter, fragment, kind) for fragment, kind in zip(operands, _by_operand(kinds), strict=True)]
    m, n, k = _extents(op)
    properties: dict[str, Attribute] = {
        "shape": _shape("MMAShapeAttr", m=m, n=n, k=k),
        "layoutA": case("MMALayoutAttr", "row"),
        "layoutB": case("MMALayoutAttr", "col"),
        "multiplicandAPtxType": case("MMATypesAttr", kinds[0]),
        "multiplicandBPtxType": case("MMATypesAttr", kinds[0]),
        "operandSegmentSizes": segment_sizes(*map(len, parts)),
    }
    if isinstance(element_type(op.matrixA.type), IntegerType):
        properties["intOverflowBehavior"] = case("MMAIntOverflowAttr", "satfinite")
    made = rewriter.create("nvvm.mma.sync", [each for part in parts for each in part], [_given(array)], properties)
    rewriter.replace(op, [_fragment(rewriter, made.result, array)])
    return None


def _are_fragments(values: Sequence[Value]) -> bool:
    return all(isinstance(value.type, LLVMArrayType) for value in values[:3])


def _by_operand(kinds: tuple[str, str]) -> tuple[str, str, str]:
    return kinds[0], kinds[0], kinds[1]


def _shape(name: str, **extents: int) -> Attribute:
    return own_description("nvvm").attributes[name].make_attribute(**extents)


_METADATA: Final = _vector(2, I16)


@named("NVGPUMmaSparseSyncLowering")
def multiply_sparse(
    op: ops.MmaSpSyncOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """LLVM has no intrinsic for a product with a matrix half of which is zero: it is inline assembly."""
    kinds, array = _kinds(op), types.convert(op.res.type)
    if isinstance(kinds, Failure):
        return kinds
    if _needs_tf32(op):
        return NOT_EXACT
    if not _are_fragments(operands) or not isinstance(array, LLVMArrayType):
        return Failure("its operands and results are no vectors of two dimensions")
    *fragments, metadata = operands
    parts = [_registers(rewriter, part, kind) for part, kind in zip(fragments, _by_operand(kinds), strict=True)]
    if metadata.type != _METADATA:
        message = f"'{op.name}' op Expected metadata type to be LLVM VectorType of 2 i16 elements"
        return Failure(message, said_of=op)
    described = emit.cast(rewriter, "llvm.bitcast", metadata, I32)
    first, second, total = map(len, parts)
    text = _sparse_text(op, kinds, (total, first, second, total))
    constraints = ",".join(["=r"] * total + ["r"] * (first + second + total + 1))
    taken = [*(each for part in parts for each in part), described]
    made = emit.inline_asm(rewriter, text, constraints, taken, [_given(array)])
    rewriter.replace(op, [_fragment(rewriter, made.result, array)])
    return None


def _sparse_text(op: ops.MmaSpSyncOp, kinds: tuple[str, str], sizes: Sequence[int]) -> str:
    """The instruction, with the registers of the result, the factors and the summand."""
    m, n, k = _extents(op)
    factor, total = kinds
    overflow = "satfinite." if isinstance(element_type(op.matrixA.type), IntegerType) else ""
    name = f"mma.sp.sync.aligned.m{m}n{n}k{k}.row.col.{overflow}{total}.{factor}.{factor}.{total}"
    lists, start = "", 0
    for size in sizes:
        lists += "{" + ",".join(f"${register}" for register in range(start, start + size)) + "},"
        start += size
    return f"{name} {lists}${start},0x{op.sparsitySelector.value};"


# ---- loads


@named("MmaLdMatrixOpToNVVM")
def load(
    op: ops.LdmatrixOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Each thread gets registers of 32 bits, which are the rows of its fragment."""
    result, memory, array = op.res.type, op.srcMemref.type, types.convert(op.res.type)
    if not isinstance(memory, MemRefType) or not isinstance(result, VectorType) or not isinstance(array, LLVMArrayType):
        return Failure("it does not load a vector of two dimensions from memory with a rank")
    given = groups(op, operands)
    rows, row = result.ranked_shape[0], _vector(result.ranked_shape[1], result.element)
    pointer = element_address(rewriter, types, given["srcMemref"][0], memory, given["indices"])
    properties: dict[str, Attribute] = {
        "num": op.numTiles,
        "layout": case("MMALayoutAttr", "col" if op.transpose.value else "row"),
        "shape": _shape("LdStMatrixShapeAttr", m=8, n=8),
        "eltType": case("LdStMatrixEltTypeAttr", "b16"),
    }
    loaded = rewriter.create("nvvm.ldmatrix", [pointer], [struct_of(*[I32] * rows) if rows > 1 else I32], properties)
    whole = emit.poison(rewriter, array)
    for index in range(rows):
        register = emit.extract(rewriter, loaded.result, I32, index) if rows > 1 else loaded.result
        whole = emit.insert(rewriter, whole, emit.cast(rewriter, "llvm.bitcast", register, row), index)
    rewriter.replace(op, [whole])
    return None


# ---- reciprocals


@named("NVGPURcpOpLowering")
def reciprocal(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Of each element, nearly."""
    type = op.operands[0].type
    lanes = prod(type.ranked_shape) if isinstance(type, VectorType) else 0
    if (refused := too_many_operations(op, 4 * lanes)) is not None:
        return refused

    def of_vector(type: Type, values: Sequence[Value]) -> Value:
        assert isinstance(type, VectorType)
        result = emit.poison(rewriter, type)
        for lane in range(type.ranked_shape[0]):
            index = emit.i64(rewriter, lane)
            element = emit.extract_element(rewriter, values[0], index)
            inverse = rewriter.create("nvvm.rcp.approx.ftz.f", [element], [F32]).result
            result = emit.insert_element(rewriter, result, inverse, index)
        return result

    return for_each_vector(op, operands, of_vector, rewriter)


LOWERINGS: Final[dict[str, Lower]] = {
    "nvgpu.mma.sync": multiply,
    "nvgpu.ldmatrix": load,
    "nvgpu.mma.sp.sync": multiply_sparse,
    "nvgpu.rcp": reciprocal,
}
