"""Numbers, and comparisons of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import as_signed
from fathom.dialects.llvm.attributes import cases
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.attributes import Attribute, DenseElementsAttr, IntegerAttr, i64_attr
from fathom.ir.types import FloatType, IntegerType, Type, VectorType, element_type, element_width, signless
from fathom.ops import spirv
from fathom.passes.conversions.convert_spirv_to_llvm.common import NO_TYPE, filled, typed
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_INTEGERS: Final = {
    "IEqual": "eq",
    "INotEqual": "ne",
    "LogicalEqual": "eq",
    "LogicalNotEqual": "ne",
    **{
        f"{sign.upper()}{word}{equal}": f"{sign}{short}{'e' if equal else 't'}"
        for sign in "su"
        for word, short in (("GreaterThan", "g"), ("LessThan", "l"))
        for equal in ("", "Equal")
    },
}
_FLOATS: Final = {
    f"F{kind}{word}": f"{kind[0].lower()}{short}"
    for kind in ("Ord", "Unord")
    for word, short in (
        ("Equal", "eq"),
        ("GreaterThan", "gt"),
        ("GreaterThanEqual", "ge"),
        ("LessThan", "lt"),
        ("LessThanEqual", "le"),
        ("NotEqual", "ne"),
    )
}


def _compare(target: str, predicate: int, name: str) -> Lower:
    """`spirv.SLessThan %a, %b : i32` becomes `llvm.icmp "slt" %a, %b : i32`."""

    @typed(name)
    def lower(
        op: spirv.IEqualOp, operands: Sequence[Value], rewriter: ConversionRewriter, result: Type
    ) -> Failure | None:
        rewriter.replace_with(op, target, [op.operand1, op.operand2], [result], {"predicate": i64_attr(predicate)})
        return None

    return lower


def _sized_cast(wider: str, narrower: str) -> Lower:
    """`spirv.SConvert %a : i32 to i64` becomes `llvm.sext`, and to fewer bits `llvm.trunc`."""

    @typed("IndirectCastPattern")
    def lower(
        op: spirv.SConvertOp, operands: Sequence[Value], rewriter: ConversionRewriter, result: Type
    ) -> Failure | None:
        before, after = element_width(op.operands[0].type), element_width(op.results[0].type)
        if before == after:
            return Failure("it has as many bits as before")
        rewriter.replace_with(op, wider if before < after else narrower, operands, [result])
        return None

    return lower


@typed("BitcastConversionPattern")
def _bitcast(
    op: spirv.BitcastOp, operands: Sequence[Value], rewriter: ConversionRewriter, result: Type
) -> Failure | None:
    """`spirv.Bitcast %a : i32 to f32` becomes `llvm.bitcast`; of pointers nothing is left, which all are one type."""
    if isinstance(result, LLVMPointerType):
        rewriter.replace(op, operands)
    else:
        rewriter.replace_with(op, "llvm.bitcast", operands, [result], attributes=op.attributes)
    return None


@typed("NotPattern")
def _not(op: spirv.NotOp, operands: Sequence[Value], rewriter: ConversionRewriter, result: Type) -> Failure | None:
    """`spirv.Not %a : i32` becomes `llvm.xor %a, -1`."""
    ones = filled(rewriter, op.results[0].type, result, -1)
    rewriter.replace_with(op, "llvm.xor", [op.operand, ones], [result])
    return None


def _shift(target: str) -> Lower:
    """`spirv.ShiftLeftLogical %a, %b : i32, i16` becomes `llvm.shl %a, (llvm.sext %b : i16 to i32)`."""

    @typed("ShiftPattern")
    def lower(
        op: spirv.ShiftLeftLogicalOp, operands: Sequence[Value], rewriter: ConversionRewriter, result: Type
    ) -> Failure | None:
        base, count = operands
        by = op.operand2.type
        if op.operand1.type != by:
            wanted, given = element_width(result), element_width(by)
            if not wanted or not given or given > wanted:
                return Failure("it shifts by a number that has more bits than what is shifted")
            if given < wanted:
                part = element_type(by)
                is_unsigned = isinstance(part, IntegerType) and part.signedness == "u"
                count = emit.cast(rewriter, "llvm.zext" if is_unsigned else "llvm.sext", count, result)
        rewriter.replace_with(op, target, [base, count], [result])
        return None

    return lower


@typed("InverseSqrtPattern")
def _inverse_sqrt(
    op: spirv.GLInverseSqrtOp, operands: Sequence[Value], rewriter: ConversionRewriter, result: Type
) -> Failure | None:
    """`spirv.GL.InverseSqrt %a : f32` becomes `llvm.fdiv 1.0, (llvm.intr.sqrt %a)`."""
    one = filled(rewriter, op.results[0].type, result, 1)
    root = rewriter.create("llvm.intr.sqrt", [op.operand], [result]).result
    rewriter.replace_with(op, "llvm.fdiv", [one, root], [result])
    return None


def _plain(target: str, name: str) -> Lower:
    """As the direct ones, without what is attached."""

    @typed(name)
    def lower(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, result: Type) -> Failure | None:
        rewriter.replace_with(op, target, operands, [result])
        return None

    return lower


@named("ConstantScalarAndVectorPattern")
def _constant(
    op: spirv.ConstantOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`spirv.Constant 4 : si32` becomes `llvm.mlir.constant(4 : i32) : i32`: numbers lose their signs."""
    source = op.constant.type
    if not isinstance(source, (VectorType, IntegerType, FloatType)):
        return Failure("only numbers and vectors of them become constants")
    result = types.convert(source)
    if result is None:
        return NO_TYPE
    part = element_type(source)
    if isinstance(part, IntegerType) and part.signedness:
        value = _signless(op.value, source, part.width)
        rewriter.replace_with(op, "llvm.mlir.constant", (), [result], {"value": value})
    else:
        rewriter.replace_with(op, "llvm.mlir.constant", (), [result], {"value": op.value}, op.attributes)
    return None


def _signless(value: Attribute, type: Type, width: int) -> Attribute:
    match value:
        case IntegerAttr(number):
            return IntegerAttr(as_signed(number, width), signless(width))
        case DenseElementsAttr(values) if isinstance(type, VectorType):
            numbers = tuple(as_signed(each, width) for each in values if isinstance(each, int))
            return DenseElementsAttr(numbers, VectorType(type.shape, signless(width)))
        case _:
            return value


LOWERINGS: Final[dict[str, Lower]] = {
    **{
        f"spirv.{name}": _compare("llvm.icmp", cases("ICmpPredicate")[predicate], "IComparePattern")
        for name, predicate in _INTEGERS.items()
    },
    **{
        f"spirv.{name}": _compare("llvm.fcmp", cases("FCmpPredicate")[predicate], "FComparePattern")
        for name, predicate in _FLOATS.items()
    },
    "spirv.Bitcast": _bitcast,
    "spirv.Constant": _constant,
    "spirv.FConvert": _sized_cast("llvm.fpext", "llvm.fptrunc"),
    "spirv.GL.InverseSqrt": _inverse_sqrt,
    "spirv.GL.Tan": _plain("llvm.intr.tan", "TanPattern"),
    "spirv.GL.Tanh": _plain("llvm.intr.tanh", "TanhPattern"),
    "spirv.LogicalNot": _not,
    "spirv.Not": _not,
    "spirv.SConvert": _sized_cast("llvm.sext", "llvm.trunc"),
    "spirv.ShiftLeftLogical": _shift("llvm.shl"),
    "spirv.ShiftRightArithmetic": _shift("llvm.ashr"),
    "spirv.ShiftRightLogical": _shift("llvm.lshr"),
    "spirv.UConvert": _sized_cast("llvm.zext", "llvm.trunc"),
}
