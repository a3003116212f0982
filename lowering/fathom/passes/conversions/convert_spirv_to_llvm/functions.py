"""Modules, functions, calls and returns, and what is said of where kernels begin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import linkage
from fathom.dialects.llvm.types import LLVMArrayType, struct_of
from fathom.dialects.spirv.words import number as number_of
from fathom.ir.attributes import UNIT, ArrayAttr, Attribute, StringAttr, TypeAttr, i32_attr, i64_attr
from fathom.ir.locations import UnknownLoc
from fathom.ir.operation import Region, is_module
from fathom.ir.property_values import text_property
from fathom.ir.traversal import ancestors
from fathom.ir.types import I32, FunctionType
from fathom.ops import spirv
from fathom.passes.conversions.convert_spirv_to_llvm.common import NO_TYPE
from fathom.passes.conversions.convert_spirv_to_llvm.control import erase
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_CONTROL: Final[dict[int | None, dict[str, Attribute]]] = {
    1: {"always_inline": UNIT},
    2: {"no_inline": UNIT},
    4: {"passthrough": ArrayAttr((StringAttr("readonly"),))},
    8: {"passthrough": ArrayAttr((StringAttr("readnone"),))},
}
"""What a function says instead of `Inline`, `DontInline`, `Pure` and `Const`, each alone."""


@named("ModuleConversionPattern")
def _module(
    op: spirv.ModuleOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`spirv.module @m Logical GLSL450 { … }` becomes `module @m { … }`."""
    properties = {"sym_name": op.sym_name} if op.sym_name is not None else {}
    module = rewriter.create("builtin.module", (), (), properties, regions=[Region()])
    rewriter.inline_region_before(op.regions[0], module.regions[0], None)
    rewriter.erase(op)
    return None


@named("FuncConversionPattern")
def _function(
    op: spirv.FuncOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`spirv.func @f(%p: !spirv.ptr<f32, Function>) "None" { … }` becomes `llvm.func @f(%p: !llvm.ptr) { … }`."""
    type = op.function_type.type
    converted = types.convert_function_type(type) if isinstance(type, FunctionType) else None
    if converted is None:
        return NO_TYPE
    properties = {
        "function_type": TypeAttr(converted[0]),
        "sym_name": op.sym_name,
        **_CONTROL.get(number_of(op, "function_control"), {}),
    }
    function = rewriter.create("llvm.func", (), (), properties, regions=[Region()])
    body = function.regions[0]
    rewriter.inline_region_before(op.body, body, None)
    failure = rewriter.convert_region_types(body, converted[1])
    if failure is None:
        rewriter.erase(op)
    return failure


@named("FunctionCallPattern")
def _call(
    op: spirv.FunctionCallOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`spirv.FunctionCall @f(%a) : (i32) -> i32` becomes `llvm.call @f(%a) : (i32) -> i32`."""
    results = types.convert_all(result.type for result in op.results)
    if results is None:
        return NO_TYPE
    called = emit.call(rewriter, op.callee.root, operands, results, op.properties, op.attributes)
    rewriter.replace(op, list(called.results))
    return None


@named("ReturnPattern")
def _return(
    op: spirv.ReturnOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`spirv.Return` becomes `llvm.return`."""
    rewriter.replace_with(op, "llvm.return")
    return None


@named("ReturnValuePattern")
def _return_value(
    op: spirv.ReturnValueOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`spirv.ReturnValue %a : i32` becomes `llvm.return %a : i32`."""
    rewriter.replace_with(op, "llvm.return", operands)
    return None


@named("ExecutionModePattern")
def _execution_mode(
    op: spirv.ExecutionModeOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        spirv.ExecutionMode @f "LocalSize", 32, 1, 1
    becomes, at the front of the module `@m`,
        llvm.mlir.global external constant @__spv__m_f_execution_mode_info_17() : !llvm.struct<(i32, array<3 x i32>)> {
          %0 = llvm.mlir.poison : !llvm.struct<(i32, array<3 x i32>)>
          %1 = llvm.mlir.constant(17 : i32) : i32
          %2 = llvm.insertvalue %1, %0[0]
          …
          llvm.return %8 : !llvm.struct<(i32, array<3 x i32>)>
        }
    """
    module = next((around for around in ancestors(op) if is_module(around)), None)
    if module is None:
        return Failure("it stands in no module")
    mode, values = number_of(op, "execution_mode") or 0, op.values.elements
    name = text_property(module, "sym_name")
    prefix = f"_{name}" if name is not None else ""
    fields = [I32, LLVMArrayType(len(values), I32)] if values else [I32]
    struct = struct_of(*fields)
    properties: dict[str, Attribute] = {
        "addr_space": i32_attr(0),
        "constant": UNIT,
        "global_type": TypeAttr(struct),
        "linkage": linkage("external"),
        "sym_name": StringAttr(f"__spv_{prefix}_{op.fn.root}_execution_mode_info_{mode}"),
        "visibility_": i64_attr(0),
    }
    with rewriter.elsewhere():
        rewriter.location = UnknownLoc()
        rewriter.set_insertion_to_start(next(iter(module.regions[0].blocks)))
        made = rewriter.create("llvm.mlir.global", (), (), properties, regions=[Region()])
        rewriter.create_block(made.regions[0])
        value = emit.poison(rewriter, struct)
        value = emit.insert(rewriter, value, emit.i32(rewriter, mode), 0)
        for index, each in enumerate(values):
            value = emit.insert(rewriter, value, emit.constant(rewriter, I32, each), 1, index)
        rewriter.create("llvm.return", [value])
    rewriter.erase(op)
    return None


LOWERINGS: Final[dict[str, Lower]] = {
    "spirv.EntryPoint": erase,
    "spirv.ExecutionMode": _execution_mode,
    "spirv.FunctionCall": _call,
    "spirv.Return": _return,
    "spirv.ReturnValue": _return_value,
    "spirv.func": _function,
    "spirv.module": _module,
}
