"""The canonicalisation of arithmetic: constants meet, casts of casts become one, choices become simpler.

Source of the rules: mlir-opt 22; the order and the benefit of the patterns are MLIR's, where a rule that matches two
operations is tried before one that matches one. The comments are the rules, `c` standing for constants.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith import converted_comparisons
from fathom.dialects.arith.attributes import NO_OVERFLOW, OVERFLOW
from fathom.dialects.arith.elements import integer_value, scalar, truth_type, width_of, zero_of
from fathom.dialects.arith.integer_folds import inverted_predicate
from fathom.ir.attributes import Attribute, EnumAttr, IntegerAttr, i64_attr
from fathom.ir.types import I1, IntegerType, Type
from fathom.irdl.constraints import enum_attribute
from fathom.rewriting.folding import constant_value, integer_constant
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, RewriteFunction, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

LEFT: Final = 0
RIGHT: Final = 1


def splat_constant(value: Value) -> int | None:
    """The number of an integer constant, also of one that is the same in all elements."""
    return integer_value(constant_value(value))


def create_constant(rewriter: Rewriter, value: Attribute, type: Type) -> Value:
    return rewriter.create("arith.constant", (), [type], {"value": value}).result


def flags_of(op: Operation) -> int:
    """What may not overflow, in bits."""
    flags = op.properties.get("overflowFlags")
    return flags.value if isinstance(flags, EnumAttr) else 0


# ---- sums, differences and products of constants


def _summand(value: Value) -> int | None:
    """The number of a constant that is of the type that it states."""
    attribute = constant_value(value)
    return attribute.value if isinstance(attribute, IntegerAttr) and attribute.type == value.type else None


def meet(
    name: str,
    outer: str,
    outer_side: int,
    inner: str,
    inner_side: int,
    result: str,
    result_side: int,
    fold: Callable[[int, int], int],
    *,
    keeps_flags: bool = True,
) -> Pattern:
    """The pattern for two operations with a constant each, on the given sides: `outer(inner(x, c0), c1)`, say, becomes
    `result(x, fold(c0, c1))`, with the flags against overflow that both have."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        last = _summand(op.operands[outer_side])
        nested = defined_by(op.operands[1 - outer_side], f"arith.{inner}")
        first = _summand(nested.operands[inner_side]) if nested is not None else None
        if nested is None or first is None or last is None:
            return NO_MATCH
        type = op.results[0].type
        value = scalar(fold(first, last), type)
        if value is None:
            return NO_MATCH
        rest = nested.operands[1 - inner_side]
        made = create_constant(rewriter, value, type)
        flags = enum_attribute(OVERFLOW, flags_of(op) & flags_of(nested)) if keeps_flags else NO_OVERFLOW
        pair = [made, rest] if result_side == LEFT else [rest, made]
        rewriter.replace_with(op, f"arith.{result}", pair, [type], {"overflowFlags": flags})
        return None

    return Pattern(f"arith.{outer}", rewrite, benefit=2, name=name)


def negated_summand(product_side: int) -> RewriteFunction:
    """X + y * -1 = x - y."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        product = defined_by(op.operands[product_side], "arith.muli")
        factor = splat_constant(product.operands[RIGHT]) if product is not None else None
        if product is None or factor is None or (factor + 1) % (1 << width_of(op.results[0].type)):
            return NO_MATCH
        operands = [op.operands[1 - product_side], product.operands[LEFT]]
        rewriter.replace_with(op, "arith.subi", operands, [op.results[0].type])
        return None

    return rewrite


def minus_itself(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """(x - y) - x = 0 - y."""
    difference = defined_by(op.operands[LEFT], "arith.subi")
    type = op.results[0].type
    zero = zero_of(type)
    if difference is None or difference.operands[LEFT] is not op.operands[RIGHT] or zero is None:
        return NO_MATCH
    flags = enum_attribute(OVERFLOW, flags_of(op) & flags_of(difference))
    pair = [create_constant(rewriter, zero, type), difference.operands[RIGHT]]
    rewriter.replace_with(op, "arith.subi", pair, [type], {"overflowFlags": flags})
    return None


def low_half_only(name: str) -> RewriteFunction:
    """An extended operation whose second result is not used, as the plain one."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        if op.results[1].uses:
            return NO_MATCH
        low = rewriter.create(name, op.operands, [op.results[0].type]).result
        rewriter.replace(op, [low, op.operands[LEFT]])
        return None

    return rewrite


def times_one(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The halves of x * 1 are x, and its sign in every bit."""
    value, type = op.operands[LEFT], op.results[0].type
    zero = zero_of(type)
    if splat_constant(op.operands[RIGHT]) != 1 or width_of(type) == 1 or zero is None:
        return NO_MATCH
    nothing = create_constant(rewriter, zero, type)
    is_negative = rewriter.create("arith.cmpi", [value, nothing], [truth_type(type)], {"predicate": SLT}).result
    rewriter.replace(op, [value, rewriter.create("arith.extsi", [is_negative], [type]).result])
    return None


SLT: Final = i64_attr(2)


# ---- bits and comparisons


def of_extensions(name: str, root: str, extension: str) -> Pattern:
    """`root(ext(x), ext(y))` = `ext(root(x, y))`, for x and y of one type."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        lhs, rhs = (defined_by(operand, extension) for operand in op.operands)
        if lhs is None or rhs is None or lhs.operands[0].type != rhs.operands[0].type:
            return NO_MATCH
        narrow = rewriter.create(root, [lhs.operands[0], rhs.operands[0]], [lhs.operands[0].type]).result
        rewriter.replace_with(op, extension, [narrow], [op.results[0].type])
        return None

    return Pattern(root, rewrite, benefit=3, name=name)


def not_of_comparison(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Not (a < b) = a >= b."""
    comparison = defined_by(op.operands[LEFT], "arith.cmpi")
    predicate = comparison.properties.get("predicate") if comparison is not None else None
    if comparison is None or not isinstance(predicate, IntegerAttr) or constant_value(op.operands[RIGHT]) != TRUE:
        return NO_MATCH
    inverted = inverted_predicate(predicate)
    rewriter.replace_with(op, "arith.cmpi", comparison.operands, [op.results[0].type], {"predicate": inverted})
    return None


TRUE: Final = IntegerAttr(1, I1)
FALSE: Final = IntegerAttr(0, I1)


def compare_extensions(extension: str) -> RewriteFunction:
    """Ext(a) == ext(b) where a == b, and != likewise."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        lhs, rhs = (defined_by(operand, extension) for operand in op.operands)
        predicate = op.properties.get("predicate")
        if lhs is None or rhs is None or lhs.operands[0].type != rhs.operands[0].type:
            return NO_MATCH
        if not isinstance(predicate, IntegerAttr) or predicate.value > 1:
            return NO_MATCH
        pair = [lhs.operands[0], rhs.operands[0]]
        rewriter.replace_with(op, "arith.cmpi", pair, [op.results[0].type], {"predicate": predicate})
        return None

    return rewrite


# ---- select


def choice_in_choice(position: int) -> RewriteFunction:
    """Select c, (select c, a, b), d = select c, a, d; and select c, a, (select c, b, d) = select c, a, d."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        inner = defined_by(op.operands[position], "arith.select")
        if inner is None or inner.operands[0] is not op.operands[0]:
            return NO_MATCH
        values = list(op.operands)
        values[position] = inner.operands[position]
        rewriter.replace_with(op, "arith.select", values, [op.results[0].type])
        return None

    return rewrite


def choice_by_not(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Select (not c), a, b = select c, b, a."""
    condition, when_true, when_false = op.operands
    inverted = defined_by(condition, "arith.xori")
    if inverted is None or integer_constant(inverted.operands[RIGHT]) != 1:
        return NO_MATCH
    rewriter.replace_with(op, "arith.select", [inverted.operands[LEFT], when_false, when_true], [op.results[0].type])
    return None


def choice_of_false_and_true(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Select c, false, true = not c."""
    if [constant_value(operand) for operand in op.operands[1:]] != [FALSE, TRUE]:
        return NO_MATCH
    true = create_constant(rewriter, TRUE, I1)
    rewriter.replace_with(op, "arith.xori", [op.operands[0], true], [op.results[0].type])
    return None


def choice_of_one_and_zero(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Select c, 1, 0 = extui c; select c, 0, 1 = extui (not c)."""
    type = op.results[0].type
    if not isinstance(type, IntegerType) or type.width == 1:
        return NO_MATCH
    condition = op.operands[0]
    match [integer_constant(operand) for operand in op.operands[1:]]:
        case [1, 0]:
            pass
        case [0, 1]:
            true = create_constant(rewriter, TRUE, I1)
            condition = rewriter.create("arith.xori", [condition, true], [I1]).result
        case _:
            return NO_MATCH
    rewriter.replace_with(op, "arith.extui", [condition], [type])
    return None


# ---- casts


def there_and_back(name: str) -> RewriteFunction:
    """A cast of a cast that gives the type it came from."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        inner = defined_by(op.operands[0], name)
        if inner is None or inner.operands[0].type != op.results[0].type:
            return NO_MATCH
        rewriter.replace(op, [inner.operands[0]])
        return None

    return rewrite


def cast_of_cast(inner_name: str, result: str) -> RewriteFunction:
    """A cast of a cast, as one cast from the first value."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        inner = defined_by(op.operands[0], inner_name)
        if inner is None:
            return NO_MATCH
        rewriter.replace_with(op, result, [inner.operands[0]], [op.results[0].type])
        return None

    return rewrite


def truncated_extension(extension: str) -> RewriteFunction:
    """Trunc(ext(x)) to a type that is still wider than x = ext(x)."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        inner = defined_by(op.operands[0], extension)
        type = op.results[0].type
        if inner is None or not 0 < width_of(inner.operands[0].type) < width_of(type) < width_of(inner.results[0].type):
            return NO_MATCH
        rewriter.replace_with(op, extension, [inner.operands[0]], [type])
        return None

    return rewrite


def truncated_shift(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Trunc(x >> c), signed, where the truncation drops just what the sign filled in: the unsigned shift does."""
    shift = defined_by(op.operands[0], "arith.shrsi")
    distance = splat_constant(shift.operands[RIGHT]) if shift is not None else None
    if shift is None or distance != width_of(op.operands[0].type) - width_of(op.results[0].type):
        return NO_MATCH
    attribute = constant_value(shift.operands[RIGHT])
    if attribute is None:
        return NO_MATCH
    type = shift.results[0].type
    amount = create_constant(rewriter, attribute, type)
    exact = {"isExact": shift.properties["isExact"]} if "isExact" in shift.properties else {}
    shifted = rewriter.create("arith.shrui", [shift.operands[LEFT], amount], [type], exact).result
    rewriter.replace_with(op, "arith.trunci", [shifted], [op.results[0].type], op.properties)
    return None


def truncated_float(conversion: str) -> RewriteFunction:
    """Truncf(sitofp(x)) = sitofp(x)."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        inner = defined_by(op.operands[0], conversion)
        if inner is None or "roundingmode" in op.properties:
            return NO_MATCH
        rewriter.replace_with(op, conversion, [inner.operands[0]], [op.results[0].type])
        return None

    return rewrite


def of_negations(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """(-x) * (-y) = x * y, and for / likewise."""
    lhs, rhs = (defined_by(operand, "arith.negf") for operand in op.operands)
    if lhs is None or rhs is None:
        return NO_MATCH
    pair = [lhs.operands[0], rhs.operands[0]]
    rewriter.replace_with(op, op.name, pair, [op.results[0].type], op.properties)
    return None


def _plus(a: int, b: int) -> int:
    return a + b


def _less(a: int, b: int) -> int:
    return a - b


def _from(a: int, b: int) -> int:
    return b - a


def _times(a: int, b: int) -> int:
    return a * b


CANONICALIZATION: Final = (
    meet("AddIAddConstant", "addi", RIGHT, "addi", RIGHT, "addi", RIGHT, _plus),
    meet("AddISubConstantRHS", "addi", RIGHT, "subi", RIGHT, "addi", RIGHT, _from),
    meet("AddISubConstantLHS", "addi", RIGHT, "subi", LEFT, "subi", LEFT, _plus),
    Pattern("arith.addi", negated_summand(RIGHT), benefit=2, name="AddIMulNegativeOneRhs"),
    Pattern("arith.addi", negated_summand(LEFT), benefit=2, name="AddIMulNegativeOneLhs"),
    Pattern("arith.addui_extended", low_half_only("arith.addi"), name="AddUIExtendedToAddI"),
    meet("SubIRHSAddConstant", "subi", RIGHT, "addi", RIGHT, "addi", RIGHT, _less, keeps_flags=False),
    meet("SubILHSAddConstant", "subi", LEFT, "addi", RIGHT, "subi", LEFT, _from),
    meet("SubIRHSSubConstantRHS", "subi", RIGHT, "subi", RIGHT, "subi", RIGHT, _plus),
    meet("SubIRHSSubConstantLHS", "subi", RIGHT, "subi", LEFT, "subi", LEFT, _less),
    meet("SubILHSSubConstantRHS", "subi", LEFT, "subi", RIGHT, "subi", LEFT, _plus),
    meet("SubILHSSubConstantLHS", "subi", LEFT, "subi", LEFT, "addi", RIGHT, _from),
    Pattern("arith.subi", minus_itself, benefit=2, name="SubISubILHSRHSLHS"),
    meet("MulIMulIConstant", "muli", RIGHT, "muli", RIGHT, "muli", RIGHT, _times),
    Pattern("arith.mulsi_extended", low_half_only("arith.muli"), name="MulSIExtendedToMulI"),
    Pattern("arith.mulsi_extended", times_one, name="MulSIExtendedRHSOne"),
    Pattern("arith.mului_extended", low_half_only("arith.muli"), name="MulUIExtendedToMulI"),
    Pattern("arith.xori", not_of_comparison, benefit=2, name="XOrINotCmpI"),
    of_extensions("XOrIOfExtUI", "arith.xori", "arith.extui"),
    of_extensions("XOrIOfExtSI", "arith.xori", "arith.extsi"),
    of_extensions("AndOfExtUI", "arith.andi", "arith.extui"),
    of_extensions("AndOfExtSI", "arith.andi", "arith.extsi"),
    of_extensions("OrOfExtUI", "arith.ori", "arith.extui"),
    of_extensions("OrOfExtSI", "arith.ori", "arith.extsi"),
    Pattern("arith.cmpi", compare_extensions("arith.extsi"), benefit=3, name="CmpIExtSI"),
    Pattern("arith.cmpi", compare_extensions("arith.extui"), benefit=3, name="CmpIExtUI"),
    *converted_comparisons.PATTERNS,
    Pattern("arith.select", choice_in_choice(2), benefit=2, name="RedundantSelectFalse"),
    Pattern("arith.select", choice_in_choice(1), benefit=2, name="RedundantSelectTrue"),
    Pattern("arith.select", choice_by_not, benefit=2, name="SelectNotCond"),
    Pattern("arith.select", choice_of_false_and_true, name="SelectI1ToNot"),
    Pattern("arith.select", choice_of_one_and_zero, name="SelectToExtUI"),
    Pattern("arith.index_cast", there_and_back("arith.index_cast"), benefit=2, name="IndexCastOfIndexCast"),
    Pattern("arith.index_cast", cast_of_cast("arith.extsi", "arith.index_cast"), benefit=2, name="IndexCastOfExtSI"),
    Pattern("arith.index_castui", there_and_back("arith.index_castui"), benefit=2, name="IndexCastUIOfIndexCastUI"),
    Pattern(
        "arith.index_castui", cast_of_cast("arith.extui", "arith.index_castui"), benefit=2, name="IndexCastUIOfExtUI"
    ),
    Pattern("arith.bitcast", cast_of_cast("arith.bitcast", "arith.bitcast"), benefit=2, name="BitcastOfBitcast"),
    Pattern("arith.bitcast", cast_of_cast("complex.bitcast", "complex.bitcast"), name="MergeArithBitcast"),
    Pattern("arith.extsi", cast_of_cast("arith.extui", "arith.extui"), benefit=2, name="ExtSIOfExtUI"),
    Pattern("arith.trunci", truncated_extension("arith.extsi"), benefit=2, name="TruncIExtSIToExtSI"),
    Pattern("arith.trunci", truncated_extension("arith.extui"), benefit=2, name="TruncIExtUIToExtUI"),
    Pattern("arith.trunci", truncated_shift, benefit=2, name="TruncIShrSIToTrunciShrUI"),
    Pattern("arith.truncf", truncated_float("arith.sitofp"), benefit=2, name="TruncFSIToFPToSIToFP"),
    Pattern("arith.truncf", truncated_float("arith.uitofp"), benefit=2, name="TruncFUIToFPToUIToFP"),
    Pattern("arith.mulf", of_negations, benefit=3, name="MulFOfNegF"),
    Pattern("arith.divf", of_negations, benefit=3, name="DivFOfNegF"),
)
