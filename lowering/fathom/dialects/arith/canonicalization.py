"""The canonicalisation of arithmetic: constants meet, casts of casts become one, choices become simpler.

Source of the rules: mlir-opt 22; the order and the benefit of the patterns are MLIR's, where a rule that matches two
operations is tried before one that matches one. The comments are the rules, `c` standing for constants.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add, mul, sub
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.arith import converted_comparisons
from fathom.dialects.arith.attributes import OVERFLOW, OVERFLOW_FLAGS
from fathom.dialects.arith.elements import scalar, splat_constant, truth_type, width_of, zero_of
from fathom.dialects.arith.integer_folds import inverted_predicate
from fathom.dialects.arith.overflow import flags_kept
from fathom.ir.attributes import IntegerAttr, i64_attr
from fathom.ir.types import I1, IntegerType
from fathom.irdl.constraints import enum_attribute
from fathom.ops import arith as ops
from fathom.ops import complex
from fathom.rewriting.folding import constant_value, integer_constant
from fathom.rewriting.pattern import GiveFunction, Pattern, Replacement, defined_by, of_another, replacing

if TYPE_CHECKING:
    from fathom.dialects.arith.casts import Cast
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

LEFT: Final = 0
RIGHT: Final = 1


Overflowing: TypeAlias = "ops.AddiOp | ops.SubiOp | ops.MuliOp"


# ---- sums, differences and products of constants


def _summand(value: Value) -> int | None:
    """The number of a constant that is of the type that it states."""
    attribute = constant_value(value)
    return attribute.value if isinstance(attribute, IntegerAttr) and attribute.type == value.type else None


def meet(
    name: str,
    outer: str,
    outer_side: int,
    inner: type[Overflowing],
    inner_side: int,
    result: str,
    result_side: int,
    fold: Callable[[int, int], int],
    *,
    keeps_flags: bool = True,
) -> Pattern:
    """The pattern for two operations with a constant each, on the given sides: `outer(inner(x, c0), c1)`, say, becomes
    `result(x, fold(c0, c1))`, with the flags against overflow that both have, as far as they hold. MLIR 22 does not ask
    that, and `x - 2 - 1` on 2 bits, which is -2 where `x` is 1, has no value then."""

    def rewrite(op: Overflowing, rewriter: Rewriter) -> Replacement:
        nested = defined_by(op.operands[1 - outer_side], inner)
        first = _summand(nested.operands[inner_side]) if nested is not None else None
        last, type = _summand(op.operands[outer_side]), op.result.type
        if nested is None or first is None or last is None:
            return None
        value = scalar(fold(first, last), type)
        if value is None:
            return None
        rest, made = nested.operands[1 - inner_side], rewriter.constant(value, type)
        pair = [made, rest] if result_side == LEFT else [rest, made]
        flags = op.overflowFlags.value & nested.overflowFlags.value if keeps_flags else 0
        if flags:
            both = (nested.name, first, inner_side == LEFT), (op.name, last, outer_side == LEFT)
            flags &= flags_kept(both, (f"arith.{result}", fold(first, last), result_side == LEFT), width_of(type))
        return rewriter.create(f"arith.{result}", pair, [type], {"overflowFlags": enum_attribute(OVERFLOW, flags)})

    return replacing(f"arith.{outer}", rewrite, benefit=2, name=name)


def negated_summand(product_side: int) -> GiveFunction:
    """X + y * -1 = x - y."""

    def rewrite(op: ops.AddiOp, rewriter: Rewriter) -> Replacement:
        product = defined_by(op.operands[product_side], ops.MuliOp)
        factor = splat_constant(product.rhs) if product is not None else None
        if product is None or factor is None or (factor + 1) % (1 << width_of(op.result.type)):
            return None
        return rewriter.create("arith.subi", [op.operands[1 - product_side], product.lhs], [op.result.type])

    return rewrite


def minus_itself(op: ops.SubiOp, rewriter: Rewriter) -> Replacement:
    """(x - y) - x = 0 - y."""
    difference, type = defined_by(op.lhs, ops.SubiOp), op.result.type
    zero = zero_of(type)
    if difference is None or difference.lhs is not op.rhs or zero is None:
        return None
    flags = enum_attribute(OVERFLOW, op.overflowFlags.value & difference.overflowFlags.value)
    pair = [rewriter.constant(zero, type), difference.rhs]
    return rewriter.create("arith.subi", pair, [type], {"overflowFlags": flags})


def low_half_only(name: str) -> GiveFunction:
    """An extended operation whose second result is not used, as the plain one."""

    def rewrite(op: ops.AdduiExtendedOp | ops.MulsiExtendedOp | ops.MuluiExtendedOp, rewriter: Rewriter) -> Replacement:
        low, high = op.results
        if high.uses:
            return None
        return [rewriter.create(name, op.operands, [low.type]).result, op.lhs]

    return rewrite


def times_one(op: ops.MulsiExtendedOp, rewriter: Rewriter) -> Replacement:
    """The halves of x * 1 are x, and its sign in every bit."""
    value, type = op.lhs, op.low.type
    zero = zero_of(type)
    if splat_constant(op.rhs) != 1 or width_of(type) == 1 or zero is None:
        return None
    nothing = rewriter.constant(zero, type)
    is_negative = rewriter.create("arith.cmpi", [value, nothing], [truth_type(type)], {"predicate": SLT}).result
    return [value, rewriter.create("arith.extsi", [is_negative], [type]).result]


SLT: Final = i64_attr(2)


# ---- bits and comparisons


def _sources(op: Operation, kind: type[Cast | ops.NegfOp]) -> list[Value] | None:
    """What both operands are made of by operations of this class, if that is of one type."""
    lhs, rhs = (defined_by(operand, kind) for operand in op.operands)
    pair = [*lhs.operands, *rhs.operands] if lhs is not None and rhs is not None else []
    return pair if pair and pair[0].type == pair[1].type else None


def of_extensions(name: str, root: str, kind: type[ops.ExtsiOp | ops.ExtuiOp], extension: str) -> Pattern:
    """`root(ext(x), ext(y))` = `ext(root(x, y))`, for x and y of one type."""

    def rewrite(op: Operation, rewriter: Rewriter) -> Replacement:
        pair = _sources(op, kind)
        if pair is None:
            return None
        narrow = rewriter.create(root, pair, [pair[0].type]).result
        return rewriter.create(extension, [narrow], [op.result.type])

    return replacing(root, rewrite, benefit=3, name=name)


def not_of_comparison(op: ops.XoriOp, rewriter: Rewriter) -> Replacement:
    """Not (a < b) = a >= b."""
    comparison = defined_by(op.lhs, ops.CmpiOp)
    if comparison is None or constant_value(op.rhs) != TRUE:
        return None
    properties = {"predicate": inverted_predicate(comparison.predicate)}
    return rewriter.create("arith.cmpi", comparison.operands, [op.result.type], properties)


TRUE: Final = IntegerAttr(1, I1)
FALSE: Final = IntegerAttr(0, I1)


def compare_extensions(extension: type[ops.ExtsiOp | ops.ExtuiOp]) -> GiveFunction:
    """Ext(a) == ext(b) where a == b, and != likewise."""

    def rewrite(op: ops.CmpiOp, rewriter: Rewriter) -> Replacement:
        pair = _sources(op, extension)
        if pair is None or op.predicate.value > 1:
            return None
        return rewriter.create("arith.cmpi", pair, [op.result.type], {"predicate": op.predicate})

    return rewrite


# ---- select


def choice_in_choice(position: int) -> GiveFunction:
    """Select c, (select c, a, b), d = select c, a, d; and select c, a, (select c, b, d) = select c, a, d."""

    def rewrite(op: ops.SelectOp, rewriter: Rewriter) -> Replacement:
        inner = defined_by(op.operands[position], ops.SelectOp)
        if inner is None or inner.condition is not op.condition:
            return None
        values = list(op.operands)
        values[position] = inner.operands[position]
        return rewriter.create("arith.select", values, [op.result.type])

    return rewrite


def choice_by_not(op: ops.SelectOp, rewriter: Rewriter) -> Replacement:
    """Select (not c), a, b = select c, b, a."""
    inverted = defined_by(op.condition, ops.XoriOp)
    if inverted is None or integer_constant(inverted.rhs) != 1:
        return None
    return rewriter.create("arith.select", [inverted.lhs, op.false_value, op.true_value], [op.result.type])


def choice_of_false_and_true(op: ops.SelectOp, rewriter: Rewriter) -> Replacement:
    """Select c, false, true = not c."""
    if [constant_value(op.true_value), constant_value(op.false_value)] != [FALSE, TRUE]:
        return None
    return rewriter.create("arith.xori", [op.condition, rewriter.constant(TRUE, I1)], [op.result.type])


def choice_of_one_and_zero(op: ops.SelectOp, rewriter: Rewriter) -> Replacement:
    """Select c, 1, 0 = extui c; select c, 0, 1 = extui (not c)."""
    type, condition = op.result.type, op.condition
    if not isinstance(type, IntegerType) or type.width == 1:
        return None
    choice = integer_constant(op.true_value), integer_constant(op.false_value)
    if choice not in ((0, 1), (1, 0)):
        return None
    if choice == (0, 1):
        condition = rewriter.create("arith.xori", [condition, rewriter.constant(TRUE, I1)], [I1]).result
    return rewriter.create("arith.extui", [condition], [type])


# ---- casts


def there_and_back(kind: type[ops.IndexCastOp | ops.IndexCastuiOp]) -> GiveFunction:
    """A cast of a cast that gives the type it came from, by one with as many bits. MLIR 22 does not ask that: it takes
    an index to be what is left of it in 8 bits."""

    def rewrite(op: ops.IndexCastOp | ops.IndexCastuiOp, rewriter: Rewriter) -> Replacement:
        inner = defined_by(op.in_, kind)
        if inner is None or inner.in_.type != op.out.type or width_of(op.in_.type) < width_of(op.out.type):
            return None
        return inner.in_

    return rewrite


def _is_wider_still(op: ops.TrunciOp, extension: ops.ExtsiOp | ops.ExtuiOp) -> bool:
    """Whether what is extended and truncated ends up wider than it was."""
    return 0 < width_of(extension.in_.type) < width_of(op.out.type) < width_of(extension.out.type)


def _rounds_freely(op: ops.TruncfOp, conversion: ops.SitofpOp | ops.UitofpOp) -> bool:
    return op.roundingmode is None


def truncated_shift(op: ops.TrunciOp, rewriter: Rewriter) -> Replacement:
    """Trunc(x >> c), signed, where the truncation drops just what the sign filled in: the unsigned shift does. That no
    sign is lost holds no more then, which MLIR 22 goes on to say."""
    shift = defined_by(op.in_, ops.ShrsiOp)
    amount = constant_value(shift.rhs) if shift is not None else None
    if shift is None or amount is None:
        return None
    type = shift.result.type
    if splat_constant(shift.rhs) != width_of(type) - width_of(op.out.type):
        return None
    pair = [shift.lhs, rewriter.constant(amount, type)]
    shifted = rewriter.create("arith.shrui", pair, [type], shift.properties).result
    flags = {"overflowFlags": enum_attribute(OVERFLOW, op.overflowFlags.value & ~OVERFLOW_FLAGS["nsw"])}
    return rewriter.create("arith.trunci", [shifted], [op.out.type], {**op.properties, **flags})


def of_negations(op: ops.MulfOp | ops.DivfOp, rewriter: Rewriter) -> Replacement:
    """(-x) * (-y) = x * y, and for / likewise."""
    pair = _sources(op, ops.NegfOp)
    if pair is None:
        return None
    return rewriter.create(op.name, pair, [op.result.type], op.properties)


def _from(a: int, b: int) -> int:
    return b - a


CANONICALIZATION: Final = (
    meet("AddIAddConstant", "addi", RIGHT, ops.AddiOp, RIGHT, "addi", RIGHT, add),
    meet("AddISubConstantRHS", "addi", RIGHT, ops.SubiOp, RIGHT, "addi", RIGHT, _from),
    meet("AddISubConstantLHS", "addi", RIGHT, ops.SubiOp, LEFT, "subi", LEFT, add),
    replacing("arith.addi", negated_summand(RIGHT), benefit=2, name="AddIMulNegativeOneRhs"),
    replacing("arith.addi", negated_summand(LEFT), benefit=2, name="AddIMulNegativeOneLhs"),
    replacing("arith.addui_extended", low_half_only("arith.addi"), name="AddUIExtendedToAddI"),
    meet("SubIRHSAddConstant", "subi", RIGHT, ops.AddiOp, RIGHT, "addi", RIGHT, sub, keeps_flags=False),
    meet("SubILHSAddConstant", "subi", LEFT, ops.AddiOp, RIGHT, "subi", LEFT, _from),
    meet("SubIRHSSubConstantRHS", "subi", RIGHT, ops.SubiOp, RIGHT, "subi", RIGHT, add),
    meet("SubIRHSSubConstantLHS", "subi", RIGHT, ops.SubiOp, LEFT, "subi", LEFT, sub),
    meet("SubILHSSubConstantRHS", "subi", LEFT, ops.SubiOp, RIGHT, "subi", LEFT, add),
    meet("SubILHSSubConstantLHS", "subi", LEFT, ops.SubiOp, LEFT, "addi", RIGHT, _from),
    replacing("arith.subi", minus_itself, benefit=2, name="SubISubILHSRHSLHS"),
    meet("MulIMulIConstant", "muli", RIGHT, ops.MuliOp, RIGHT, "muli", RIGHT, mul),
    replacing("arith.mulsi_extended", low_half_only("arith.muli"), name="MulSIExtendedToMulI"),
    replacing("arith.mulsi_extended", times_one, name="MulSIExtendedRHSOne"),
    replacing("arith.mului_extended", low_half_only("arith.muli"), name="MulUIExtendedToMulI"),
    replacing("arith.xori", not_of_comparison, benefit=2, name="XOrINotCmpI"),
    of_extensions("XOrIOfExtUI", "arith.xori", ops.ExtuiOp, "arith.extui"),
    of_extensions("XOrIOfExtSI", "arith.xori", ops.ExtsiOp, "arith.extsi"),
    of_extensions("AndOfExtUI", "arith.andi", ops.ExtuiOp, "arith.extui"),
    of_extensions("AndOfExtSI", "arith.andi", ops.ExtsiOp, "arith.extsi"),
    of_extensions("OrOfExtUI", "arith.ori", ops.ExtuiOp, "arith.extui"),
    of_extensions("OrOfExtSI", "arith.ori", ops.ExtsiOp, "arith.extsi"),
    replacing("arith.cmpi", compare_extensions(ops.ExtsiOp), benefit=3, name="CmpIExtSI"),
    replacing("arith.cmpi", compare_extensions(ops.ExtuiOp), benefit=3, name="CmpIExtUI"),
    *converted_comparisons.PATTERNS,
    replacing("arith.select", choice_in_choice(2), benefit=2, name="RedundantSelectFalse"),
    replacing("arith.select", choice_in_choice(1), benefit=2, name="RedundantSelectTrue"),
    replacing("arith.select", choice_by_not, benefit=2, name="SelectNotCond"),
    replacing("arith.select", choice_of_false_and_true, name="SelectI1ToNot"),
    replacing("arith.select", choice_of_one_and_zero, name="SelectToExtUI"),
    replacing("arith.index_cast", there_and_back(ops.IndexCastOp), benefit=2, name="IndexCastOfIndexCast"),
    replacing("arith.index_cast", of_another(ops.ExtsiOp, "arith.index_cast"), benefit=2, name="IndexCastOfExtSI"),
    replacing("arith.index_castui", there_and_back(ops.IndexCastuiOp), benefit=2, name="IndexCastUIOfIndexCastUI"),
    replacing(
        "arith.index_castui", of_another(ops.ExtuiOp, "arith.index_castui"), benefit=2, name="IndexCastUIOfExtUI"
    ),
    replacing("arith.bitcast", of_another(ops.BitcastOp, "arith.bitcast"), benefit=2, name="BitcastOfBitcast"),
    replacing("arith.bitcast", of_another(complex.BitcastOp, "complex.bitcast"), name="MergeArithBitcast"),
    replacing("arith.extsi", of_another(ops.ExtuiOp, "arith.extui"), benefit=2, name="ExtSIOfExtUI"),
    replacing(
        "arith.trunci", of_another(ops.ExtsiOp, "arith.extsi", _is_wider_still), benefit=2, name="TruncIExtSIToExtSI"
    ),
    replacing(
        "arith.trunci", of_another(ops.ExtuiOp, "arith.extui", _is_wider_still), benefit=2, name="TruncIExtUIToExtUI"
    ),
    replacing("arith.trunci", truncated_shift, benefit=2, name="TruncIShrSIToTrunciShrUI"),
    replacing(
        "arith.truncf",
        of_another(ops.SitofpOp, "arith.sitofp", _rounds_freely),
        benefit=2,
        name="TruncFSIToFPToSIToFP",
    ),
    replacing(
        "arith.truncf",
        of_another(ops.UitofpOp, "arith.uitofp", _rounds_freely),
        benefit=2,
        name="TruncFUIToFPToUIToFP",
    ),
    replacing("arith.mulf", of_negations, benefit=3, name="MulFOfNegF"),
    replacing("arith.divf", of_negations, benefit=3, name="DivFOfNegF"),
)
