"""The functions of NVIDIA's device library (libdevice), by the operations that they compute."""

from __future__ import annotations

from typing import Final

from fathom.passes.gpu_to_llvm.device_calls import Functions

_FAST: Final = frozenset(("cos", "exp", "log", "log10", "log2", "powf", "sin", "tan"))
_NAMES: Final = {
    "arith.remf": "fmod",
    "arith.maxnumf": "fmax",
    "arith.minnumf": "fmin",
    "math.absf": "fabs",
    "math.acos": "acos",
    "math.acosh": "acosh",
    "math.asin": "asin",
    "math.asinh": "asinh",
    "math.atan": "atan",
    "math.atan2": "atan2",
    "math.atanh": "atanh",
    "math.cbrt": "cbrt",
    "math.ceil": "ceil",
    "math.copysign": "copysign",
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
    "math.log10": "log10",
    "math.log1p": "log1p",
    "math.log2": "log2",
    "math.powf": "pow",
    "math.fpowi": "powi",
    "math.round": "round",
    "math.roundeven": "rint",
    "math.rsqrt": "rsqrt",
    "math.sin": "sin",
    "math.sinh": "sinh",
    "math.sqrt": "sqrt",
    "math.tan": "tan",
    "math.tanh": "tanh",
}
"""The functions for `f64`; those for `f32` have an `f` behind their names."""


def _functions(op: str, name: str) -> Functions:
    f32 = f"__nv_{name}f"
    fast = f"__nv_fast_{name}f" if op.partition(".")[2] in _FAST else ""
    return Functions(f32, f"__nv_{name}", fast)


LIBRARY: Final = {
    **{op: _functions(op, name) for op, name in _NAMES.items()},
    "math.absi": Functions(i32="__nv_abs"),
    "math.isfinite": Functions("__nv_finitef", "__nv_isfinited"),
    "math.isinf": Functions("__nv_isinff", "__nv_isinfd"),
    "math.isnan": Functions("__nv_isnanf", "__nv_isnand"),
}
