"""What element-wise operations of tosa compute of scalars: a table of operations of arith and math, and rules for those
that take several.

Source of the rules: *TOSA specification*, "Elementwise Unary", "Binary" and "Ternary Operators", "Comparison" and
"Activation Functions", and the order of the operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.dialects.arith.elements import as_signed, width_of
from fathom.dialects.tosa.splat_casts import converted
from fathom.dialects.tosa.values import constant_of, zero_point
from fathom.ir.attributes import FloatAttr, IntegerAttr
from fathom.ir.types import I1, I32, FloatType, IntegerType, Type, element_type
from fathom.irdl.cases import word
from fathom.passes.arith_expansion.building import unary
from fathom.passes.arithmetic import binary, compare, compare_floats, constant, select
from fathom.passes.conversions.tosa_to_linalg.casts import cast
from fathom.passes.tosa.constants import real, rounding_mode
from fathom.passes.tosa.limits import clamp, clamp_floats, highest, lowest
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.rewriter import Rewriter

Rule: TypeAlias = "Callable[[Any, Sequence[Value], Any, Rewriter], Value | Failure]"
"""`rule(op, arguments, type, rewriter)` makes the element, of a type, of the elements of the operands."""

UNHANDLED: Final = Failure("unhandled op for linalg body calculation for elementwise op")


def compute(op: Operation, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value | Failure:
    """The element of the result."""
    element = element_type(op.operands[0].type)
    rule = OF_ALL.get(op.name)
    if rule is not None:
        return rule(op, arguments, type, rewriter)
    make = FLOATS.get(op.name) if isinstance(element, FloatType) else INTEGERS.get(op.name)
    if make is None or not isinstance(element, (FloatType, IntegerType)):
        return UNHANDLED
    if isinstance(make, str):
        return rewriter.create(make, arguments, [type]).result
    return make(op, arguments, type, rewriter)


# ---- integers


def _abs(op: Operation, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value:
    negated = binary(rewriter, "subi", constant(rewriter, 0, type), arguments[0])
    return binary(rewriter, "maxsi", arguments[0], negated)


def _not(op: Operation, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value:
    return binary(rewriter, "xori", arguments[0], constant(rewriter, -1, type))


def _shift_right(op: ops.ArithmeticRightShiftOp, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value:
    """If it rounds, the last bit that is shifted away is added, if one is."""
    value, amount = arguments
    result = binary(rewriter, "shrsi", value, amount)
    if not op.round.value:
        return result
    one, zero = constant(rewriter, 1, type), constant(rewriter, 0, type)
    false, true = constant(rewriter, 0, I1), constant(rewriter, 1, I1)
    is_shifted = compare(rewriter, "sgt", amount, zero)
    last = binary(rewriter, "shrsi", value, binary(rewriter, "subi", amount, one))
    is_odd = binary(rewriter, "andi", unary(rewriter, "trunci", last, I1), true)
    rounds = select(rewriter, is_shifted, is_odd, false)
    return binary(rewriter, "addi", result, unary(rewriter, "extui", rounds, type))


def _clz(op: Operation, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value:
    return rewriter.create("math.ctlz", arguments[:1], [type]).result


def _clamp(op: ops.ClampOp, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value | Failure:
    """The limits are brought into the range of the type."""
    element = element_type(op.input.type)
    low, high = op.min_val, op.max_val
    if not isinstance(element, IntegerType) or not isinstance(low, IntegerAttr) or not isinstance(high, IntegerAttr):
        return UNHANDLED
    is_unsigned = element.signedness == "u"
    least = 0 if is_unsigned else lowest(element)
    most = (1 << element.width) - 1 if is_unsigned else highest(element)
    signless = IntegerType(element.width)
    bounds = [as_signed(attribute.value, width_of(attribute.type)) for attribute in (low, high)]
    limits = [constant(rewriter, min(max(bound, least), most), signless) for bound in bounds]
    return clamp(rewriter, arguments[0], limits[0], limits[1], unsigned=is_unsigned)


# ---- floats


def _reciprocal(op: Operation, arguments: Sequence[Value], type: FloatType, rewriter: Rewriter) -> Value:
    return binary(rewriter, "divf", real(rewriter, 1.0, type), arguments[0])


def _sigmoid(op: Operation, arguments: Sequence[Value], type: FloatType, rewriter: Rewriter) -> Value:
    """`1 / (1 + exp(-x))`."""
    one = real(rewriter, 1.0, type)
    negated = unary(rewriter, "negf", arguments[0], type)
    power = rewriter.create("math.exp", [negated], [type]).result
    return binary(rewriter, "divf", one, binary(rewriter, "addf", power, one))


def _extremum(name: str) -> Rule:
    """One that ignores what is no number takes the other operand in its place."""

    def rule(op: Operation, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value:
        one, other = arguments
        result = binary(rewriter, name, one, other)
        if word(op, "nan_mode") != "IGNORE":
            return result
        is_first = compare_floats(rewriter, "uno", one, one)
        is_second = compare_floats(rewriter, "uno", other, other)
        return select(rewriter, is_second, one, select(rewriter, is_first, other, result))

    return rule


def _clamp_floats(op: ops.ClampOp, arguments: Sequence[Value], type: FloatType, rewriter: Rewriter) -> Value | Failure:
    limits: list[Value] = []
    for limit in (op.min_val, op.max_val):
        bits = converted(limit.bits, limit.type, type) if isinstance(limit, FloatAttr) else None
        if bits is None:
            return UNHANDLED
        limits.append(rewriter.constant(FloatAttr(bits, type), type))
    (value,), (low, high) = arguments, limits
    result = clamp_floats(rewriter, value, low, high)
    if word(op, "nan_mode") != "IGNORE":
        return result
    return select(rewriter, compare_floats(rewriter, "uno", value, value), low, result)


# ---- both


def _comparison(of_floats: str, of_integers: str) -> tuple[Rule, Rule]:
    def on_floats(op: Operation, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value:
        return compare_floats(rewriter, of_floats, arguments[0], arguments[1])

    def on_integers(op: Operation, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value:
        return compare(rewriter, of_integers, arguments[0], arguments[1])

    return on_floats, _signless(on_integers)


def _signless(rule: Rule) -> Rule:
    """A rule that is for integers without a sign only."""

    def checked(op: Operation, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value | Failure:
        element = element_type(op.operands[0].type)
        if isinstance(element, IntegerType) and element.signedness:
            return UNHANDLED
        return rule(op, arguments, type, rewriter)

    return checked


def _integer_extremum(name: str) -> Rule:
    return _signless(lambda op, arguments, type, rewriter: binary(rewriter, name, arguments[0], arguments[1]))


def _select(op: Operation, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value | Failure:
    if not isinstance(element_type(op.operands[1].type), (FloatType, IntegerType)):
        return UNHANDLED
    return select(rewriter, arguments[0], arguments[1], arguments[2])


def _mul(op: ops.MulOp, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value | Failure:
    """A product of integers is scaled where there is a shift, or may be."""
    shift = _shift(op)
    element = element_type(op.input1.type)
    one, other = arguments[:2]
    if isinstance(element, FloatType):
        return Failure("Cannot have shift value for float") if shift else binary(rewriter, "mulf", one, other)
    if not isinstance(element, IntegerType) or not isinstance(type, IntegerType):
        return UNHANDLED
    if shift is None or shift > 0:
        amount = arguments[2] if shift is None else constant(rewriter, shift, IntegerType(8))
        factors = [value if value.type == I32 else unary(rewriter, "extsi", value, I32) for value in (one, other)]
        properties = {"rounding_mode": rounding_mode("SINGLE_ROUND")}
        return rewriter.create("tosa.apply_scale", [*factors, amount], [I32], properties).result
    factors = [
        value if _width(value) >= type.width else unary(rewriter, "extsi", value, type) for value in (one, other)
    ]
    return rewriter.create("arith.muli", factors, [type]).result


def _width(value: Value) -> int:
    assert isinstance(value.type, (IntegerType, FloatType)), "an element is a number"
    return value.type.width


def _shift(op: ops.MulOp) -> int | None:
    """How far a product is shifted; None where that is not known. For floats, of which none is known, it is 0."""
    shift = constant_of(op.shift)
    if shift is None:
        return 0 if isinstance(element_type(op.input1.type), FloatType) else None
    return zero_point(op.shift)


def _negate(op: ops.NegateOp, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value | Failure:
    """Both zero points less the value, in as many bits as hold it, and back in the range of the type."""
    element = element_type(op.input1.type)
    if isinstance(element, FloatType):
        return unary(rewriter, "negf", arguments[0], type)
    if not isinstance(element, IntegerType):
        return UNHANDLED
    points = [zero_point(op.input1_zp), zero_point(op.output_zp)]
    known = [point for point in points if point is not None]
    if len(known) == 2:
        most = highest(element) + abs(sum(known)) + 1
        wide = IntegerType(next((width for width in (16, 32) if most <= highest(IntegerType(width))), 64))
        zero = constant(rewriter, sum(known), wide)
    elif len(arguments) == 3:
        wide = IntegerType(64)
        one, other = (_extended(rewriter, argument, wide) for argument in arguments[1:])
        zero = binary(rewriter, "addi", one, other)
    else:
        return Failure("one zero point is known and the other is not")
    negated = binary(rewriter, "subi", zero, _extended(rewriter, arguments[0], wide))
    limits = [constant(rewriter, number, wide) for number in (lowest(element), highest(element))]
    result = clamp(rewriter, negated, limits[0], limits[1])
    return result if result.type == element else unary(rewriter, "trunci", result, element)


def _extended(rewriter: Rewriter, value: Value, type: Type) -> Value:
    return value if value.type == type else unary(rewriter, "extsi", value, type)


# ---- the tables


_COMPARISONS: Final = {
    "tosa.equal": _comparison("oeq", "eq"),
    "tosa.greater": _comparison("ogt", "sgt"),
    "tosa.greater_equal": _comparison("oge", "sge"),
}
OF_ALL: Final[Mapping[str, Rule]] = {
    "tosa.cast": cast,
    "tosa.mul": _mul,
    "tosa.negate": _negate,
    "tosa.select": _select,
}
FLOATS: Final[Mapping[str, str | Rule]] = {
    "tosa.abs": "math.absf",
    "tosa.add": "arith.addf",
    "tosa.ceil": "math.ceil",
    "tosa.clamp": _clamp_floats,
    "tosa.cos": "math.cos",
    "tosa.erf": "math.erf",
    "tosa.exp": "math.exp",
    "tosa.floor": "math.floor",
    "tosa.log": "math.log",
    "tosa.maximum": _extremum("maximumf"),
    "tosa.minimum": _extremum("minimumf"),
    "tosa.pow": "math.powf",
    "tosa.reciprocal": _reciprocal,
    "tosa.rsqrt": "math.rsqrt",
    "tosa.sigmoid": _sigmoid,
    "tosa.sin": "math.sin",
    "tosa.sub": "arith.subf",
    "tosa.tanh": "math.tanh",
    **{name: rule for name, (rule, _) in _COMPARISONS.items()},
}
INTEGERS: Final[Mapping[str, str | Rule]] = {
    "tosa.abs": _abs,
    "tosa.add": "arith.addi",
    "tosa.arithmetic_right_shift": _shift_right,
    "tosa.bitwise_and": "arith.andi",
    "tosa.bitwise_not": _not,
    "tosa.bitwise_or": "arith.ori",
    "tosa.bitwise_xor": "arith.xori",
    "tosa.clamp": _clamp,
    "tosa.clz": _clz,
    "tosa.intdiv": "arith.divsi",
    "tosa.logical_and": "arith.andi",
    "tosa.logical_left_shift": "arith.shli",
    "tosa.logical_not": _not,
    "tosa.logical_or": "arith.ori",
    "tosa.logical_right_shift": "arith.shrui",
    "tosa.logical_xor": "arith.xori",
    "tosa.maximum": _integer_extremum("maxsi"),
    "tosa.minimum": _integer_extremum("minsi"),
    "tosa.sub": "arith.subi",
    **{name: rule for name, (_, rule) in _COMPARISONS.items()},
}
"""What floats and integers become: an operation, or a rule."""

ELEMENTWISE: Final = tuple(dict.fromkeys((*OF_ALL, *FLOATS, *INTEGERS)))
