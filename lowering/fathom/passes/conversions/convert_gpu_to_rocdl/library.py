"""The functions of AMD's device library (OCML), by the operations that they compute."""

from __future__ import annotations

from typing import Final

from fathom.passes.gpu_to_llvm.device_calls import Functions

_INSTRUCTIONS: Final = frozenset(("exp", "log"))
"""What the GPUs have an instruction for that computes with `f32`."""
_RENAMED: Final = {"powf": "pow", "fpowi": "pown"}
_NAMES: Final = (
    "acos acosh asin asinh atan atanh atan2 cbrt ceil cos cosh sinh exp exp2 expm1 floor log log10 log1p log2 powf "
    "rsqrt sin tanh tan erf erfc fpowi"
).split()


def _functions(name: str) -> Functions:
    f16, f32, f64 = (f"__ocml_{_RENAMED.get(name, name)}_{type}" for type in ("f16", "f32", "f64"))
    return Functions("" if name in _INSTRUCTIONS else f32, f64, f16=f16)


LIBRARY: Final = {**{f"math.{name}": _functions(name) for name in _NAMES}, "arith.remf": _functions("fmod")}
