"""Lowers vectors from and to memory. Only vectors of one dimension, or none, are read and written at once.

Source of the rules: *'vector' Dialect*, *LLVM Language Reference*, "Masked Vector Load and Store Intrinsics"; the
operations are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.data_layout import DataLayout
from fathom.dialects.vector.common import rank
from fathom.ir.attributes import TRUE, ArrayAttr, Attribute, IntegerAttr, dict_attr, i32_attr, i64_attr
from fathom.ir.strides import has_unit_stride, is_identity, row_major_strides, strides_and_offset
from fathom.ir.types import DYNAMIC, I64, MemRefType, VectorType
from fathom.ops.vector import CompressstoreOp, ExpandloadOp, TypeCastOp
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import (
    ALIGNED,
    ALLOCATED,
    OFFSET,
    SIZES,
    STRIDES,
    element,
    element_address,
    get,
    put,
    start,
)
from fathom.passes.to_llvm.patterns import Lower, groups
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

Groups = Mapping[str, Sequence["Value"]]

ONE_DIMENSION: Final = Failure("only vectors of one dimension are read and written at once; --convert-vector-to-scf")
UNIT_STRIDE: Final = Failure("the elements of the memref's last dimension do not stand one beside the other")


def memory(vector_alignment: bool) -> dict[str, Lower]:
    """The lowerings; with `vector_alignment`, accesses that state none are aligned as the vector is, else as an
    element of the memref."""
    return {
        "vector.load": _access("result", _load, vector_alignment),
        "vector.maskedload": _access("result", _masked_load, vector_alignment),
        "vector.store": _access("valueToStore", _store, vector_alignment),
        "vector.maskedstore": _access("valueToStore", _masked_store, vector_alignment),
        "vector.gather": named("VectorGatherOpConversion")(_indexed("result", vector_alignment)),
        "vector.scatter": named("VectorScatterOpConversion")(_indexed("valueToStore", vector_alignment)),
        "vector.expandload": expand_load,
        "vector.compressstore": compress_store,
        "vector.type_cast": type_cast,
    }


def _vector(op: Operation, noun: str) -> VectorType:
    type = op.result.type if noun == "result" else op.one_of(noun).type
    assert isinstance(type, VectorType)
    return type


def _base(op: Operation) -> MemRefType | None:
    """The type of what is read or written, if it is a memref with a rank."""
    type = op.one_of("base").type
    return type if isinstance(type, MemRefType) and type.shape is not None else None


def _alignment(op: Operation, types: LLVMTypeConverter, base: MemRefType, vector: VectorType, by_vector: bool) -> int:
    """What the operation states, or else what is preferred."""
    stated = op.attribute("alignment")
    if isinstance(stated, IntegerAttr) and stated.value:
        return stated.value
    converted = types.convert(vector if by_vector else base.element)
    assert converted is not None, "the operands were converted"
    return DataLayout().alignment(converted, preferred=True)


# ---- elements side by side


_Replace = Callable[["Operation", "Groups", "Value", "VectorType", int, "ConversionRewriter"], None]


def _access(noun: str, replace: _Replace, by_vector: bool) -> Lower:
    """
        %0 = vector.load %m[%i] : memref<8xf32>, vector<4xf32>
    ->
        %p = llvm.getelementptr %m[1][%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %0 = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>

    With a mask, `llvm.intr.masked.load`.
    """

    @named("VectorLoadStoreConversion")
    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        vector, base = _vector(op, noun), _base(op)
        converted = types.convert(vector)
        if rank(vector) > 1 or base is None or not isinstance(converted, VectorType):
            return ONE_DIMENSION
        given = groups(op, operands)
        alignment = _alignment(op, types, base, vector, by_vector)
        pointer = element_address(rewriter, types, given["base"][0], base, given["indices"])
        replace(op, given, pointer, converted, alignment, rewriter)
        return None

    return lower


def _aligned(op: Operation, alignment: int) -> dict[str, Attribute]:
    return emit.access(nontemporal=op.attribute("nontemporal") == TRUE, alignment=i64_attr(alignment))


def _load(
    op: Operation, given: Groups, pointer: Value, type: VectorType, alignment: int, rewriter: ConversionRewriter
) -> None:
    rewriter.replace(op, [emit.load(rewriter, type, pointer, _aligned(op, alignment))])


def _store(
    op: Operation, given: Groups, pointer: Value, type: VectorType, alignment: int, rewriter: ConversionRewriter
) -> None:
    emit.store(rewriter, given["valueToStore"][0], pointer, _aligned(op, alignment))
    rewriter.erase(op)


def _masked_load(
    op: Operation, given: Groups, pointer: Value, type: VectorType, alignment: int, rewriter: ConversionRewriter
) -> None:
    operands = [pointer, *given["mask"], *given["pass_thru"]]
    rewriter.replace_with(op, "llvm.intr.masked.load", operands, [type], {"alignment": i32_attr(alignment)})


def _masked_store(
    op: Operation, given: Groups, pointer: Value, type: VectorType, alignment: int, rewriter: ConversionRewriter
) -> None:
    operands = [*given["valueToStore"], pointer, *given["mask"]]
    rewriter.create("llvm.intr.masked.store", operands, (), {"alignment": i32_attr(alignment)})
    rewriter.erase(op)


# ---- elements here and there


def _indexed(noun: str, by_vector: bool) -> Lower:
    """
        %0 = vector.gather %m[%i] [%v], %mask, %p : memref<?xf32>, …
    ->
        %1 = llvm.getelementptr %m[1][%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %2 = llvm.getelementptr %1[%v] : (!llvm.ptr, vector<4xi32>) -> vector<4x!llvm.ptr>, f32
        %0 = llvm.intr.masked.gather %2, %mask, %p {alignment = 4 : i32}
    """

    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        vector, base = _vector(op, noun), _base(op)
        if base is None or types.pointer(base) is None or not has_unit_stride(base):
            return UNIT_STRIDE
        if rank(vector) > 1:
            return ONE_DIMENSION
        given = groups(op, operands)
        alignment = {"alignment": i32_attr(_alignment(op, types, base, vector, by_vector))}
        pointer = element_address(rewriter, types, given["base"][0], base, given["offsets"])
        pointers = emit.gep(
            rewriter,
            pointer,
            element(types, base),
            given["indices"][0],
            type=VectorType(vector.shape, pointer.type, vector.scalable),
        )
        if noun == "result":
            result = types.convert(vector)
            assert result is not None, "the value that passes through was converted"
            operands = [pointers, *given["mask"], *given["pass_thru"]]
            rewriter.replace_with(op, "llvm.intr.masked.gather", operands, [result], alignment)
        else:
            operands = [*given["valueToStore"], pointers, *given["mask"]]
            rewriter.create("llvm.intr.masked.scatter", operands, (), alignment)
            rewriter.erase(op)
        return None

    return lower


# ---- elements of a mask


@named("VectorExpandLoadOpConversion")
def expand_load(
    op: ExpandloadOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`vector.expandload` becomes `llvm.intr.masked.expandload` from the address."""
    given, base, result = groups(op, operands), _base(op), types.convert(op.result.type)
    if base is None or result is None:
        return ONE_DIMENSION
    pointer = element_address(rewriter, types, given["base"][0], base, given["indices"])
    operands = [pointer, *given["mask"], *given["pass_thru"]]
    rewriter.replace_with(op, "llvm.intr.masked.expandload", operands, [result], _argument_alignment(op, 0))
    return None


@named("VectorCompressStoreOpConversion")
def compress_store(
    op: CompressstoreOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`vector.compressstore` becomes `llvm.intr.masked.compressstore` to the address."""
    given, base = groups(op, operands), _base(op)
    if base is None:
        return ONE_DIMENSION
    pointer = element_address(rewriter, types, given["base"][0], base, given["indices"])
    operands = [*given["valueToStore"], pointer, *given["mask"]]
    rewriter.create("llvm.intr.masked.compressstore", operands, (), _argument_alignment(op, 1))
    rewriter.erase(op)
    return None


def _argument_alignment(op: Operation, pointer: int) -> dict[str, Attribute]:
    """The alignment as an attribute of the argument that is the pointer; 1 is what follows from nothing."""
    stated = op.attribute("alignment")
    if not isinstance(stated, IntegerAttr) or stated.value <= 1:
        return {}
    arguments = [dict_attr({"llvm.align": stated} if index == pointer else {}) for index in range(3)]
    return {"arg_attrs": ArrayAttr(tuple(arguments))}


# ---- a memref of vectors


@named("VectorTypeCastOpConversion")
def type_cast(
    op: TypeCastOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The same memory, whose elements are vectors: a descriptor with the pointers of the source, and new sizes."""
    (source,) = operands
    before, after = op.memref.type, op.result.type
    strides = _contiguous_strides(after)
    if strides is None or _contiguous_strides(before) is None or not isinstance(after, MemRefType):
        return Failure("only memory without gaps is seen as vectors")
    if types.convert(after) is None or DYNAMIC in strides:
        return Failure("only a memref of a known shape is seen as vectors")
    made = start(rewriter, types, after)
    for place in (ALLOCATED, ALIGNED):
        made = put(rewriter, made, get(rewriter, source, place), place)
    made = put(rewriter, made, emit.index_constant(rewriter, I64, 0), OFFSET)
    for index, (size, stride) in enumerate(zip(after.ranked_shape, strides, strict=True)):
        made = put(rewriter, made, emit.index_constant(rewriter, I64, size), SIZES, index)
        made = put(rewriter, made, emit.index_constant(rewriter, I64, stride), STRIDES, index)
    rewriter.replace(op, [made])
    return None


def _contiguous_strides(type: object) -> Sequence[int] | None:
    """The strides of a static memref whose elements stand one after the other; None of any other."""
    if not isinstance(type, MemRefType) or not type.has_static_shape:
        return None
    layout = strides_and_offset(type)
    if layout is None or (layout[0] and layout[0][-1] != 1):
        return None
    strides = tuple(layout[0])
    if is_identity(type) or (DYNAMIC not in strides and strides == tuple(row_major_strides(type.ranked_shape))):
        return strides
    return None
