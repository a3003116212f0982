"""Bits in the midst of numbers: offset and count are made as wide as what they are in, and for a vector repeated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, Final

from fathom.ir.types import ShapedType, Type, VectorType, element_width
from fathom.ops import spirv
from fathom.passes.conversions.convert_spirv_to_llvm.common import NO_TYPE, filled
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
            repeated = emit.insert_element(rewriter, repeated, value, emit.i32(rewriter, index))
        value = repeated
    given, wanted = element_width(value.type), element_width(result)
    if given == wanted:
        return value
    return emit.cast(rewriter, "llvm.zext" if given < wanted else "llvm.trunc", value, result)


class _Numbers:
    """Makes numbers of the type that a field is cut out of, or put into."""

    def __init__(self, rewriter: ConversionRewriter, source: Type, type: Type) -> None:
        self.rewriter = rewriter
        self.source = source
        self.type = type

    def constant(self, value: int) -> Value:
        return filled(self.rewriter, self.source, self.type, value)

    def binary(self, name: str, left: Value, right: Value) -> Value:
        return self.rewriter.create(f"llvm.{name}", [left, right], [self.type]).result

    def low(self, count: Value, ones: Value) -> Value:
        """So many of the lowest bits: `~(-1 << %count)`."""
        return self.binary("xor", self.binary("shl", ones, count), ones)


def _of_field(name: str, give: Callable[[Any, Value, Value, _Numbers], Value]) -> Lower:
    """`give(op, offset, count, make)` makes what takes the operation's place; offset and count fit the result."""

    @named(name)
    def lower(
        op: spirv.BitFieldInsertOp | spirv.BitFieldSExtractOp | spirv.BitFieldUExtractOp,
        operands: Sequence[Value],
        rewriter: ConversionRewriter,
        types: LLVMTypeConverter,
    ) -> Failure | None:
        source = op.results[0].type
        result = types.convert(source)
        if result is None:
            return NO_TYPE
        offset = _fitted(op.offset, source, result, rewriter, types)
        count = _fitted(op.count, source, result, rewriter, types)
        if isinstance(offset, Failure) or isinstance(count, Failure):
            return NO_TYPE
        rewriter.replace(op, [give(op, offset, count, _Numbers(rewriter, source, result))])
        return None

    return lower


def _insert(op: spirv.BitFieldInsertOp, offset: Value, count: Value, make: _Numbers) -> Value:
    """
        %r = spirv.BitFieldInsert %base, %insert, %offset, %count
    becomes
        %r = llvm.or (llvm.and %base, %mask), (llvm.shl %insert, %offset)
    where the mask has the bits that are not in the field: `~(~(-1 << %count) << %offset)`.
    """
    ones = make.constant(-1)
    mask = make.binary("xor", make.binary("shl", make.low(count, ones), offset), ones)
    kept = make.binary("and", op.base, mask)
    return make.binary("or", kept, make.binary("shl", op.insert, offset))


def _extract_signed(op: spirv.BitFieldSExtractOp, offset: Value, count: Value, make: _Numbers) -> Value:
    """
        %r = spirv.BitFieldSExtract %base, %offset, %count
    becomes
        %up = llvm.sub %width, (llvm.add %count, %offset)
        %r = llvm.ashr (llvm.shl %base, %up), (llvm.add %offset, %up)
    """
    width = make.constant(element_width(make.source))
    up = make.binary("sub", width, make.binary("add", count, offset))
    shifted = make.binary("shl", op.base, up)
    return make.binary("ashr", shifted, make.binary("add", offset, up))


def _extract_unsigned(op: spirv.BitFieldUExtractOp, offset: Value, count: Value, make: _Numbers) -> Value:
    """
        %r = spirv.BitFieldUExtract %base, %offset, %count
    becomes
        %mask = llvm.xor (llvm.shl -1, %count), -1
        %r = llvm.and (llvm.lshr %base, %offset), %mask
    """
    mask = make.low(count, make.constant(-1))
    return make.binary("and", make.binary("lshr", op.base, offset), mask)


LOWERINGS: Final[dict[str, Lower]] = {
    "spirv.BitFieldInsert": _of_field("BitFieldInsertPattern", _insert),
    "spirv.BitFieldSExtract": _of_field("BitFieldSExtractPattern", _extract_signed),
    "spirv.BitFieldUExtract": _of_field("BitFieldUExtractPattern", _extract_unsigned),
}
