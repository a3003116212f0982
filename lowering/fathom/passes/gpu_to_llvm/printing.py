"""`gpu.printf`: by what each runtime library offers for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import PTR, LLVMPointerType, struct_of
from fathom.ir.attributes import TypeAttr, i64_attr
from fathom.ir.types import F64, I32, I64, FloatType, IntegerType
from fathom.passes.gpu_to_llvm.texts import outside, string_constant
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.declarations import function_of
from fathom.passes.to_llvm.runtime_functions import nearest_symbol_table
from fathom.rewriting.pattern import named
from fathom.text.encodings import utf8

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.gpu import PrintfOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_FORMAT: Final = "printfFormat_"
_AT_ONCE: Final = 7
"""How many numbers a call of `__ockl_printf_append_args` takes."""


@named("GPUPrintfOpToVPrintfLowering")
def vprintf(op: PrintfOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter) -> None:
    """
        gpu.printf "%d", %a : i32
    becomes
        %f = llvm.mlir.addressof @printfFormat_0
        %s = llvm.alloca 1 x !llvm.struct<(i32)>,  llvm.store %a, %s[0, 0]
        llvm.call @vprintf(%f, %s)
    """
    table, where = nearest_symbol_table(op), outside(rewriter.location)
    function = function_of(rewriter, table, "vprintf", [PTR, PTR], I32, location=where)
    text = string_constant(rewriter, table, _FORMAT, op.format.value, location=where)
    values = [
        emit.cast(rewriter, "llvm.fpext", value, F64) if isinstance(value.type, FloatType) else value
        for value in operands
    ]
    struct = struct_of(*(value.type for value in values))
    memory = emit.alloca(rewriter, struct, emit.index_constant(rewriter, I64, 1))
    for number, value in enumerate(values):
        emit.store(rewriter, value, emit.gep(rewriter, memory, struct, 0, number))
    emit.call(rewriter, function.sym_name.value, [text, memory], [I32])
    rewriter.erase(op)


def printf(space: int) -> Lower:
    """`gpu.printf "%d", %a : i32` becomes `llvm.call @printf(%format, %a)`; texts lie in this address space."""

    @named("GPUPrintfOpToLLVMCallLowering")
    def lower(op: PrintfOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter) -> None:
        table, pointer = nearest_symbol_table(op), LLVMPointerType(space)
        function = function_of(rewriter, table, "printf", [pointer], I32, varargs=True)
        text = string_constant(rewriter, table, _FORMAT, op.format.value, space=space)
        properties = {"var_callee_type": TypeAttr(function.function_type.type)}
        emit.call(rewriter, "printf", [text, *operands], [I32], properties)
        rewriter.erase(op)

    return lower


@named("GPUPrintfOpToHIPLowering")
def hip_printf(op: PrintfOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter) -> None:
    """A text is begun, the format is appended, and then the numbers, seven at a time, each as 64 bits."""
    table = nearest_symbol_table(op)
    function_of(rewriter, table, "__ockl_printf_begin", [I64], I64)
    if operands:
        function_of(rewriter, table, "__ockl_printf_append_args", [I64, I32, *[I64] * _AT_ONCE, I32], I64)
    function_of(rewriter, table, "__ockl_printf_append_string_n", [I64, PTR, I64, I32], I64)

    def called(name: str, *arguments: Value) -> Value:
        return emit.call(rewriter, f"__ockl_printf_{name}", arguments, [I64]).result

    zero = emit.i64(rewriter, 0)
    state = called("begin", zero)
    text = string_constant(rewriter, table, _FORMAT, op.format.value)
    length = emit.constant(rewriter, I64, i64_attr(len(utf8(op.format.value)) + 1))
    last, more = emit.i32(rewriter, 1), emit.i32(rewriter, 0)
    state = called("append_string_n", state, text, length, more if operands else last)
    for first in range(0, len(operands), _AT_ONCE):
        group = operands[first : first + _AT_ONCE]
        count = emit.i32(rewriter, len(group))
        numbers = [_as_bits(value, rewriter) for value in group]
        numbers += [zero] * (_AT_ONCE - len(group))
        is_last = first + _AT_ONCE >= len(operands)
        state = called("append_args", state, count, *numbers, last if is_last else more)
    rewriter.erase(op)


def _as_bits(value: Value, rewriter: ConversionRewriter) -> Value:
    """A number as 64 bits: a float as a double."""
    if isinstance(value.type, FloatType):
        wide = value if value.type == F64 else emit.cast(rewriter, "llvm.fpext", value, F64)
        return emit.cast(rewriter, "llvm.bitcast", wide, I64)
    is_wide = isinstance(value.type, IntegerType) and value.type.width == 64
    return value if is_wide else emit.cast(rewriter, "llvm.zext", value, I64)
