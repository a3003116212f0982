"""`math.sincos`: a function of the device library that writes both results to memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import PTR, VOID, LLVMFunctionType
from fathom.ir.traversal import ancestors
from fathom.irdl.traits import AUTOMATIC_ALLOCATION_SCOPE as SCOPE
from fathom.passes.gpu_to_llvm.device_calls import Functions, library_function, widened
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.math import SincosOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_FUNCTIONS: Final = Functions("__nv_sincosf", "__nv_sincos", "__nv_fast_sincosf")


@named("SincosOpLowering")
def sincos(
    op: SincosOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %s, %c = math.sincos %a : f32
    becomes
        %p = llvm.alloca 1 x f32,  %q = llvm.alloca 1 x f32
        llvm.call @__nv_sincosf(%a, %p, %q)
        %s = llvm.load %p,  %c = llvm.load %q
    """
    (given,) = operands
    value = widened(given, rewriter)
    name = _FUNCTIONS.of(value.type, op)
    if not name:
        return Failure("unsupported operand type for sincos")
    scope = next((each for each in ancestors(op) if each.definition and each.definition.has(SCOPE)), None)
    entry = scope.regions[0].first if scope is not None else None
    if entry is None:
        return Failure("it stands in nothing that frees memory at its end")
    with rewriter.elsewhere():
        rewriter.set_insertion_to_start(entry)
        one = emit.i32(rewriter, 1)
        pointers = [emit.alloca(rewriter, value.type, one) for _ in range(2)]
    function = library_function(op, name, LLVMFunctionType(VOID, (value.type, PTR, PTR)), rewriter)
    emit.call(rewriter, function, [value, *pointers])
    results = [emit.load(rewriter, value.type, pointer) for pointer in pointers]
    if value is not given:
        results = [emit.cast(rewriter, "llvm.fptrunc", result, given.type) for result in results]
    rewriter.replace(op, results)
    return None
