"""`arith-expand`: arithmetic that LLVM or hardware does not have, in terms of what it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

ROUNDING_AND_SCALING: Final = (
    "arith.ceildivsi",
    "arith.ceildivui",
    "arith.floordivsi",
    "arith.scaling_extf",
    "arith.scaling_truncf",
)
"""What has no counterpart in the LLVM dialect."""

EXTREMA: Final = (
    "arith.maxsi",
    "arith.maxui",
    "arith.minsi",
    "arith.minui",
    "arith.maximumf",
    "arith.minimumf",
    "arith.maxnumf",
    "arith.minnumf",
)


@record
class ArithExpandOpsPass(Pass):
    """Divisions that round up or down, the greater and the lesser of two numbers, and casts with a scale are made of
    simpler operations; with the options, casts of narrow floats of arithmetic on their bits."""

    name = "arith-expand"
    summary = "writes what LLVM has no operation for with simpler arith"
    by_function = True
    handles = ROUNDING_AND_SCALING

    include_bf16: bool = option(False, "also expand casts from and to bf16", BOOL)
    include_f8e8m0: bool = option(False, "also expand casts from and to f8E8M0FNU", BOOL)
    include_f4e2m1: bool = option(False, "also expand casts from and to f4E2M1FN", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.arith_expansion import extrema, narrow_floats, rounding_divisions, scaling
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        wanted = (
            (self.include_bf16, narrow_floats.EXPAND_BF16),
            (self.include_f8e8m0, narrow_floats.EXPAND_SCALE),
            (self.include_f4e2m1, narrow_floats.EXPAND_F4),
        )
        narrow = [expansion for is_wanted, expansion in wanted if is_wanted]
        target = ConversionTarget().legal("arith", "vector").illegal(*ROUNDING_AND_SCALING, *EXTREMA)
        target.dynamically_legal(lambda other: not any(rule.extends(other) for rule in narrow), "arith.extf")
        target.dynamically_legal(lambda other: not any(rule.truncates(other) for rule in narrow), "arith.truncf")
        patterns = [*rounding_divisions.PATTERNS, *scaling.PATTERNS, *extrema.PATTERNS]
        patterns += (pattern for rule in narrow for pattern in rule.patterns)
        return apply_partial_conversion(op, target, patterns, context)
