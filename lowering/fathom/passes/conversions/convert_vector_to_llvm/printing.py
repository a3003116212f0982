"""Lowers `vector.print` of scalars, punctuation and strings to calls of MLIR's runtime library.

Vectors are printed element by element, which `--convert-vector-to-scf` sees to. Source of the rules: *'vector'
Dialect*, `vector.print`; the functions are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import dense
from fathom.dialects.llvm.attributes import linkage
from fathom.dialects.llvm.types import PTR, LLVMArrayType
from fathom.ir.attributes import (
    UNIT,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    i32_attr,
    i64_attr,
)
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Region, is_module
from fathom.ir.types import I8, I32, I64, FloatType, IndexType, IntegerType, TensorType, Type, VectorType
from fathom.ops.vector import PrintOp
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.patterns import Lower
from fathom.passes.to_llvm.runtime_functions import declare
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

PUNCTUATION: Final = {1: "printNewline", 2: "printComma", 3: "printOpen", 4: "printClose"}
"""The function for each number of `#vector.punctuation`; 0 is none."""

FLOATS: Final = {"f32": "printF32", "f64": "printF64", "f16": "printF16", "bf16": "printBF16"}
"""The function for each type of float that has one of its own."""

SEMANTICS: Final = (
    "f16 bf16 f32 f64 f128 ppc ppc_legacy f8E5M2 f8E5M2FNUZ f8E4M3 f8E4M3FN f8E4M3FNUZ f8E4M3B11FNUZ f8E3M4 tf32 "
    "f8E8M0FNU f6E3M2FN f6E2M3FN f4E2M1FN f80"
).split()
"""The types of floats in the order of LLVM's enumeration of them, by whose number the library knows the others."""


@named("VectorPrintOpConversion")
def print_(
    op: PrintOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        vector.print %f : f32
    ->
        llvm.call @printF32(%f) : (f32) -> ()
        llvm.call @printNewline() : () -> ()
    """
    module = _enclosing_module(op)
    if module is None:
        return Failure("it stands in no module, where functions are declared")
    for value, source in zip(operands, op.operands, strict=True):
        if isinstance(source.type, VectorType):
            return Failure("a vector is printed element by element; --convert-vector-to-scf")
        failure = _print_scalar(op, value, source.type, rewriter)
        if failure is not None:
            return failure
    text, punctuation = op.stringLiteral, op.punctuation
    if isinstance(text, StringAttr):
        failure = _print_string(op, module, text.value, rewriter)
    else:
        number = punctuation.parameters[0] if isinstance(punctuation, DialectAttr) else 0
        name = PUNCTUATION.get(number) if isinstance(number, int) else None
        failure = _call(op, name, (), rewriter) if name is not None else None
    if failure is None:
        rewriter.erase(op)
    return failure


def _enclosing_module(op: Operation) -> Operation | None:
    around = op.parent_op
    while around is not None and not is_module(around):
        around = around.parent_op
    return around


def _call(op: Operation, name: str, arguments: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Calls a function of the library, which is declared if need be."""
    callee = declare(rewriter, op, name, [argument.type for argument in arguments], renamed=False)
    if isinstance(callee, Failure):
        return callee
    emit.call(rewriter, callee, arguments)
    return None


def _print_scalar(op: Operation, value: Value, type: Type, rewriter: ConversionRewriter) -> Failure | None:
    """Prints a value; `type` is that before the lowering."""
    name, argument_type, cast = "printU64", I64, ""
    match type:
        case FloatType("f32" | "f64"):
            name, argument_type = FLOATS[type.name], type
        case FloatType("f16" | "bf16"):
            name, argument_type, cast = FLOATS[type.name], IntegerType(16), "llvm.bitcast"
        case FloatType():
            return _print_other_float(op, value, type, rewriter)
        case IndexType():
            pass
        case IntegerType(width, signedness) if width <= 64:
            # A truth value is 1, not -1.
            is_unsigned = signedness == "u"
            name = "printU64" if is_unsigned else "printI64"
            if width < 64:
                cast = "arith.extui" if is_unsigned or width == 1 else "arith.extsi"
        case _:
            return Failure(f"the library prints no '{type}'")
    callee = declare(rewriter, op, name, [argument_type], renamed=False)
    if isinstance(callee, Failure):
        return callee
    if cast:
        value = rewriter.create(cast, [value], [argument_type]).result
    emit.call(rewriter, callee, [value])
    return None


def _print_other_float(op: Operation, value: Value, type: FloatType, rewriter: ConversionRewriter) -> Failure | None:
    """Prints a float by the number of its semantics and its bits."""
    if type.name not in SEMANTICS or type.width >= 64:
        return Failure(f"the library prints no '{type}'")
    semantics = emit.i32(rewriter, SEMANTICS.index(type.name))
    bits = rewriter.create("llvm.zext", [value], [I64]).result
    callee = declare(rewriter, op, "printApFloat", [I32, I64], renamed=False)
    if isinstance(callee, Failure):
        return callee
    emit.call(rewriter, callee, [semantics, bits])
    return None


def _print_string(op: Operation, module: Operation, text: str, rewriter: ConversionRewriter) -> Failure | None:
    """
        vector.print str "hi"
    ->
        llvm.mlir.global private constant @vector_print_str(dense<[104, 105, 0]> : tensor<3xi8>) : !llvm.array<3 x i8>
        …
        %0 = llvm.mlir.addressof @vector_print_str : !llvm.ptr
        %1 = llvm.getelementptr %0[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<3 x i8>
        llvm.call @printString(%1) : (!llvm.ptr) -> ()
    """
    raw = (*text.encode("utf-8", "surrogateescape"), 0)
    array = LLVMArrayType(len(raw), I8)
    name = rewriter.symbols_in(module).unused("vector_print_str")
    elements = dense([byte - 256 if byte > 127 else byte for byte in raw], TensorType((len(raw),), I8))
    with rewriter.elsewhere():
        (body,) = module.regions[0].blocks
        rewriter.set_insertion_to_start(body)
        properties = {
            "addr_space": i32_attr(0),
            "constant": UNIT,
            "global_type": TypeAttr(array),
            "linkage": linkage("private"),
            "sym_name": StringAttr(name),
            "value": elements,
            "visibility_": i64_attr(0),
        }
        rewriter.create("llvm.mlir.global", (), (), properties, regions=[Region()])
    address = rewriter.create("llvm.mlir.addressof", (), [PTR], {"global_name": SymbolRefAttr(name)}).result
    return _call(op, "printString", [emit.gep(rewriter, address, array, 0)], rewriter)


PRINTING: Final[dict[str, Lower]] = {"vector.print": print_}
