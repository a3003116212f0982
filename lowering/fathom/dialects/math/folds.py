"""What the functions of the math dialect fold to, of constants.

The functions of the C library are called where MLIR calls them, for `f32` and `f64`; all else is computed exactly.
Source of the rules: `mlir/lib/Dialect/Math/IR/MathOps.cpp` of MLIR 22.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from ctypes import CDLL, c_double, c_float
from ctypes.util import find_library
from fractions import Fraction
from functools import cache
from typing import Final, TypeAlias, TypeVar

from fathom.dialects.arith.elements import apply_binary, apply_unary, as_signed, as_unsigned, width_of
from fathom.dialects.arith.folds import materialize_constant
from fathom.ir.attributes import FALSE, TRUE, DenseElementsAttr, FloatAttr
from fathom.ir.float_arithmetic import is_zero, quiet
from fathom.ir.floats import SEMANTICS, from_fraction, is_infinity, is_nan, is_negative, nan, to_fraction
from fathom.ir.operation import Operation
from fathom.ir.types import FloatType, ShapedType, Type, element_type
from fathom.irdl.folding import Constants, Fold, Folded, one
from fathom.ops import math as ops
from fathom.slices import checkpoint

OnBits: TypeAlias = "Callable[[int, str], int | None]"
"""From the bit pattern of a float of a type, or None where MLIR does not fold."""


T = TypeVar("T")


def _unary(function: Callable[[int, T], int | None], of: Callable[[Type], T]) -> Fold:
    """A function of an element, and of what the type of the operand says of it."""

    def fold(op: Operation, constants: Constants) -> Folded:
        about = of(op.operands[0].type)
        return one(apply_unary(lambda a: function(a, about), constants, op.result.type))

    return fold


def _binary(function: Callable[[int, int, T], int | None], of: Callable[[Type], T]) -> Fold:
    """A function of two elements."""

    def fold(op: ops.Atan2Op | ops.CopysignOp | ops.IpowiOp | ops.PowfOp, constants: Constants) -> Folded:
        about = of(op.lhs.type)
        return one(apply_binary(lambda a, b: function(a, b, about), constants, op.result.type))

    return fold


def _element_name(type: Type) -> str:
    element = element_type(type)
    return element.name if isinstance(element, FloatType) else ""


# ---- the C library


@cache
def _function(name: str, arity: int, *, single: bool) -> Callable[..., float] | None:
    """A function of the C library, of `float` or of `double`; None where the library has none."""
    library = _library()
    number = c_float if single else c_double
    try:
        function = getattr(library, f"{name}f" if single else name)
    except AttributeError:
        return None
    function.argtypes = [number] * arity
    function.restype = number
    return function


@cache
def _library() -> CDLL | None:
    path = find_library("m")
    return CDLL(path) if path is not None else None


def _call(name: str, values: Sequence[int], type: str) -> int | None:
    if type not in ("f32", "f64"):
        return None
    function = _function(name, len(values), single=type == "f32")
    if function is None:
        return None
    layouts = ("<I", "<f") if type == "f32" else ("<Q", "<d")
    numbers = [struct.unpack(layouts[1], struct.pack(layouts[0], value))[0] for value in values]
    return struct.unpack(layouts[0], struct.pack(layouts[1], function(*numbers)))[0]


def _of_library(name: str, unless: Callable[[int, str], bool] = lambda bits, type: False) -> Fold:
    """`name` of a constant, unless it is outside of what MLIR folds."""
    return _unary(lambda a, type: None if unless(a, type) else _call(name, (a,), type), _element_name)


def _is_below_minus_one(bits: int, type: str) -> bool:
    """Whether the float plus one is negative, rounded as the type rounds."""
    if is_nan(bits, type) or is_infinity(bits, type):
        return is_negative(bits, type)
    return to_fraction(bits, type) < -1


def _angle(a: int, b: int, type: str) -> int | None:
    both_zero = is_zero(a, type) and is_zero(b, type)
    return nan(type) if both_zero else _call("atan2", (a, b), type)


# ---- bits of floats


def _sign_bit(type: str) -> int:
    s = SEMANTICS[type]
    return 1 << (s.width - 1) if s.signed else 0


def _exactly(function: OnBits) -> Fold:
    return _unary(function, _element_name)


def _integral(rounded: Callable[[Fraction], int]) -> OnBits:
    """The float rounded to an integral one; a zero keeps the sign."""

    def round_bits(bits: int, type: str) -> int:
        if is_nan(bits, type):
            return quiet(bits, type)
        if is_infinity(bits, type):
            return bits
        return from_fraction(Fraction(rounded(to_fraction(bits, type))), type, negative_zero=is_negative(bits, type))

    return round_bits


def _with_sign(a: int, b: int, type: str) -> int:
    sign = _sign_bit(type)
    return (a & ~sign) | (b & sign)


def _is_normal(bits: int, type: str) -> bool:
    if is_nan(bits, type) or is_infinity(bits, type) or is_zero(bits, type):
        return False
    s = SEMANTICS[type]
    stored = s.mantissa + s.explicit_integer_bit
    return bool(bits >> stored & ((1 << s.exponent) - 1))


def _is_finite(bits: int, type: str) -> bool:
    return not is_nan(bits, type) and not is_infinity(bits, type)


def _test(holds: Callable[[int, str], bool]) -> Fold:
    """Whether something holds of a float, or of a splat of them."""

    def fold(op: Operation, constants: Constants) -> Folded:
        result = op.result.type
        match constants[0] if constants else None:
            case FloatAttr(bits, type):
                return [TRUE if holds(bits, type.name) else FALSE]
            case DenseElementsAttr((int(bits),), ShapedType(element=FloatType(name))) if isinstance(result, ShapedType):
                return [DenseElementsAttr((int(holds(bits, name)),), result)]
            case _:
                return None

    return fold


# ---- integers


def _on_width(function: Callable[[int, int], int]) -> Fold:
    """A function of an integer's bits, taken as unsigned, and their number."""
    return _unary(lambda a, width: function(as_unsigned(a, width), width), width_of)


def _trailing_zeros(bits: int, width: int) -> int:
    return (bits & -bits).bit_length() - 1 if bits else width


MOST_BITS: Final = 1 << 20
"""A power whose number of bits times the width is more than this is not computed: of integers of up to 1,024 bits, all
are."""


def _wrapped_power(base: int, power: int, mask: int) -> int:
    """A power in the bits of a mask, by squaring: `pow` would not stand still in between."""
    result = 1
    while power:
        checkpoint()
        if power & 1:
            result = result * base & mask
        base = base * base & mask
        power >>= 1
    return result


def _power(base: int, power: int, width: int) -> int | None:
    base, power = as_signed(base, width), as_signed(power, width)
    if power >= 0:
        # Each bit of the power takes a product of so many bits.
        return _wrapped_power(base, power, (1 << width) - 1) if width * power.bit_length() <= MOST_BITS else None
    if base == 0:
        return None
    if base == 1 or width == 1:
        return 1
    if base != -1:
        return 0
    return -1 if power & 1 else 1


_LIBRARY: Final = (
    "acos acosh asin asinh atan atanh cos cosh sin sinh erf erfc exp exp2 expm1 tan tanh round trunc".split()
)

FOLDS: Final[Mapping[str, Fold]] = {
    **{f"math.{name}": _of_library(name) for name in _LIBRARY},
    **{f"math.{name}": _of_library(name, is_negative) for name in ("log", "log2", "log10", "sqrt")},
    "math.log1p": _of_library("log1p", _is_below_minus_one),
    "math.atan2": _binary(_angle, _element_name),
    "math.powf": _binary(lambda a, b, type: _call("pow", (a, b), type), _element_name),
    "math.copysign": _binary(_with_sign, _element_name),
    "math.absf": _exactly(lambda bits, type: bits & ~_sign_bit(type)),
    "math.ceil": _exactly(_integral(math.ceil)),
    "math.floor": _exactly(_integral(math.floor)),
    "math.roundeven": _exactly(_integral(round)),
    "math.isfinite": _test(_is_finite),
    "math.isinf": _test(is_infinity),
    "math.isnan": _test(is_nan),
    "math.isnormal": _test(_is_normal),
    "math.absi": _on_width(lambda bits, width: abs(as_signed(bits, width))),
    "math.ctlz": _on_width(lambda bits, width: width - bits.bit_length()),
    "math.cttz": _on_width(_trailing_zeros),
    "math.ctpop": _on_width(lambda bits, _: bits.bit_count()),
    "math.ipowi": _binary(_power, width_of),
}
MATERIALIZE_CONSTANT: Final = materialize_constant
