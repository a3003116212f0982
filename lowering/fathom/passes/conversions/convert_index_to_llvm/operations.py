"""The patterns of `convert-index-to-llvm`.

Most operations have one counterpart each: `DIRECT` lists them. Divisions that round up or down have none, and are
computed with those that round to zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import normal
from fathom.ir.attributes import IntegerAttr, i64_attr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import I1, IntegerType
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.elementwise import direct
from fathom.passes.to_llvm.patterns import Lower
from fathom.passes.to_llvm.patterns import patterns as lowering_patterns
from fathom.rewriting.pattern import Failure, Pattern, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.ops.index import CmpOp, ConstantOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.rewriter import Rewriter

EQ: Final = 0
NE: Final = 1
SLT: Final = 2
SGT: Final = 4


def patterns(types: LLVMTypeConverter) -> list[Pattern]:
    return [
        *(
            Pattern(f"index.{name}", direct(f"llvm.{target}"), types, name="OneToOneConvertToLLVMPattern")
            for name, target in DIRECT.items()
        ),
        *lowering_patterns(IRREGULAR, types),
    ]


# Divisions that round up or down.


@named("ConvertIndexCeilDivS")
def ceildivs(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`n ceildivs m` becomes, with `x = m > 0 ? -1 : 1`:
    `(n > 0) == (m > 0) && n != 0 ? (n + x) / m + 1 : 0 - (0 - n) / m`."""
    n, m = operands
    zero, one, minus_one = (number(rewriter, n.type, value) for value in (0, 1, -1))
    divisor_positive = compare(rewriter, SGT, m, zero)
    towards_zero = select(rewriter, divisor_positive, minus_one, one)
    quotient = divide(rewriter, "sdiv", emit.add(rewriter, n, towards_zero), m)
    positive = emit.add(rewriter, quotient, one)
    negated = divide(rewriter, "sdiv", emit.sub(rewriter, zero, n), m)
    negative = emit.sub(rewriter, zero, negated)
    same_sign = compare(rewriter, EQ, compare(rewriter, SGT, n, zero), divisor_positive)
    is_positive = both(rewriter, same_sign, compare(rewriter, NE, n, zero))
    rewriter.replace(op, [select(rewriter, is_positive, positive, negative)])
    return None


@named("ConvertIndexCeilDivU")
def ceildivu(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`n ceildivu m` becomes `n == 0 ? 0 : (n - 1) / m + 1`."""
    n, m = operands
    zero, one = (number(rewriter, n.type, value) for value in (0, 1))
    quotient = divide(rewriter, "udiv", emit.sub(rewriter, n, one), m)
    above = emit.add(rewriter, quotient, one)
    rewriter.replace(op, [select(rewriter, compare(rewriter, EQ, n, zero), zero, above)])
    return None


@named("ConvertIndexFloorDivS")
def floordivs(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`n floordivs m` becomes, with `x = m < 0 ? 1 : -1`:
    `(n < 0) != (m < 0) && n != 0 ? -1 - (x - n) / m : n / m`."""
    n, m = operands
    zero, one, minus_one = (number(rewriter, n.type, value) for value in (0, 1, -1))
    divisor_negative = compare(rewriter, SLT, m, zero)
    away = select(rewriter, divisor_negative, one, minus_one)
    quotient = divide(rewriter, "sdiv", emit.sub(rewriter, away, n), m)
    negative = emit.sub(rewriter, minus_one, quotient)
    positive = divide(rewriter, "sdiv", n, m)
    other_sign = compare(rewriter, NE, compare(rewriter, SLT, n, zero), divisor_negative)
    is_negative = both(rewriter, other_sign, compare(rewriter, NE, n, zero))
    rewriter.replace(op, [select(rewriter, is_negative, negative, positive)])
    return None


def number(rewriter: Rewriter, type: Type, value: int) -> Value:
    """Inserts `llvm.mlir.constant`, of the lowest bits of `value` where the type has no more."""
    return emit.constant(rewriter, type, IntegerAttr(normal(value, type), type))


def compare(rewriter: Rewriter, predicate: int, lhs: Value, rhs: Value) -> Value:
    return rewriter.create("llvm.icmp", [lhs, rhs], [I1], {"predicate": i64_attr(predicate)}).result


def select(rewriter: Rewriter, condition: Value, true: Value, false: Value) -> Value:
    return rewriter.create("llvm.select", [condition, true, false], [true.type]).result


def divide(rewriter: Rewriter, name: str, lhs: Value, rhs: Value) -> Value:
    return rewriter.create(f"llvm.{name}", [lhs, rhs], [lhs.type]).result


def both(rewriter: Rewriter, lhs: Value, rhs: Value) -> Value:
    return rewriter.create("llvm.and", [lhs, rhs], [I1]).result


# The others.


def cast(extend: str) -> Lower:
    """`index.casts %a : i32 to index` extends or truncates, or does nothing where the widths are the same."""

    @named("ConvertIndexCast")
    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        (value,) = operands
        source, target = value.type, types.convert(op.result.type)
        if not isinstance(source, IntegerType) or not isinstance(target, IntegerType):
            return Failure("only integers and index have counterparts in the LLVM dialect")
        if source != target:
            value = emit.cast(rewriter, "llvm.trunc" if source.width > target.width else extend, value, target)
        rewriter.replace(op, [value])
        return None

    return lower


@named("ConvertIndexCmp")
def cmp(op: CmpOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter) -> Failure | None:
    """`index.cmp slt(%a, %b)` becomes `llvm.icmp "slt" %a, %b : i64`. The predicates have the same numbers."""
    predicate = op.pred.parameter("value") if isinstance(op.pred, DialectAttr) else None
    if not isinstance(predicate, int):
        return Failure("the predicate is not known")
    rewriter.replace(op, [compare(rewriter, predicate, *operands)])
    return None


@named("ConvertIndexConstant")
def constant(
    op: ConstantOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`index.constant 4` becomes `llvm.mlir.constant(4 : i64) : i64`, cut off where an index has fewer bits."""
    rewriter.replace(op, [number(rewriter, types.index, op.value.value)])
    return None


@named("ConvertIndexSizeOf")
def sizeof(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`index.sizeof` becomes `llvm.mlir.constant(64 : i64) : i64`."""
    rewriter.replace(op, [number(rewriter, types.index, types.index.width)])
    return None


DIRECT: Final = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "divs": "sdiv",
    "divu": "udiv",
    "rems": "srem",
    "remu": "urem",
    "maxs": "intr.smax",
    "maxu": "intr.umax",
    "mins": "intr.smin",
    "minu": "intr.umin",
    "shl": "shl",
    "shrs": "ashr",
    "shru": "lshr",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "bool.constant": "mlir.constant",
}
"""Operations of the `index` dialect and their counterparts in the LLVM dialect."""

IRREGULAR: Final[dict[str, Lower]] = {
    "index.ceildivs": ceildivs,
    "index.ceildivu": ceildivu,
    "index.floordivs": floordivs,
    "index.casts": cast("llvm.sext"),
    "index.castu": cast("llvm.zext"),
    "index.cmp": cmp,
    "index.constant": constant,
    "index.sizeof": sizeof,
}
