"""`arith-emulate-wide-int`: arithmetic on integers that a target has not, on vectors of two halves.

    %0 = arith.andi %a, %b : i64
->
    %1 = vector.extract %a[0] : i32 from vector<2xi32>
    %2 = vector.extract %a[1] : i32 from vector<2xi32>
    %3 = vector.extract %b[0] : i32 from vector<2xi32>
    %4 = vector.extract %b[1] : i32 from vector<2xi32>
    %5 = arith.andi %1, %3 : i32
    %6 = arith.andi %2, %4 : i32
    %7 = arith.constant dense<0> : vector<2xi32>
    %8 = vector.insert %5, %7 [0] : i32 into vector<2xi32>
    %0 = vector.insert %6, %8 [1] : i32 into vector<2xi32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import UINT, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ArithEmulateWideInt(Pass):
    """Integers of twice the bits become vectors of a low and a high half, in the signatures of functions and in calls
    as well; other widths beyond what is supported are errors. The widest integers have a power of two of bits."""

    name = "arith-emulate-wide-int"
    summary = "computes with integers of twice the supported width as two halves"

    widest_int_supported: int = option(32, "how many bits the widest integer of the target has", UINT)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.function_signatures import convert_functions
        from fathom.passes.wide_integers.patterns import patterns
        from fathom.passes.wide_integers.types import WideIntegers, unsupported
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        problems = unsupported(self.widest_int_supported)
        if problems:
            return problems
        types = WideIntegers(self.widest_int_supported)
        target = ConversionTarget().legal("vector").dynamically_legal(types.accepts, "arith", "vector.print")
        return apply_partial_conversion(op, target, [*patterns(types), *convert_functions(target, types)], context)
