"""Bits in the midst of numbers: offset and count are made as wide as what they are in, and for a vector repeated."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.ir.types import ShapedType, Type, VectorType, element_width
from fathom.ops import spirv
from fathom.passes.conversions.convert_spirv_to_llvm.common import NO_TYPE, filled, number
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def _fitted(
    value: Value, source: Type, result: Type, rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Value | Failure:
    """An offset or a count as a value of the type `result`, which `source` becomes."""
    if isinstance(source, ShapedType):
        count = prod(source.ranked_shape)
        type = types.convert(VectorType((count,), value.type))
        if type is None:
            return NO_TYPE
        repeated = emit.poison(rewriter, type)
        for index in range(count):
            position = number(rewriter, index)
            repeated = rewriter.create("llvm.insertelement", [repeated, value, position], [type]).result
        value = repeated
    given, wanted = element_width(value.type), element_width(result)
    if given == wanted:
        return value
    return emit.cast(rewriter, "llvm.zext" if given < wanted else "llvm.trunc", value, result)


def _binary(rewriter: ConversionRewriter, name: str, left: Value, right: Value, type: Type) -> Value:
    return rewriter.create(f"llvm.{name}", [left, right], [type]).result


@named("BitFieldInsertPattern")
def _insert(
    op: spirv.BitFieldInsertOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %r = spirv.BitFieldInsert %base, %insert, %offset, %count
    becomes
        %r = llvm.or (llvm.and %base, %mask), (llvm.shl %insert, %offset)
    where the mask has the bits that are not in the field: `~(~(-1 << %count) << %offset)`.
    """
    source = op.results[0].type
    result = types.convert(source)
    if result is None:
        return NO_TYPE
    offset = _fitted(op.offset, source, result, rewriter, types)
    count = _fitted(op.count, source, result, rewriter, types)
    if isinstance(offset, Failure) or isinstance(count, Failure):
        return NO_TYPE
    ones = filled(rewriter, source, result, -1)
    low = _binary(rewriter, "xor", _binary(rewriter, "shl", ones, count, result), ones, result)
    mask = _binary(rewriter, "xor", _binary(rewriter, "shl", low, offset, result), ones, result)
    kept = _binary(rewriter, "and", op.base, mask, result)
    inserted = _binary(rewriter, "shl", op.insert, offset, result)
    rewriter.replace(op, [_binary(rewriter, "or", kept, inserted, result)])
    return None


@named("BitFieldSExtractPattern")
def _extract_signed(
    op: spirv.BitFieldSExtractOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %r = spirv.BitFieldSExtract %base, %offset, %count
    becomes
        %up = llvm.sub %width, (llvm.add %count, %offset)
        %r = llvm.ashr (llvm.shl %base, %up), (llvm.add %offset, %up)
    """
    source = op.results[0].type
    result = types.convert(source)
    if result is None:
        return NO_TYPE
    offset = _fitted(op.offset, source, result, rewriter, types)
    count = _fitted(op.count, source, result, rewriter, types)
    if isinstance(offset, Failure) or isinstance(count, Failure):
        return NO_TYPE
    width = filled(rewriter, source, result, element_width(source))
    up = _binary(rewriter, "sub", width, _binary(rewriter, "add", count, offset, result), result)
    shifted = _binary(rewriter, "shl", op.base, up, result)
    down = _binary(rewriter, "add", offset, up, result)
    rewriter.replace(op, [_binary(rewriter, "ashr", shifted, down, result)])
    return None


@named("BitFieldUExtractPattern")
def _extract_unsigned(
    op: spirv.BitFieldUExtractOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %r = spirv.BitFieldUExtract %base, %offset, %count
    becomes
        %mask = llvm.xor (llvm.shl -1, %count), -1
        %r = llvm.and (llvm.lshr %base, %offset), %mask
    """
    source = op.results[0].type
    result = types.convert(source)
    if result is None:
        return NO_TYPE
    offset = _fitted(op.offset, source, result, rewriter, types)
    count = _fitted(op.count, source, result, rewriter, types)
    if isinstance(offset, Failure) or isinstance(count, Failure):
        return NO_TYPE
    ones = filled(rewriter, source, result, -1)
    mask = _binary(rewriter, "xor", _binary(rewriter, "shl", ones, count, result), ones, result)
    shifted = _binary(rewriter, "lshr", op.base, offset, result)
    rewriter.replace(op, [_binary(rewriter, "and", shifted, mask, result)])
    return None


LOWERINGS: Final[dict[str, Lower]] = {
    "spirv.BitFieldInsert": _insert,
    "spirv.BitFieldSExtract": _extract_signed,
    "spirv.BitFieldUExtract": _extract_unsigned,
}
