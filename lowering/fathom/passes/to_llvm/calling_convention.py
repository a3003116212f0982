"""How values pass between functions of the LLVM dialect: operands taken apart, results put together.

    memref argument   ->  allocated, aligned, offset, sizes…, strides…      (or one pointer, by the bare convention)
    unranked memref   ->  rank, pointer to a ranked descriptor
    several results   ->  one struct

The ranked descriptor behind an unranked memref lives on the stack of the function that made it. So a function that
returns one copies the descriptor to the heap, and its caller copies it to its own stack and frees it.
Source of the rules: *LLVM IR Target*, "Calling Conventions".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import PTR, LLVMStructType
from fathom.ir.operation import types_of
from fathom.ir.types import I8, MemRefType, Type
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import (
    ALIGNED,
    ALLOCATED,
    RANK,
    RANKED_DESCRIPTOR,
    descriptor_from_pointer,
    get,
    unpack_descriptor,
    unranked_size,
)
from fathom.passes.to_llvm.runtime_functions import declare
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

BARE_POINTER: Final = "llvm.bareptr"
"""The attribute that asks for the bare convention for one function."""


def uses_bare_pointers(function: Operation | None, types: LLVMTypeConverter) -> bool:
    """Whether the option of the pass or the function's own attribute asks for bare pointers."""
    asked = function is not None and BARE_POINTER in function.attributes
    return asked or types.options.use_bare_ptr_memref_call_conv


def passed(
    operands: Sequence[Value], originals: Sequence[Value], rewriter: ConversionRewriter, *, bare: bool
) -> list[Value]:
    """The arguments of a call: memrefs as the fields of their descriptors, or as their aligned pointers."""
    arguments: list[Value] = []
    for value, original in zip(operands, originals, strict=True):
        if not isinstance(original.type, MemRefType):
            arguments.append(value)
        elif bare:
            arguments.append(get(rewriter, value, ALIGNED))
        else:
            arguments += unpack_descriptor(rewriter, value, original.type)
    return arguments


def taken_apart(results: Sequence[Value], count: int, rewriter: ConversionRewriter) -> list[Value]:
    """The results of a call that gives `count` of them in one struct, if they are more than one."""
    if count < 2:
        return list(results)
    (struct,) = results
    assert isinstance(struct.type, LLVMStructType)
    return [emit.extract(rewriter, struct, struct.type.field(i), i) for i in range(count)]


def received(
    call: Operation,
    results: Sequence[Value],
    result_types: Sequence[Type],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    *,
    bare: bool,
) -> list[Value] | Failure:
    """The converted results of a call: bare pointers become descriptors, unranked descriptors move to this stack."""
    if not bare:
        return copied(call, results, result_types, rewriter, types, to_heap=False)
    return [
        descriptor_from_pointer(rewriter, types, type, value) if isinstance(type, MemRefType) else value
        for value, type in zip(results, result_types, strict=True)
    ]


def returned(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter, *, bare: bool
) -> list[Value] | Failure:
    """What a function returns: bare pointers, or unranked descriptors on the heap."""
    originals = [operand.type for operand in op.operands]
    if not bare:
        return copied(op, operands, originals, rewriter, types, to_heap=True)
    if any(isinstance(type, MemRefType) and type.shape is None for type in originals):
        return Failure("a bare pointer cannot stand for an unranked memref")
    return [
        get(rewriter, value, ALLOCATED) if types.can_be_bare_pointer(type) else value
        for value, type in zip(operands, originals, strict=True)
    ]


def return_instead(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter, *, bare: bool
) -> Failure | None:
    """Several results are packed into a struct.

        func.return %a, %b : i32, f32
    ->
        %s = { %a, %b }
        llvm.return %s : !llvm.struct<(i32, f32)>
    """
    values = returned(op, operands, rewriter, types, bare=bare)
    if isinstance(values, Failure):
        return values
    if len(values) > 1:
        packed = types.pack_results(types_of(op.operands), bare=bare)
        if packed is None:
            return Failure("a result has no LLVM type")
        struct = emit.poison(rewriter, packed)
        for i, value in enumerate(values):
            struct = emit.insert(rewriter, struct, value, i)
        values = [struct]
    rewriter.replace_with(op, "llvm.return", values, (), {}, op.attributes)
    return None


def copied(
    user: Operation,
    values: Sequence[Value],
    originals: Sequence[Type],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    *,
    to_heap: bool,
) -> list[Value] | Failure:
    """The values, those that were unranked memrefs with their ranked descriptors copied.

    To the heap by `malloc`; or to the stack, and then the one on the heap is freed.
    """
    result: list[Value] = []
    for value, type in zip(values, originals, strict=True):
        if not isinstance(type, MemRefType) or type.shape is not None:
            result.append(value)
            continue
        if to_heap:
            function = declare(rewriter, user, "malloc", [types.index], PTR, renamed=False)
        else:
            function = declare(rewriter, user, "free", [PTR], renamed=False)
        if isinstance(function, Failure):
            return function
        size = unranked_size(rewriter, types, value, type)
        if to_heap:
            memory = emit.call(rewriter, function, [size], [PTR]).result
        else:
            memory = emit.alloca(rewriter, I8, size)
        source = get(rewriter, value, RANKED_DESCRIPTOR)
        emit.memcpy(rewriter, memory, source, size)
        if not to_heap:
            emit.call(rewriter, function, [source])
        result.append(_with_pointer(rewriter, value, memory))
    return result


def _with_pointer(rewriter: ConversionRewriter, descriptor: Value, pointer: Value) -> Value:
    """An unranked descriptor of the same rank that points to `pointer`."""
    struct = emit.poison(rewriter, descriptor.type)
    struct = emit.insert(rewriter, struct, get(rewriter, descriptor, RANK), RANK)
    return emit.insert(rewriter, struct, pointer, RANKED_DESCRIPTOR)
