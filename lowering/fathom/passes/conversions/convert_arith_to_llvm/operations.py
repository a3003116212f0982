"""The patterns of `convert-arith-to-llvm`.

Most operations have one counterpart each: `DIRECT` lists them. Those without one (divisions that round up or down) are
first expanded (`rounding_divisions`). What has operands or results that the LLVM dialect has no types for stays as it
is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMArrayType, struct_of
from fathom.ir.attributes import Attribute, DenseElementsAttr, IntegerAttr, i64_attr
from fathom.ir.operation import Operation, Value, types_of
from fathom.ir.types import IntegerType, ShapedType, Type, VectorType, element_type
from fathom.ops import arith as ops
from fathom.passes.arith_expansion import rounding_divisions
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.elementwise import (
    NO_FLOAT,
    Rewrite,
    direct,
    has_unsupported_float,
    llvm_properties,
    one_to_one,
)
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.pattern import Failure, Pattern, named

if TYPE_CHECKING:
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter


def patterns(types: LLVMTypeConverter) -> list[Pattern]:
    return [
        *rounding_divisions.PATTERNS,
        *(Pattern(f"arith.{name}", direct(f"llvm.{target}"), types) for name, target in DIRECT.items()),
        *(Pattern(f"arith.{name}", function, types) for name, function in IRREGULAR.items()),
    ]


@named("ConstantOpLowering")
def convert_constant(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`arith.constant 1 : index` becomes `llvm.mlir.constant(1 : index) : i64`."""
    return one_to_one(op, "llvm.mlir.constant", operands, op.properties, rewriter, op.attributes)


@named("CmpIOpLowering")
def convert_cmpi(op: ops.CmpiOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`arith.cmpi slt, %a, %b : i32` becomes `llvm.icmp "slt" %a, %b : i32`."""
    return one_to_one(op, "llvm.icmp", operands, {"predicate": op.predicate}, rewriter)


@named("CmpFOpLowering")
def convert_cmpf(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`arith.cmpf oeq, %a, %b fastmath<nnan> : f32` becomes `llvm.fcmp "oeq" %a, %b {fastmathFlags = …} : f32`."""
    if has_unsupported_float(op):
        return NO_FLOAT
    properties, _ = llvm_properties(op)
    return one_to_one(op, "llvm.fcmp", operands, properties, rewriter)


@named("SelectOpOneToNLowering")
def convert_select(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`arith.select %c, %a, %b : index` becomes `llvm.select %c, %a, %b : i1, i64`."""
    return one_to_one(op, "llvm.select", operands, {}, rewriter, op.attributes)


@named("IdentityBitcastLowering")
def convert_bitcast(op: ops.BitcastOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`arith.bitcast %a : i32 to f32` becomes `llvm.bitcast %a : i32 to f32`; between equal types nothing is left."""
    if rewriter.types is not None and [rewriter.types.convert(op.out.type)] == types_of(operands):
        rewriter.replace(op, operands)
        return None
    return one_to_one(op, "llvm.bitcast", operands, {}, rewriter, op.attributes)


@named("VectorConvertToLLVMPattern")
def convert_truncf(op: ops.TruncfOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        %r = arith.truncf %a upward : f64 to f32
    becomes
        %r = llvm.intr.experimental.constrained.fptrunc %a upward ignore : f64 to f32
    and, without a rounding mode, `llvm.fptrunc`.
    """
    if has_unsupported_float(op):
        return NO_FLOAT
    properties, attributes = llvm_properties(op)
    properties.pop("roundingmode", None)
    if op.roundingmode is None:
        return one_to_one(op, "llvm.fptrunc", operands, properties, rewriter, attributes)
    properties |= {"roundingmode": i64_attr(ROUNDING_MODES[op.roundingmode.value]), "fpExceptionBehavior": i64_attr(0)}
    target = "llvm.intr.experimental.constrained.fptrunc"
    return one_to_one(op, target, operands, properties, rewriter, attributes)


def _index_cast(extend: str) -> Rewrite:
    """`arith.index_cast %a : i32 to index` extends or truncates, or does nothing where the widths are the same."""

    @named("IndexCastOpLowering")
    def rewrite(
        op: ops.IndexCastOp | ops.IndexCastuiOp, operands: list[Value], rewriter: ConversionRewriter
    ) -> Failure | None:
        types = rewriter.types
        source = types.convert(element_type(op.in_.type)) if types is not None else None
        target = types.convert(element_type(op.out.type)) if types is not None else None
        if not isinstance(source, IntegerType) or not isinstance(target, IntegerType):
            return Failure("only integers, index, and vectors of them have counterparts in the LLVM dialect")
        if source == target:
            rewriter.replace(op, operands)
            return None
        return one_to_one(op, extend if source.width < target.width else "llvm.trunc", operands, {}, rewriter)

    return rewrite


@named("AddUIExtendedOpLowering")
def convert_addui_extended(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        %sum, %overflow = arith.addui_extended %a, %b : i32, i1
    becomes
        %0 = llvm.intr.uadd.with.overflow(%a, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
        %sum = llvm.extractvalue %0[0]
        %overflow = llvm.extractvalue %0[1]
    """
    fields = rewriter.types.convert_all(r.type for r in op.results) if rewriter.types is not None else None
    if fields is None or any(isinstance(operand.type, LLVMArrayType) for operand in operands):
        return Failure("vectors of several dimensions have no counterpart for this operation")
    both = rewriter.create("llvm.intr.uadd.with.overflow", operands, [struct_of(*fields)]).result
    rewriter.replace(op, [emit.extract(rewriter, both, field, index) for index, field in enumerate(fields)])
    return None


def _mul_extended(extend: str) -> Rewrite:
    """
        %low, %high = arith.mulsi_extended %a, %b : i32
    becomes
        %0 = llvm.sext %a : i32 to i64
        %1 = llvm.sext %b : i32 to i64
        %2 = llvm.mul %0, %1 : i64
        %low = llvm.trunc %2 : i64 to i32
        %3 = llvm.mlir.constant(32 : i64) : i64
        %4 = llvm.lshr %2, %3 : i64
        %high = llvm.trunc %4 : i64 to i32
    """

    @named("MulIExtendedOpLowering")
    def rewrite(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        type, _ = types_of(operands)
        narrow = element_type(type)
        if not isinstance(narrow, IntegerType):
            return Failure("vectors of several dimensions have no counterpart for this operation")
        wide = widened(type, IntegerType(2 * narrow.width))
        lhs, rhs = (rewriter.create(extend, [operand], [wide]).result for operand in operands)
        multiplied = emit.mul(rewriter, lhs, rhs)
        low = rewriter.create("llvm.trunc", [multiplied], [type]).result
        shift = emit.constant(rewriter, wide, splat(wide, narrow.width))
        shifted = rewriter.create("llvm.lshr", [multiplied, shift], [wide]).result
        high = rewriter.create("llvm.trunc", [shifted], [type]).result
        rewriter.replace(op, [low, high])
        return None

    return rewrite


def widened(type: Type, element: Type) -> Type:
    """A type of the same shape with another element type."""
    return VectorType(type.ranked_shape, element, type.scalable) if isinstance(type, VectorType) else element


def splat(type: Type, value: int) -> Attribute:
    """The integer attribute for a scalar or, in every element, for a vector."""
    if isinstance(type, ShapedType):
        return DenseElementsAttr((value,), type)
    return IntegerAttr(value, type)


DIRECT: Final = {
    "addi": "add",
    "subi": "sub",
    "muli": "mul",
    "divsi": "sdiv",
    "divui": "udiv",
    "remsi": "srem",
    "remui": "urem",
    "andi": "and",
    "ori": "or",
    "xori": "xor",
    "shli": "shl",
    "shrsi": "ashr",
    "shrui": "lshr",
    "maxsi": "intr.smax",
    "maxui": "intr.umax",
    "minsi": "intr.smin",
    "minui": "intr.umin",
    "addf": "fadd",
    "subf": "fsub",
    "mulf": "fmul",
    "divf": "fdiv",
    "remf": "frem",
    "negf": "fneg",
    "maximumf": "intr.maximum",
    "minimumf": "intr.minimum",
    "maxnumf": "intr.maxnum",
    "minnumf": "intr.minnum",
    "extsi": "sext",
    "extui": "zext",
    "trunci": "trunc",
    "extf": "fpext",
    "sitofp": "sitofp",
    "uitofp": "uitofp",
    "fptosi": "fptosi",
    "fptoui": "fptoui",
}
"""Operations of the `arith` dialect and their counterparts in the LLVM dialect."""

IRREGULAR: Final = {
    "constant": convert_constant,
    "cmpi": convert_cmpi,
    "cmpf": convert_cmpf,
    "select": convert_select,
    "bitcast": convert_bitcast,
    "truncf": convert_truncf,
    "index_cast": _index_cast("llvm.sext"),
    "index_castui": _index_cast("llvm.zext"),
    "addui_extended": convert_addui_extended,
    "mulsi_extended": _mul_extended("llvm.sext"),
    "mului_extended": _mul_extended("llvm.zext"),
}

ROUNDING_MODES: Final = {0: 1, 1: 3, 2: 2, 3: 0, 4: 4}
"""`#arith.round_mode` (to_nearest_even, downward, upward, toward_zero, to_nearest_away) as the LLVM dialect counts."""
