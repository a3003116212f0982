"""The patterns of `convert-complex-to-libm`: one for each function of the C library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.types import F32, F64, ComplexType
from fathom.passes.library_calls import call_instead
from fathom.rewriting.pattern import Failure, Pattern, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

FUNCTIONS: Final = {
    "complex.abs": "cabs",
    "complex.angle": "carg",
    "complex.conj": "conj",
    "complex.cos": "ccos",
    "complex.log": "clog",
    "complex.pow": "cpow",
    "complex.sin": "csin",
    "complex.sqrt": "csqrt",
    "complex.tan": "ctan",
    "complex.tanh": "ctanh",
}
"""The function of each operation, for `f64`; that for `f32` has an `f` behind its name."""


@named("ScalarOpToLibmCall")
def _call(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`complex.sin %z : complex<f32>` becomes `call @csinf(%z)`."""
    result = op.results[0].type
    part = result.element if isinstance(result, ComplexType) else result
    if part not in (F32, F64):
        return Failure(f"the C library has functions of f32 and f64, not of {part}")
    call_instead(op, FUNCTIONS[op.name] + "f" * (part == F32), rewriter)
    return None


PATTERNS: Final = tuple(Pattern(name, _call) for name in FUNCTIONS)
