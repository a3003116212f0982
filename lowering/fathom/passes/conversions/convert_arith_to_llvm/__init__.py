"""`convert-arith-to-llvm`: arithmetic to the LLVM dialect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fathom.passes.conversions.convert_arith_to_llvm.operations import patterns
from fathom.passes.to_llvm.leftovers import report_leftovers
from fathom.passes.to_llvm.llvm_target import llvm_target, type_converter
from fathom.rewriting.conversion_driver import apply_partial_conversion

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


def run(root: Operation, options: Mapping[str, str], context: Context) -> list[Diagnostic]:
    """Converts all that can be; an operation that cannot (on tensors, or 8-bit floats) stays, with a warning."""
    types = type_converter(options)
    reasons: dict[Operation, str] = {}
    diagnostics = apply_partial_conversion(root, llvm_target(), patterns(types), context, reasons=reasons)
    return diagnostics + report_leftovers(root, "arith", "convert-arith-to-llvm", types, {}, reasons)
