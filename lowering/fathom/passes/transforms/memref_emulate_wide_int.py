"""`memref-emulate-wide-int`: memory of integers that a target has not, as memory of vectors of two halves.

    %0 = memref.load %m[%i] : memref<4xi64>
->
    %0 = memref.load %m[%i] : memref<4xvector<2xi32>>
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
class MemRefEmulateWideInt(Pass):
    """Rewrites `memref.alloc`, `memref.load` and `memref.store`, and arithmetic as `arith-emulate-wide-int` does. The
    signatures of functions stay as they are."""

    name = "memref-emulate-wide-int"
    summary = "loads and stores integers of twice the supported width as two halves"

    widest_int_supported: int = option(32, "how many bits the widest integer of the target has", UINT)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.wide_integers.memory import accesses
        from fathom.passes.wide_integers.patterns import patterns
        from fathom.passes.wide_integers.types import WideIntegersInMemory, unsupported
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        problems = unsupported(self.widest_int_supported)
        if problems:
            return problems
        types = WideIntegersInMemory(self.widest_int_supported)
        target = ConversionTarget().dynamically_legal(types.accepts, "arith", "memref", "vector")
        return apply_partial_conversion(op, target, [*patterns(types), *accesses(types)], context)
