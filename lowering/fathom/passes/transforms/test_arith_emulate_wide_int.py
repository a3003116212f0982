"""`test-arith-emulate-wide-int`: what `arith-emulate-wide-int` does, in functions that are called as before, so that a
program can compare what both compute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.irdl.interfaces import symbol_name
from fathom.passes.definition import Pass
from fathom.passes.options import STRING, UINT, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class TestEmulateWideIntPass(Pass):
    """Arguments and results keep their types: `llvm.bitcast` stands between them and the vectors of halves."""

    name = "test-arith-emulate-wide-int"
    summary = "computes with two halves in functions of some names"
    anchor = "func.func"

    function_prefix: str = option("emulate_", "how the names of the functions begin", STRING)
    widest_int_supported: int = option(32, "how many bits the widest integer of the target has", UINT)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.wide_integers.patterns import patterns
        from fathom.passes.wide_integers.types import BitsOfWideIntegers, unsupported
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        problems = unsupported(self.widest_int_supported)
        if problems or not (symbol_name(op) or "").startswith(self.function_prefix):
            return problems
        types = BitsOfWideIntegers(self.widest_int_supported)
        target = ConversionTarget().dynamically_legal(types.accepts, "arith", "vector")
        return apply_partial_conversion(op, target, patterns(types), context)
