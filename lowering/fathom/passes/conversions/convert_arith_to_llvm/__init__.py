"""`convert-arith-to-llvm`: arithmetic to the LLVM dialect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fathom.dialects import default_registry
from fathom.passes.conversions.convert_arith_to_llvm.operations import patterns
from fathom.passes.to_llvm.leftovers import report_leftovers
from fathom.passes.to_llvm.llvm_target import llvm_target, type_converter
from fathom.rewriting.conversion_driver import apply_partial_conversion

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.verify.diagnostic import Diagnostic


def run(root: Operation, options: Mapping[str, str]) -> list[Diagnostic]:
    """Converts all that can be; an operation that cannot (on tensors, or 8-bit floats) stays, with a warning."""
    types = type_converter(options)
    reasons: dict[Operation, str] = {}
    diagnostics = apply_partial_conversion(root, llvm_target(), patterns(types), default_registry(), reasons=reasons)
    return diagnostics + report_leftovers(root, "arith", "convert-arith-to-llvm", types, {}, reasons)
