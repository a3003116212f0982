"""The functions of the C library, by the operations that they compute."""

from __future__ import annotations

from typing import Final

FUNCTIONS: Final = {
    "math.absf": "fabs",
    "math.acos": "acos",
    "math.acosh": "acosh",
    "math.asin": "asin",
    "math.asinh": "asinh",
    "math.atan2": "atan2",
    "math.atan": "atan",
    "math.atanh": "atanh",
    "math.cbrt": "cbrt",
    "math.ceil": "ceil",
    "math.cos": "cos",
    "math.cosh": "cosh",
    "math.erf": "erf",
    "math.erfc": "erfc",
    "math.exp": "exp",
    "math.exp2": "exp2",
    "math.expm1": "expm1",
    "math.floor": "floor",
    "math.fma": "fma",
    "math.log": "log",
    "math.log2": "log2",
    "math.log10": "log10",
    "math.log1p": "log1p",
    "math.powf": "pow",
    "math.roundeven": "roundeven",
    "math.round": "round",
    "math.sin": "sin",
    "math.sinh": "sinh",
    "math.sqrt": "sqrt",
    "math.rsqrt": "rsqrt",
    "math.tan": "tan",
    "math.tanh": "tanh",
    "math.trunc": "trunc",
}
"""The function of each operation, for `f64`; that for `f32` has an `f` behind its name."""
