"""`convert-math-to-xevm`: functions that may be approximate, to the native functions of OpenCL.

    %0 = math.sin %x fastmath<afn> : f32
  ->
    %0 = llvm.call @_Z22__spirv_ocl_native_sinf(%x) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.types import F16, F32, F64, FloatType, Type, VectorType, element_type
from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Failure

_LENGTHS: Final = ((2,), (3,), (4,), (8,), (16,))
_LETTERS: Final[dict[Type, str]] = {F16: "Dh", F32: "f", F64: "d"}
FUNCTIONS: Final = {
    **{f"math.{name}": name for name in "cos exp exp2 log log10 log2 rsqrt sin sqrt tan".split()},
    "math.powf": "powr",
}
DIVISION: Final = {"arith.divf": "divide"}


@record
class ConvertMathToXeVMPass(Pass):
    """Operations that say `afn` become calls, on floats and on vectors of 2, 3, 4, 8 and 16 of them."""

    name = "convert-math-to-xevm"
    summary = "lowers functions that may be approximate to the native functions of OpenCL"

    convert_arith: bool = option(True, "whether divisions are converted too", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.pattern import Pattern
        from fathom.rewriting.target import ConversionTarget

        names = (*FUNCTIONS, *(DIVISION if self.convert_arith else ()))
        patterns = [Pattern(name, _call, name="ConvertNativeFuncPattern") for name in names]
        return apply_partial_conversion(op, ConversionTarget().legal("builtin", "llvm"), patterns, context)


def _call(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """See the module."""
    from fathom.dialects.arith.attributes import FASTMATH_FLAGS
    from fathom.ir.attributes import EnumAttr
    from fathom.passes.to_llvm import emit
    from fathom.passes.to_llvm.elementwise import llvm_fastmath
    from fathom.passes.to_llvm.runtime_functions import declare
    from fathom.rewriting.pattern import Failure

    flags = op.properties.get("fastmath")
    params = [operand.type for operand in operands]
    if not all(map(_has_function, (op.result.type, *params))):
        return Failure("OpenCL has no function of these types")
    if not isinstance(flags, EnumAttr) or not flags.value & FASTMATH_FLAGS["afn"]:
        return Failure("not a fastmath `afn` operation")
    native = f"__spirv_ocl_native_{FUNCTIONS.get(op.name) or DIVISION[op.name]}"
    name = f"_Z{len(native)}{native}{''.join(map(_mangled, params))}"
    function = declare(rewriter, op, name, params, op.result.type)
    if isinstance(function, Failure):
        return function
    properties = {"fastmathFlags": llvm_fastmath(flags)}
    rewriter.replace(op, list(emit.call(rewriter, function, operands, [op.result.type], properties).results))
    return None


def _has_function(type: Type) -> bool:
    is_fitting = not isinstance(type, VectorType) or type.shape in _LENGTHS
    return is_fitting and isinstance(type.element if isinstance(type, VectorType) else type, FloatType)


def _mangled(type: Type) -> str:
    """What a type is called in the name of a function."""
    letter = _LETTERS.get(element_type(type), "")
    return f"Dv{type.ranked_shape[0]}_{letter}" if isinstance(type, VectorType) else letter
