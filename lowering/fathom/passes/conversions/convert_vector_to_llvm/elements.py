"""Lowers what picks elements and parts of vectors, and what makes vectors of them.

Vectors of several dimensions are nested arrays of vectors: `llvm.extractvalue` and `llvm.insertvalue` get at the
vectors in them, `llvm.extractelement` and `llvm.insertelement` at the elements of one.

Source of the rules: *'vector' Dialect*, *LLVM IR Target*, "Vector Types"; the operations are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMArrayType, is_compatible, struct_of
from fathom.dialects.vector.common import count_of, rank, vector_type
from fathom.ir.property_values import numbers_of
from fathom.ir.types import VectorType
from fathom.irdl.index_lists import mixed
from fathom.ops import vector as ops
from fathom.passes.conversions.convert_vector_to_llvm.building import (
    extract_value,
    index_at,
    position_in_one,
    shuffle,
    zero,
)
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.patterns import Lower, groups
from fathom.rewriting.allowance import too_many_elements, too_many_operations
from fathom.rewriting.folding import known_number
from fathom.rewriting.pattern import Failure, named
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

NO_TYPE: Final = Failure("the result has no type of the LLVM dialect")


# ---- one element or part


@named("VectorExtractOpConversion")
def extract(
    op: ops.ExtractOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %0 = vector.extract %v[1, 2] : f32 from vector<2x4xf32>
    ->
        %a = llvm.extractvalue %v[1] : !llvm.array<2 x vector<4xf32>>
        %2 = llvm.mlir.constant(2 : i64) : i64
        %0 = llvm.extractelement %a[%2 : i64] : vector<4xf32>
    """
    if types.convert(op.result.type) is None:
        return NO_TYPE
    source = groups(op, operands)["source"][0]
    positions = mixed(op.static_position, operands[1:])
    dimensions = rank(op.source.type)
    is_scalar = len(positions) == dimensions
    extracted = source
    if dimensions >= 2:
        outer = _static(positions[:-1] if is_scalar else positions)
        if outer is None:
            return _not_found(op, op.source)
        extracted = extract_value(rewriter, extracted, *outer)
    if is_scalar:
        where = _position_value(rewriter, positions[-1]) if positions else position_in_one(rewriter)
        extracted = emit.extract_element(rewriter, extracted, where)
    rewriter.replace(op, [extracted])
    return None


@named("VectorInsertOpConversion")
def insert(
    op: ops.InsertOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %0 = vector.insert %e, %v[1, 2] : f32 into vector<2x4xf32>
    ->
        %a = llvm.extractvalue %v[1] : !llvm.array<2 x vector<4xf32>>
        %2 = llvm.mlir.constant(2 : i64) : i64
        %b = llvm.insertelement %e, %a[%2 : i64] : vector<4xf32>
        %0 = llvm.insertvalue %b, %v[1] : !llvm.array<2 x vector<4xf32>>
    """
    converted = types.convert(op.result.type)
    if converted is None:
        return NO_TYPE
    stored, dest, *dynamic = operands
    positions = mixed(op.static_position, dynamic)
    is_nested = isinstance(converted, LLVMArrayType)
    is_scalar = len(positions) == rank(op.result.type)
    outer = _static(positions[:-1] if is_scalar else positions)
    if is_nested and outer is None:
        return _not_found(op, op.dest)
    inner = stored
    if is_scalar:
        target = extract_value(rewriter, dest, *outer or ()) if is_nested else dest
        where = _position_value(rewriter, positions[-1]) if positions else position_in_one(rewriter)
        inner = emit.insert_element(rewriter, target, stored, where)
    rewriter.replace(op, [emit.insert(rewriter, dest, inner, *outer or ()) if is_nested else inner])
    return None


def _not_found(op: ops.ExtractOp | ops.InsertOp, whole: Value) -> Failure:
    """Why there is no part of a vector in an array at the positions of an operation: which of them is known, and not in
    its dimension, or else that one is not known."""
    type = vector_type(whole)
    for extent, position in zip(type.ranked_shape, mixed(op.static_position, op.dynamic_position), strict=False):
        number = known_number(position)
        if number is not None and not 0 <= number < extent:
            return Failure(f"position {number} is not in [0, {extent}), so there is no such part of {type}")
    return Failure("a vector in an array is found by a constant position only")


def _static(positions: Sequence[int | Value]) -> list[int] | None:
    numbers = [position for position in positions if isinstance(position, int)]
    return numbers if len(numbers) == len(positions) else None


def _position_value(rewriter: ConversionRewriter, position: int | Value) -> Value:
    return emit.i64(rewriter, position) if isinstance(position, int) else position


@named("VectorScalableExtractOpLowering")
def scalable_extract(
    op: ops.ScalableExtractOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`vector.scalable.extract %v[4]` becomes `llvm.intr.vector.extract %v[4]`."""
    result = types.convert(op.result.type)
    if result is None:
        return NO_TYPE
    rewriter.replace_with(op, "llvm.intr.vector.extract", operands, [result], {"pos": op.pos})
    return None


@named("VectorScalableInsertOpLowering")
def scalable_insert(
    op: ops.ScalableInsertOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`vector.scalable.insert %a, %v[4]` becomes `llvm.intr.vector.insert %a, %v[4]`."""
    part, whole = operands
    rewriter.replace_with(op, "llvm.intr.vector.insert", [whole, part], [whole.type], {"pos": op.pos})
    return None


# ---- all elements


@named("VectorFromElementsLowering")
def from_elements(
    op: ops.FromElementsOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %0 = vector.from_elements %a, %b : vector<2xf32>
    ->
        %p = llvm.mlir.poison : vector<2xf32>
        %1 = llvm.insertelement %a, %p[0]
        %0 = llvm.insertelement %b, %1[1]
    """
    converted = types.convert(op.result.type)
    if rank(op.result.type) > 1 or converted is None:
        return Failure("only vectors of one dimension are made of elements")
    made = emit.poison(rewriter, converted)
    for index, operand in enumerate(operands):
        made = emit.insert_element(rewriter, made, operand, index_at(rewriter, types, index))
    rewriter.replace(op, [made])
    return None


@named("VectorToElementsLowering")
def to_elements(
    op: ops.ToElementsOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """One `llvm.extractelement` for each result that is used."""
    (source,) = operands
    elements: list[Value | Sequence[Value]] = []
    for index, result in enumerate(op.results):
        if not result.uses:
            elements.append(())
            continue
        if not isinstance(source.type, VectorType):
            return Failure("only vectors of one dimension are taken apart")
        elements.append(emit.extract_element(rewriter, source, index_at(rewriter, types, index)))
    rewriter.replace(op, elements)
    return None


@named("VectorBroadcastScalarToNdLowering")
def broadcast(
    op: ops.BroadcastOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A scalar in every element; arrays have the vector of it in every place.

        %0 = vector.broadcast %f : f32 to vector<4xf32>
    ->
        %p = llvm.mlir.poison : vector<4xf32>
        %z = llvm.mlir.constant(0 : i32) : i32
        %1 = llvm.insertelement %f, %p[%z : i32] : vector<4xf32>
        %0 = llvm.shufflevector %1, %p [0, 0, 0, 0] : vector<4xf32>
    """
    (scalar,) = operands
    result = vector_type(op.result)
    if isinstance(op.source.type, VectorType):
        return Failure("a vector that is repeated is lowered before")
    converted = types.convert(result)
    if converted is None or not is_compatible(converted):
        return NO_TYPE
    if not isinstance(converted, LLVMArrayType):
        vector = emit.poison(rewriter, converted)
        first = emit.insert_element(rewriter, vector, scalar, zero(rewriter))
        if (too_many := too_many_elements(op, count_of(result))) is not None:
            return too_many
        # In a vector of one element, that is all.
        if result.shape not in ((), (1,)):
            first = shuffle(rewriter, first, vector, [0] * result.ranked_shape[0])
        rewriter.replace(op, [first])
        return None
    *outer, last = result.ranked_shape
    if (refused := too_many_operations(op, prod(outer)) or too_many_elements(op, last)) is not None:
        return refused
    whole = emit.poison(rewriter, converted)
    inner = converted
    while isinstance(inner, LLVMArrayType):
        inner = inner.element
    vector = emit.poison(rewriter, inner)
    vector = emit.insert_element(rewriter, vector, scalar, zero(rewriter))
    vector = shuffle(rewriter, vector, vector, [0] * last)
    for position in product(*map(range, outer)):
        checkpoint()
        whole = emit.insert(rewriter, whole, vector, *position)
    rewriter.replace(op, [whole])
    return None


# ---- order of elements


@named("VectorShuffleOpConversion")
def shuffle_vectors(
    op: ops.ShuffleOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Vectors of one type are shuffled by `llvm.shufflevector`; others are put together part by part."""
    first, second = operands
    mask = numbers_of(op.mask)
    converted = types.convert(op.result.type)
    if converted is None:
        return NO_TYPE
    dimensions = rank(op.result.type)
    if dimensions <= 1 and op.v1.type == op.v2.type:
        rewriter.replace(op, [shuffle(rewriter, first, second, mask)])
        return None
    if -1 in mask and dimensions > 1:
        return Failure("there is no array whose element is poison")
    extent = vector_type(op.v1).ranked_shape[0]
    if (refused := too_many_operations(op, 4 * len(mask))) is not None:
        return refused
    made = emit.poison(rewriter, converted)
    for place, position in enumerate(mask):
        checkpoint()
        source, at = (first, position) if position < extent else (second, position - extent)
        if dimensions > 1:
            made = emit.insert(rewriter, made, extract_value(rewriter, source, at), place)
        else:
            one = emit.extract_element(rewriter, source, emit.index_constant(rewriter, types.index, at))
            made = emit.insert_element(rewriter, made, one, emit.index_constant(rewriter, types.index, place))
    rewriter.replace(op, [made])
    return None


@named("VectorInterleaveOpLowering")
def interleave(
    op: ops.InterleaveOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %0 = vector.interleave %a, %b : vector<2xf32> -> vector<4xf32>
    ->
        %0 = llvm.shufflevector %a, %b [0, 2, 1, 3] : vector<2xf32>

    Scalable vectors are interleaved by `llvm.intr.vector.interleave2`.
    """
    result = vector_type(op.result)
    converted = types.convert(result)
    if rank(result) != 1 or converted is None:
        return Failure("only vectors of one dimension are interleaved")
    if result.scalable:
        rewriter.replace_with(op, "llvm.intr.vector.interleave2", operands, [converted])
        return None
    if (refused := too_many_elements(op, count_of(result))) is not None:
        return refused
    half = count_of(result) // 2
    mask = [position for i in range(half) for position in (i, half + i)]
    rewriter.replace(op, [shuffle(rewriter, operands[0], operands[1], mask)])
    return None


@named("VectorDeinterleaveOpLowering")
def deinterleave(
    op: ops.DeinterleaveOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %0, %1 = vector.deinterleave %a : vector<4xf32> -> vector<2xf32>
    ->
        %p = llvm.mlir.poison : vector<4xf32>
        %0 = llvm.shufflevector %a, %p [0, 2] : vector<4xf32>
        %1 = llvm.shufflevector %a, %p [1, 3] : vector<4xf32>

    Scalable vectors are taken apart by `llvm.intr.vector.deinterleave2`.
    """
    (source,) = operands
    result = vector_type(op.res1)
    converted = types.convert(result)
    if rank(result) != 1 or converted is None:
        return Failure("only vectors of one dimension are taken apart")
    if result.scalable:
        struct = struct_of(converted, converted)
        both = rewriter.create("llvm.intr.vector.deinterleave2", [source], [struct]).result
        rewriter.replace(op, [emit.extract(rewriter, both, converted, index) for index in (0, 1)])
        return None
    count = count_of(vector_type(op.source))
    if (refused := too_many_elements(op, count)) is not None:
        return refused
    poison = emit.poison(rewriter, source.type)
    rewriter.replace(op, [shuffle(rewriter, source, poison, range(start, count, 2)) for start in (0, 1)])
    return None


# ---- computed element by element


@named("VectorBitCastOpConversion")
def bitcast(
    op: ops.BitcastOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`vector.bitcast` of one dimension becomes `llvm.bitcast`."""
    result = types.convert(op.result.type)
    if rank(op.result.type) > 1 or result is None:
        return Failure("only vectors of one dimension are cast")
    rewriter.replace_with(op, "llvm.bitcast", operands, [result])
    return None


@named("VectorFMAOp1DConversion")
def fma(
    op: ops.FmaOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`vector.fma` of one dimension becomes `llvm.intr.fmuladd`."""
    if rank(op.result.type) > 1:
        return Failure("only vectors of one dimension are multiplied and added")
    rewriter.replace_with(op, "llvm.intr.fmuladd", operands, [operands[0].type])
    return None


@named("VectorScalableStepOpLowering")
def step(
    op: ops.StepOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`vector.step` of a scalable vector becomes `llvm.intr.stepvector`."""
    result = types.convert(op.result.type)
    if not vector_type(op.result).scalable or result is None:
        return Failure("the steps of a vector of fixed length are a constant")
    rewriter.replace_with(op, "llvm.intr.stepvector", (), [result])
    return None


@named("OneToOneConvertToLLVMPattern")
def vscale(
    op: ops.VscaleOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`vector.vscale` becomes `llvm.intr.vscale`."""
    rewriter.replace_with(op, "llvm.intr.vscale", (), [types.index], attributes=op.attributes)
    return None


ELEMENTS: Final[dict[str, Lower]] = {
    "vector.bitcast": bitcast,
    "vector.broadcast": broadcast,
    "vector.deinterleave": deinterleave,
    "vector.extract": extract,
    "vector.fma": fma,
    "vector.from_elements": from_elements,
    "vector.insert": insert,
    "vector.interleave": interleave,
    "vector.scalable.extract": scalable_extract,
    "vector.scalable.insert": scalable_insert,
    "vector.shuffle": shuffle_vectors,
    "vector.step": step,
    "vector.to_elements": to_elements,
    "vector.vscale": vscale,
}
