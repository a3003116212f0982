"""The part of the runtime that rounds floats to `bf16`, where a processor has no instruction for it, as LLVM IR.

A float of more bits than `f32` is rounded to one of fewer bits first, and there to an odd one where it is rounded at
all: what it is rounded to afterwards is as if that were done at once.
"""

from __future__ import annotations

import re
from typing import Final

_FROM_F32: Final = """
define bfloat @__truncsfbf2(float %value) {
  %bits = bitcast float %value to i32
  %last = lshr i32 %bits, 16
  %odd = and i32 %last, 1
  %bias = add i32 %odd, 32767
  %rounded = add i32 %bits, %bias
  %quiet = or i32 %bits, 4194304
  %is_nan = fcmp uno float %value, 0.0
  %chosen = select i1 %is_nan, i32 %quiet, i32 %rounded
  %high = lshr i32 %chosen, 16
  %narrow = trunc i32 %high to i16
  %result = bitcast i16 %narrow to bfloat
  ret bfloat %result
}
"""

_TO_ODD: Final = """
declare WIDE @llvm.fabs.KIND(WIDE)
define internal NARROW @to_odd_KIND(WIDE %value) {
  %near = fptrunc WIDE %value to NARROW
  %back = fpext NARROW %near to WIDE
  %is_exact = fcmp ueq WIDE %back, %value
  %size = call WIDE @llvm.fabs.KIND(WIDE %value)
  %size_back = call WIDE @llvm.fabs.KIND(WIDE %back)
  %is_beyond = fcmp ogt WIDE %size_back, %size
  %bits = bitcast NARROW %near to BITS
  %less = sub BITS %bits, 1
  %towards_zero = select i1 %is_beyond, BITS %less, BITS %bits
  %odd = or BITS %towards_zero, 1
  %chosen = select i1 %is_exact, BITS %bits, BITS %odd
  %result = bitcast BITS %chosen to NARROW
  ret NARROW %result
}
"""

_FROM_F64: Final = """
define bfloat @__truncdfbf2(double %value) {
  %odd = call float @to_odd_f64(double %value)
  %result = call bfloat @__truncsfbf2(float %odd)
  ret bfloat %result
}
"""

_FROM_WIDER: Final = """
define bfloat @NAME(WIDE %value) {
  %odd = call double @to_odd_KIND(WIDE %value)
  %result = call bfloat @__truncdfbf2(double %odd)
  ret bfloat %result
}
"""

_F128: Final = {"WIDE": "fp128", "NARROW": "double", "BITS": "i64", "KIND": "f128", "NAME": "__trunctfbf2"}
_F80: Final = {"WIDE": "x86_fp80", "NARROW": "double", "BITS": "i64", "KIND": "f80", "NAME": "__truncxfbf2"}
_HAVE_F80: Final = ("x86_64", "AMD64", "i686")


def _wider(machine: str) -> list[dict[str, str]]:
    return [_F128, *[_F80] * (machine in _HAVE_F80)]


def narrowing_symbols(machine: str) -> list[str]:
    """The names of the symbols that are for programs."""
    return ["__truncsfbf2", "__truncdfbf2", *(kind["NAME"] for kind in _wider(machine))]


def narrowing_text(machine: str) -> str:
    """The functions, for a machine by the name that `platform.machine()` gives it."""
    from_f64 = {"WIDE": "double", "NARROW": "float", "BITS": "i32", "KIND": "f64"}
    wider = (_filled(_TO_ODD, kind) + _filled(_FROM_WIDER, kind) for kind in _wider(machine))
    return "".join((_FROM_F32, _filled(_TO_ODD, from_f64), _FROM_F64, *wider))


def _filled(text: str, words: dict[str, str]) -> str:
    return re.sub("|".join(words), lambda found: words[found[0]], text)
