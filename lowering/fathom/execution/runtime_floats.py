"""The part of the runtime that computes with floats of any kind of at most 64 bits, as LLVM IR.

A float comes as its bits, with the number of its kind. Each but `f64` has few enough bits that its numbers are computed
as `double` and rounded once more, without a difference: its results are those of MLIR's own library, but for NaNs that
signal and for infinities given to a kind that has none. Only programs that call one of these functions get them.
"""

from __future__ import annotations

from typing import Final

_KINDS: Final = (
    # bits, of the fraction, bias, form
    (16, 10, 15, 0),  # f16
    (16, 7, 127, 0),  # bf16
    (32, 23, 127, 0),  # f32
    (64, 52, 1023, 0),  # f64
    (0, 0, 0, 0),
    (0, 0, 0, 0),
    (0, 0, 0, 0),
    (8, 2, 15, 0),  # f8E5M2
    (8, 2, 16, 2),  # f8E5M2FNUZ
    (8, 3, 7, 0),  # f8E4M3
    (8, 3, 7, 1),  # f8E4M3FN
    (8, 3, 8, 2),  # f8E4M3FNUZ
    (8, 3, 11, 2),  # f8E4M3B11FNUZ
    (8, 4, 3, 0),  # f8E3M4
    (19, 10, 127, 0),  # tf32
    (9, 0, 127, 4),  # f8E8M0FNU, which has no sign: the bit of one is never set
    (6, 2, 3, 3),  # f6E3M2FN
    (6, 3, 1, 3),  # f6E2M3FN
    (4, 1, 1, 3),  # f4E2M1FN
)
"""Kinds by their numbers. Forms: with infinities (0); with a NaN of each sign instead (1); with one NaN in the place of
the negative zero (2); of finite numbers only (3); of powers of two (4)."""

_TABLES: Final = "".join(
    f"@kind_{name} = internal constant [{len(_KINDS)} x i64] [{', '.join(f'i64 {kind[index]}' for kind in _KINDS)}]\n"
    for index, name in enumerate(("width", "fraction", "bias", "form"))
)


def _parameter(name: str) -> str:
    return (
        f"define internal i64 @{name}(i32 %kind) {{\n"
        f"  %place = getelementptr [{len(_KINDS)} x i64], ptr @kind_{name}, i64 0, i32 %kind\n"
        "  %value = load i64, ptr %place\n"
        "  ret i64 %value\n}\n"
    )


_READING: Final = """
define internal i64 @sign_bit(i32 %kind) {
  %width = call i64 @width(i32 %kind)
  %last = sub i64 %width, 1
  %bit = shl i64 1, %last
  ret i64 %bit
}

define internal i64 @greatest(i32 %kind) {
  %sign = call i64 @sign_bit(i32 %kind)
  %all = sub i64 %sign, 1
  %form = call i64 @form(i32 %kind)
  %fraction = call i64 @fraction(i32 %kind)
  %ones = shl i64 -1, %fraction
  %infinite = and i64 %all, %ones
  %below = sub i64 %infinite, 1
  %less = sub i64 %all, 1
  %has_infinite = icmp eq i64 %form, 0
  %a = icmp eq i64 %form, 1
  %b = icmp eq i64 %form, 4
  %has_last = or i1 %a, %b
  %first = select i1 %has_last, i64 %less, i64 %all
  %value = select i1 %has_infinite, i64 %below, i64 %first
  ret i64 %value
}

define internal double @read(i32 %kind, i64 %bits) {
entry:
  %is_double = icmp eq i32 %kind, 3
  br i1 %is_double, label %double, label %other
double:
  %whole = bitcast i64 %bits to double
  ret double %whole
other:
  %form = call i64 @form(i32 %kind)
  %fraction = call i64 @fraction(i32 %kind)
  %bias = call i64 @bias(i32 %kind)
  %sign = call i64 @sign_bit(i32 %kind)
  %greatest = call i64 @greatest(i32 %kind)
  %below = sub i64 %sign, 1
  %magnitude = and i64 %bits, %below
  %is_zeros_nan = icmp eq i64 %form, 2
  %is_negative_zero = icmp eq i64 %bits, %sign
  %nan_a = and i1 %is_zeros_nan, %is_negative_zero
  %is_beyond = icmp ugt i64 %magnitude, %greatest
  %infinity = add i64 %greatest, 1
  %at_infinity = icmp eq i64 %magnitude, %infinity
  %has_infinity = icmp eq i64 %form, 0
  %is_infinite = and i1 %at_infinity, %has_infinity
  %is_finite = xor i1 %is_infinite, true
  %nan_b = and i1 %is_beyond, %is_finite
  %is_nan = or i1 %nan_a, %nan_b
  %unit = shl i64 1, %fraction
  %lower = sub i64 %unit, 1
  %rest = and i64 %magnitude, %lower
  %exponent = lshr i64 %magnitude, %fraction
  %at_bottom = icmp eq i64 %exponent, 0
  %is_power = icmp eq i64 %form, 4
  %has_small = xor i1 %is_power, true
  %is_small = and i1 %at_bottom, %has_small
  %with_unit = or i64 %rest, %unit
  %digits = select i1 %is_small, i64 %rest, i64 %with_unit
  %shown = select i1 %is_small, i64 1, i64 %exponent
  %unbiased = sub i64 %shown, %bias
  %scale = sub i64 %unbiased, %fraction
  %scale32 = trunc i64 %scale to i32
  %number = uitofp i64 %digits to double
  %scaled = call double @ldexp(double %number, i32 %scale32)
  %or_infinite = select i1 %is_infinite, double 0x7FF0000000000000, double %scaled
  %or_nan = select i1 %is_nan, double 0x7FF8000000000000, double %or_infinite
  %sign_only = and i64 %bits, %sign
  %is_negative = icmp ne i64 %sign_only, 0
  %negated = fneg double %or_nan
  %value = select i1 %is_negative, double %negated, double %or_nan
  ret double %value
}
"""

_WRITING: Final = """
define internal i64 @write(i32 %kind, double %value) {
entry:
  %bits = bitcast double %value to i64
  %is_double = icmp eq i32 %kind, 3
  br i1 %is_double, label %double, label %other
double:
  ret i64 %bits
other:
  %form = call i64 @form(i32 %kind)
  %fraction = call i64 @fraction(i32 %kind)
  %bias = call i64 @bias(i32 %kind)
  %sign = call i64 @sign_bit(i32 %kind)
  %greatest = call i64 @greatest(i32 %kind)
  %is_power = icmp eq i64 %form, 4
  %is_finite_only = icmp eq i64 %form, 3
  %absolute = call double @llvm.fabs.f64(double %value)
  %is_nan = fcmp uno double %value, 0.0
  %is_huge = fcmp ogt double %absolute, 0x52B0000000000000
  %clamped = select i1 %is_huge, double 0x52B0000000000000, double %absolute
  %known = select i1 %is_nan, double 0.0, double %clamped
  %known_bits = bitcast double %known to i64
  %raised = lshr i64 %known_bits, 52
  %exponent = sub i64 %raised, 1023
  %usual_least = sub i64 1, %bias
  %least_power = sub i64 0, %bias
  %least = select i1 %is_power, i64 %least_power, i64 %usual_least
  %is_below = icmp slt i64 %exponent, %least
  %taken = select i1 %is_below, i64 %least, i64 %exponent
  %unit = sub i64 %fraction, %taken
  %unit32 = trunc i64 %unit to i32
  %scaled = call double @ldexp(double %known, i32 %unit32)
  %rounded = call double @llvm.roundeven.f64(double %scaled)
  %digits = fptoui double %rounded to i64
  %biased = add i64 %taken, %bias
  %lower = sub i64 %biased, 1
  %shifted = shl i64 %lower, %fraction
  %sum = add i64 %shifted, %digits
  %is_less = icmp slt i64 %sum, 0
  %finite = select i1 %is_less, i64 0, i64 %sum
  %next = add i64 %greatest, 1
  %beyond = select i1 %is_finite_only, i64 %greatest, i64 %next
  %is_more = icmp ugt i64 %finite, %greatest
  %number = select i1 %is_more, i64 %beyond, i64 %finite
  %has_infinity = icmp eq i64 %form, 0
  %last = sub i64 %fraction, 1
  %quiet = shl i64 1, %last
  %quiet_nan = or i64 %next, %quiet
  %nan = select i1 %has_infinity, i64 %quiet_nan, i64 %beyond
  %magnitude = select i1 %is_nan, i64 %nan, i64 %number
  %is_negative = icmp slt i64 %bits, 0
  %has_one_zero = icmp eq i64 %form, 2
  %is_zero = icmp eq i64 %magnitude, 0
  %is_only_zero = and i1 %has_one_zero, %is_zero
  %is_plain = or i1 %is_only_zero, %is_power
  %may_be_negative = xor i1 %is_plain, true
  %has_sign = and i1 %is_negative, %may_be_negative
  %given = select i1 %has_sign, i64 %sign, i64 0
  %result = or i64 %magnitude, %given
  ret i64 %result
}
"""

_BINARY: Final = """
define i64 @_mlir_apfloat_NAME(i32 %kind, i64 %a, i64 %b) {
  %x = call double @read(i32 %kind, i64 %a)
  %y = call double @read(i32 %kind, i64 %b)
  %made = COMPUTED
  %bits = call i64 @write(i32 %kind, double %made)
  ret i64 %bits
}
"""
_COMPUTED: Final = {
    "add": "fadd double %x, %y",
    "subtract": "fsub double %x, %y",
    "multiply": "fmul double %x, %y",
    "divide": "fdiv double %x, %y",
    "remainder": "call double @remainder(double %x, double %y)",
    "minimum": "call double @llvm.minimum.f64(double %x, double %y)",
    "maximum": "call double @llvm.maximum.f64(double %x, double %y)",
    "minnum": "call double @number(double %x, double %y, i1 true)",
    "maxnum": "call double @number(double %x, double %y, i1 false)",
}

_OTHERS: Final = """
define internal double @number(double %x, double %y, i1 %least) {
  %less = call double @llvm.minimum.f64(double %x, double %y)
  %more = call double @llvm.maximum.f64(double %x, double %y)
  %both = select i1 %least, double %less, double %more
  %no_x = fcmp uno double %x, 0.0
  %no_y = fcmp uno double %y, 0.0
  %or_x = select i1 %no_y, double %x, double %both
  %or_y = select i1 %no_x, double %y, double %or_x
  ret double %or_y
}

define i64 @_mlir_apfloat_convert(i32 %from, i32 %to, i64 %a) {
  %x = call double @read(i32 %from, i64 %a)
  %bits = call i64 @write(i32 %to, double %x)
  ret i64 %bits
}

define i64 @_mlir_apfloat_convert_to_int(i32 %kind, i32 %width32, i1 %unsigned, i64 %a) {
  %x = call double @read(i32 %kind, i64 %a)
  %rounded = call double @llvm.roundeven.f64(double %x)
  %width = zext i32 %width32 to i64
  %dropped = sub i64 64, %width
  %all = lshr i64 -1, %dropped
  %as_signed = call i64 @llvm.fptosi.sat.i64.f64(double %rounded)
  %as_unsigned = call i64 @llvm.fptoui.sat.i64.f64(double %rounded)
  %most = lshr i64 %all, 1
  %least = xor i64 %most, -1
  %below = call i64 @llvm.smin.i64(i64 %as_signed, i64 %most)
  %signed = call i64 @llvm.smax.i64(i64 %below, i64 %least)
  %other = call i64 @llvm.umin.i64(i64 %as_unsigned, i64 %all)
  %either = select i1 %unsigned, i64 %other, i64 %signed
  %bits = and i64 %either, %all
  ret i64 %bits
}

define i64 @_mlir_apfloat_convert_from_int(i32 %kind, i32 %width32, i1 %unsigned, i64 %a) {
  %width = zext i32 %width32 to i64
  %dropped = sub i64 64, %width
  %high = shl i64 %a, %dropped
  %low = lshr i64 %high, %dropped
  %extended = ashr i64 %high, %dropped
  %is_less = icmp slt i64 %extended, 0
  %may_be = xor i1 %unsigned, true
  %is_negative = and i1 %is_less, %may_be
  %opposite = sub i64 0, %extended
  %magnitude = select i1 %is_negative, i64 %opposite, i64 %low
  %lost = and i64 %magnitude, 2047
  %is_exact = icmp eq i64 %lost, 0
  %kept = and i64 %magnitude, -2048
  %jammed = or i64 %kept, 2048
  %sticky = select i1 %is_exact, i64 %magnitude, i64 %jammed
  %is_long = icmp ugt i64 %magnitude, 9007199254740991
  %is_double = icmp eq i32 %kind, 3
  %is_whole = xor i1 %is_double, true
  %is_jammed = and i1 %is_long, %is_whole
  %taken = select i1 %is_jammed, i64 %sticky, i64 %magnitude
  %number = uitofp i64 %taken to double
  %negated = fneg double %number
  %value = select i1 %is_negative, double %negated, double %number
  %bits = call i64 @write(i32 %kind, double %value)
  ret i64 %bits
}

define i8 @_mlir_apfloat_compare(i32 %kind, i64 %a, i64 %b) {
  %x = call double @read(i32 %kind, i64 %a)
  %y = call double @read(i32 %kind, i64 %b)
  %equal = fcmp oeq double %x, %y
  %more = fcmp ogt double %x, %y
  %unordered = fcmp uno double %x, %y
  %c = select i1 %equal, i8 1, i8 0
  %d = select i1 %more, i8 2, i8 %c
  %e = select i1 %unordered, i8 3, i8 %d
  ret i8 %e
}

define i64 @_mlir_apfloat_neg(i32 %kind, i64 %a) {
  %sign = call i64 @sign_bit(i32 %kind)
  %form = call i64 @form(i32 %kind)
  %below = sub i64 %sign, 1
  %rest = and i64 %a, %below
  %is_zero = icmp eq i64 %rest, 0
  %has_one_zero = icmp eq i64 %form, 2
  %is_only = and i1 %is_zero, %has_one_zero
  %is_power = icmp eq i64 %form, 4
  %stays = or i1 %is_only, %is_power
  %changed = xor i64 %a, %sign
  %bits = select i1 %stays, i64 %a, i64 %changed
  ret i64 %bits
}

define i64 @_mlir_apfloat_abs(i32 %kind, i64 %a) {
  %sign = call i64 @sign_bit(i32 %kind)
  %only = and i64 %a, %sign
  %is_plain = icmp eq i64 %only, 0
  %negated = call i64 @_mlir_apfloat_neg(i32 %kind, i64 %a)
  %bits = select i1 %is_plain, i64 %a, i64 %negated
  ret i64 %bits
}

define i64 @_mlir_apfloat_fused_multiply_add(i32 %kind, i64 %a, i64 %b, i64 %c) {
  %x = call double @read(i32 %kind, i64 %a)
  %y = call double @read(i32 %kind, i64 %b)
  %z = call double @read(i32 %kind, i64 %c)
  %fused = call double @fma(double %x, double %y, double %z)
  %product = fmul double %x, %y
  %sum = fadd double %product, %z
  %part = fsub double %sum, %product
  %other = fsub double %sum, %part
  %error_a = fsub double %product, %other
  %error_b = fsub double %z, %part
  %error = fadd double %error_a, %error_b
  %is_inexact = fcmp one double %error, 0.0
  %sum_bits = bitcast double %sum to i64
  %last = and i64 %sum_bits, 1
  %is_even = icmp eq i64 %last, 0
  %is_odd_needed = and i1 %is_inexact, %is_even
  %is_up = fcmp ogt double %error, 0.0
  %is_positive = icmp sge i64 %sum_bits, 0
  %is_away = icmp eq i1 %is_up, %is_positive
  %step = select i1 %is_away, i64 1, i64 -1
  %odd = add i64 %sum_bits, %step
  %kept_bits = select i1 %is_odd_needed, i64 %odd, i64 %sum_bits
  %kept = bitcast i64 %kept_bits to double
  %is_double = icmp eq i32 %kind, 3
  %value = select i1 %is_double, double %fused, double %kept
  %bits = call i64 @write(i32 %kind, double %value)
  ret i64 %bits
}

define i1 @_mlir_apfloat_isfinite(i32 %kind, i64 %a) {
  %x = call double @read(i32 %kind, i64 %a)
  %absolute = call double @llvm.fabs.f64(double %x)
  %holds = fcmp olt double %absolute, 0x7FF0000000000000
  ret i1 %holds
}

define i1 @_mlir_apfloat_isinfinite(i32 %kind, i64 %a) {
  %x = call double @read(i32 %kind, i64 %a)
  %absolute = call double @llvm.fabs.f64(double %x)
  %holds = fcmp oeq double %absolute, 0x7FF0000000000000
  ret i1 %holds
}

define i1 @_mlir_apfloat_isnan(i32 %kind, i64 %a) {
  %x = call double @read(i32 %kind, i64 %a)
  %holds = fcmp uno double %x, 0.0
  ret i1 %holds
}

define i1 @_mlir_apfloat_isnormal(i32 %kind, i64 %a) {
  %is_finite = call i1 @_mlir_apfloat_isfinite(i32 %kind, i64 %a)
  %sign = call i64 @sign_bit(i32 %kind)
  %below = sub i64 %sign, 1
  %magnitude = and i64 %a, %below
  %fraction = call i64 @fraction(i32 %kind)
  %exponent = lshr i64 %magnitude, %fraction
  %has_exponent = icmp ne i64 %exponent, 0
  %form = call i64 @form(i32 %kind)
  %is_power = icmp eq i64 %form, 4
  %is_usual = or i1 %has_exponent, %is_power
  %holds = and i1 %is_finite, %is_usual
  ret i1 %holds
}

@format = internal constant [4 x i8] c"%lg\\00"

define void @printApFloat(i32 %kind, i64 %a) {
  %x = call double @read(i32 %kind, i64 %a)
  %done = call i32 (ptr, ...) @printf(ptr @format, double %x)
  ret void
}
"""

_DECLARED: Final = """
declare double @ldexp(double, i32)
declare double @remainder(double, double)
declare double @fma(double, double, double)
declare i32 @printf(ptr, ...)
declare double @llvm.fabs.f64(double)
declare double @llvm.roundeven.f64(double)
declare double @llvm.minimum.f64(double, double)
declare double @llvm.maximum.f64(double, double)
declare i64 @llvm.fptosi.sat.i64.f64(double)
declare i64 @llvm.fptoui.sat.i64.f64(double)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
"""

FLOAT_SYMBOLS: Final = (
    "printApFloat",
    *(f"_mlir_apfloat_{name}" for name in _COMPUTED),
    *(
        f"_mlir_apfloat_{name}"
        for name in "convert convert_to_int convert_from_int compare neg abs fused_multiply_add".split()
    ),
    *(f"_mlir_apfloat_{name}" for name in "isfinite isinfinite isnan isnormal".split()),
)
"""The names of the functions."""


def floats_text() -> str:
    """The functions, as LLVM IR."""
    parameters = map(_parameter, ("width", "fraction", "bias", "form"))
    binary = (_BINARY.replace("NAME", name).replace("COMPUTED", made) for name, made in _COMPUTED.items())
    return "".join((_DECLARED, _TABLES, *parameters, _READING, _WRITING, *binary, _OTHERS))
