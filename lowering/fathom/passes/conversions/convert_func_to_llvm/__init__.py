"""The pass `convert-func-to-llvm`: functions, calls and returns to the LLVM dialect.

    func.func @f(%m: memref<?xf32>) -> (i32, f32)
  ->
    llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64) -> !llvm.struct<(i32, f32)>

Source of the rules: *LLVM IR Target*, "Calling Conventions"; the order of the operations is that of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.passes.conversions.convert_func_to_llvm.calls import (
    bare_functions,
    call_indirect,
    call_of,
    constant,
    return_,
)
from fathom.passes.conversions.convert_func_to_llvm.functions import func
from fathom.passes.to_llvm.leftovers import report_leftovers
from fathom.passes.to_llvm.llvm_target import llvm_target, type_converter
from fathom.passes.to_llvm.lowering import Lowering, patterns
from fathom.rewriting.conversion_driver import apply_partial_conversion

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

LOWERINGS: Final[dict[str, Lowering]] = {
    "func.call_indirect": call_indirect,
    "func.constant": constant,
    "func.func": func,
    "func.return": return_,
}


def run(module: Operation, options: Mapping[str, str], context: Context) -> list[Diagnostic]:
    """Lowers in place. A function or call that stays is reported at its span, with the type that has no conversion."""
    types = type_converter(options, module)
    rules = patterns({**LOWERINGS, "func.call": call_of(bare_functions(module))}, types)
    reasons: dict[Operation, str] = {}
    diagnostics = apply_partial_conversion(module, llvm_target(), rules, context, reasons=reasons)
    return diagnostics + report_leftovers(module, "func", "convert-func-to-llvm", types, {}, reasons)
