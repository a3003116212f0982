"""Calls of the runtime library, and what operations on GPUs must be to become some."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.gpu.directives import is_async
from fathom.dialects.llvm.types import PTR, VOID, LLVMFunctionType, is_compatible
from fathom.ir.operation import is_module
from fathom.ir.traversal import ancestors
from fathom.ir.types import MemRefType
from fathom.ops.llvm import FuncOp
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.declarations import declared
from fathom.passes.to_llvm.descriptors import ALLOCATED, SIZES, get
from fathom.passes.to_llvm.patterns import groups
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.passes.to_llvm.llvm_types import LLVMTypes
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

NOT_LLVM: Final = Failure("Cannot convert if operands aren't of LLVM type.")
STREAM_CREATE: Final = "mgpuStreamCreate"


def called(rewriter: ConversionRewriter, name: str, arguments: Sequence[Value], result: Type = VOID) -> Operation:
    """A call of a function of the library, which is declared at the end of the module around it."""
    block = rewriter.block
    around = block.parent.parent if block is not None and block.parent is not None else None
    module = next(filter(is_module, (around, *ancestors(around))), None) if around is not None else None
    assert module is not None, "the pass runs on a module"
    if not isinstance(rewriter.symbols_in(module).get(name), FuncOp):
        type = LLVMFunctionType(result, tuple(argument.type for argument in arguments))
        with rewriter.elsewhere():
            (body,) = module.regions[0].blocks
            rewriter.set_insertion_to_end(body)
            declared(rewriter, name, type)
    return emit.call(rewriter, name, arguments, [] if result == VOID else [result])


def handle(rewriter: ConversionRewriter, name: str, arguments: Sequence[Value]) -> Value:
    """The pointer that a function of the library gives."""
    return called(rewriter, name, arguments, PTR).result


def stream_of(op: Operation, operands: Sequence[Value]) -> Value | Failure:
    """The stream of an asynchronous operation that waits for one token, which all its operands' types allow."""
    if not all(is_compatible(operand.type) for operand in operands):
        return NOT_LLVM
    (*dependencies,) = groups(op, operands)["asyncDependencies"]
    if len(dependencies) != 1:
        return Failure("Can only convert with exactly one async dependency.")
    if not is_async(op):
        return Failure("Can convert only async version.")
    return dependencies[0]


def is_plain(type: Type, types: LLVMTypes) -> bool:
    """Whether a memref has a descriptor, and its elements stand one behind the other."""
    return isinstance(type, MemRefType) and type.layout is None and types.convert(type) is not None


def allocated(rewriter: ConversionRewriter, descriptor: Value) -> Value:
    """The pointer that was allocated for a memref."""
    return get(rewriter, descriptor, ALLOCATED)


def element_count(rewriter: ConversionRewriter, types: LLVMTypes, type: MemRefType, descriptor: Value) -> Value:
    """How many elements a memref has."""
    if type.has_static_shape:
        return emit.index_constant(rewriter, types.index, prod(type.ranked_shape))
    count_of = get(rewriter, descriptor, SIZES, 0)
    for dimension in range(1, len(type.ranked_shape)):
        count_of = emit.mul(rewriter, count_of, get(rewriter, descriptor, SIZES, dimension))
    return count_of
