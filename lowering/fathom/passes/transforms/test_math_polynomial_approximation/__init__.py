"""`test-math-polynomial-approximation`: functions of 32-bit floats as polynomials, which need no library.

    %0 = math.expm1 %x : f32
->
    %u = math.exp %x : f32                and that in turn as a polynomial
    …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class TestMathPolynomialApproximation(Pass):
    """Functions of scalars and vectors. Narrower floats are extended first. What nobody uses then goes, constants are
    folded, and the control flow is simplified, as always where patterns are applied until nothing changes."""

    name = "test-math-polynomial-approximation"
    summary = "approximates math on f32 by polynomials"

    enable_avx2: bool = option(False, "approximate math.rsqrt by an instruction of AVX2 and a step of Newton's", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transforms.test_math_polynomial_approximation import (
            arcs,
            errors,
            exponentials,
            extending,
            roots,
            waves,
        )
        from fathom.rewriting.greedy_driver import apply_patterns

        patterns = [
            *extending.PATTERNS,
            *arcs.PATTERNS,
            *roots.PATTERNS,
            *waves.PATTERNS,
            *errors.PATTERNS,
            *exponentials.PATTERNS,
        ]
        if self.enable_avx2:
            patterns += roots.WITH_AVX2
        apply_patterns(op, patterns, context)
        return []
