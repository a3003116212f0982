"""`bufferization.clone` as an allocation and a copy: part of `convert-bufferization-to-memref`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.memref_casts import are_cast_compatible
from fathom.ir.types import DYNAMIC, INDEX, MemRefType
from fathom.passes.arithmetic import binary, constant
from fathom.passes.buffers import allocate, cast, copy, loop, size_of, store
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def convert_clone(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
    becomes
        %1 = memref.dim %m, %c0 : memref<?xf32>
        %0 = memref.alloc(%1) : memref<?xf32>
        memref.copy %m, %0
    """
    (source,) = operands
    type = op.result.type
    if not isinstance(type, MemRefType):
        return Failure("the result is not a memref")
    made = _unranked(rewriter, source, type) if type.shape is None else _ranked(rewriter, source, type)
    if made is None:
        return Failure(f"what is allocated has no layout, and cannot be cast to '{type}'")
    copy(rewriter, source, made)
    rewriter.replace(op, [made])
    return None


def _ranked(rewriter: Rewriter, source: Value, type: MemRefType) -> Value | None:
    """Memory without a layout, cast to the type if that has one."""
    plain = MemRefType(type.shape, type.element, None, type.space)
    if not are_cast_compatible(plain, type):
        return None
    sizes = [
        create_or_fold(rewriter, "memref.dim", [source, constant(rewriter, position)], INDEX)
        for position, size in enumerate(type.ranked_shape)
        if size == DYNAMIC
    ]
    made = allocate(rewriter, plain, sizes)
    return made if plain == type else cast(rewriter, made, type)


def _unranked(rewriter: Rewriter, source: Value, type: MemRefType) -> Value:
    """The sizes are collected in a loop; as many elements as their product are allocated, and reshaped."""
    zero, one = constant(rewriter, 0), constant(rewriter, 1)
    rank = rewriter.create("memref.rank", [source], [INDEX]).result
    shape = allocate(rewriter, MemRefType((DYNAMIC,), INDEX), [rank], on_stack=True)

    def body(position: Value, carried: Sequence[Value]) -> Sequence[Value]:
        size = size_of(rewriter, source, position)
        store(rewriter, size, shape, position)
        return [binary(rewriter, "muli", carried[0], size)]

    count = loop(rewriter, (zero, rank, one), [one], body).results[0]
    flat = allocate(rewriter, MemRefType((DYNAMIC,), type.element), [count])
    return rewriter.create("memref.reshape", [flat, shape], [type]).result


PATTERNS: Final = (Pattern("bufferization.clone", convert_clone, name="CloneOpConversion"),)
