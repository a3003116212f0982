"""Values taken apart into registers of 32 bits, and put together again, for instructions that move between lanes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from fathom.ir.types import I32, FloatType, IntegerType, VectorType
from fathom.passes.to_llvm import emit

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_PART = 32


def bits_of(type: Type) -> int | None:
    """How many bits a number or a vector of numbers has; None for anything else."""
    match type:
        case FloatType() | IntegerType():
            return type.width
        case VectorType():
            inner = bits_of(type.element)
            return None if inner is None else inner * prod(type.ranked_shape)
        case _:
            return None


def taken_apart(value: Value, rewriter: ConversionRewriter) -> list[Value] | None:
    """A value as numbers of 32 bits, the first of which holds the lowest; a smaller one is one of them. None for one
    whose bits are no multiple of 32."""
    bits = bits_of(value.type)
    if value.type == I32:
        return [value]
    if bits is None or (bits > _PART and bits % _PART):
        return None
    if bits == _PART:
        return [emit.cast(rewriter, "llvm.bitcast", value, I32)]
    if bits < _PART:
        return [emit.cast(rewriter, "llvm.zext", _as(value, IntegerType(bits), rewriter), I32)]
    count = bits // _PART
    vector = emit.cast(rewriter, "llvm.bitcast", value, VectorType((count,), I32))
    parts: list[Value] = []
    for number in range(count):
        index = emit.i32(rewriter, number)
        parts.append(emit.extract_element(rewriter, vector, index))
    return parts


def put_together(parts: Sequence[Value], type: Type, rewriter: ConversionRewriter) -> Value:
    """The value of a type that was taken apart."""
    if len(parts) > 1:
        vector = VectorType((len(parts),), I32)
        whole = emit.poison(rewriter, vector)
        for number, part in enumerate(parts):
            index = emit.i32(rewriter, number)
            whole = emit.insert_element(rewriter, whole, part, index)
        return _as(whole, type, rewriter)
    bits = bits_of(type) or _PART
    part = parts[0] if bits >= _PART else emit.cast(rewriter, "llvm.trunc", parts[0], IntegerType(bits))
    return _as(part, type, rewriter)


def _as(value: Value, type: Type, rewriter: ConversionRewriter) -> Value:
    return value if value.type == type else emit.cast(rewriter, "llvm.bitcast", value, type)
