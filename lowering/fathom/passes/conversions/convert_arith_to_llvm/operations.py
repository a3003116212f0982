"""The patterns of `convert-arith-to-llvm`.

Most operations have one counterpart each: `DIRECT` lists them. Vectors of several dimensions are arrays of vectors in
the LLVM dialect; those are taken apart, computed vector by vector, and put together again. Operations without
counterpart (divisions that round up or down) are first expanded (`rounding_divisions`). What has operands
or results that the LLVM dialect has no types for stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import fastmath_of
from fathom.dialects.llvm.types import LLVM_FLOATS, LLVMArrayType, is_compatible, struct_of
from fathom.ir.attributes import Attribute, DenseElementsAttr, EnumAttr, IntegerAttr, i32_attr, i64_attr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import FloatType, IntegerType, ShapedType, Type, VectorType, element_type
from fathom.irdl.build import definition_of
from fathom.passes.conversions.convert_arith_to_llvm import rounding_divisions
from fathom.passes.to_llvm import emit
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.pattern import Failure, Pattern
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter

Properties = Mapping[str, Attribute]


def patterns(types: LLVMTypeConverter) -> list[Pattern]:
    direct = [Pattern(f"arith.{name}", _direct(f"llvm.{target}"), types) for name, target in DIRECT.items()]
    return [
        *rounding_divisions.PATTERNS,
        *direct,
        *(Pattern(f"arith.{name}", function, types) for name, function in IRREGULAR.items()),
    ]


def _direct(target: str) -> Callable[[Operation, list[Value], ConversionRewriter], Failure | None]:
    """
    %r = arith.addi %a, %b overflow<nsw> : i32      becomes      %r = llvm.add %a, %b overflow<nsw> : i32
    """

    def rewrite(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        if has_unsupported_float(op):
            return NO_FLOAT
        properties, attributes = llvm_properties(op)
        if attributes:
            # What is discardable here can be a flag there: `arith.extui %a {nonNeg}` becomes `llvm.zext nneg %a`.
            flags = definition_of(rewriter.context, target).property_map.keys() & attributes.keys()
            properties.update({name: attributes.pop(name) for name in sorted(flags)})
        return one_to_one(op, target, operands, properties, rewriter, attributes)

    return rewrite


def has_unsupported_float(op: Operation) -> bool:
    """Whether a float takes part that LLVM carries as an integer, so that it cannot compute with it."""
    values = (*op.operands, *op.results)
    return any(isinstance(t := element_type(v.type), FloatType) and t.name not in LLVM_FLOATS for v in values)


NO_FLOAT: Final = Failure("unsupported floating point type")


def llvm_properties(op: Operation) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """The flags of an operation as the LLVM dialect has them, and its other attributes."""
    properties: dict[str, Attribute] = {}
    attributes: dict[str, Attribute] = {}
    for name, value in op.properties.items():
        if name == "fastmath" and op.name in OWN_FASTMATH:
            attributes[name] = value
        elif name == "fastmath":
            properties["fastmathFlags"] = llvm_fastmath(value)
        elif name == "overflowFlags":
            properties[name] = i32_attr(value.value if isinstance(value, EnumAttr) else 0)
        else:
            properties[name] = value
    attributes.update(op.attributes)
    return properties, attributes


def llvm_fastmath(value: Attribute) -> Attribute:
    """`#arith.fastmath<…>` as `#llvm.fastmath<…>`: the same flags, but `reassoc` is the last bit instead of the
    first."""
    bits = value.value if isinstance(value, EnumAttr) else 0
    return fastmath_of((bits >> 1) | (64 if bits & 1 else 0))


# Vectors of several dimensions.


def one_to_one(
    op: Operation,
    target: str,
    operands: Sequence[Value],
    properties: Properties,
    rewriter: ConversionRewriter,
    attributes: Properties | None = None,
) -> Failure | None:
    """Replaces `op` by `target` on the same operands; on arrays of vectors, by one for each vector."""

    def create(type: Type, values: Sequence[Value]) -> Value:
        return rewriter.create(target, values, [type], properties, attributes).result

    return for_each_vector(op, operands, create, rewriter)


MOST_VECTORS: Final = 1 << 16
"""Three operations and more are made for each, so that there must not be any number of them."""


def for_each_vector(
    op: Operation,
    operands: Sequence[Value],
    create: Callable[[Type, Sequence[Value]], Value],
    rewriter: ConversionRewriter,
) -> Failure | None:
    """Replaces `op` by `create(result type, operands)`, or where the operands are arrays of vectors, by

    %r0 = llvm.mlir.poison : !llvm.array<2 x vector<3xi32>>
    %a0 = llvm.extractvalue %a[0]
    %b0 = llvm.extractvalue %b[0]
    %c0 = <create(vector<3xi32>, %a0, %b0)>
    %r1 = llvm.insertvalue %c0, %r0[0]
    …
    """
    if rewriter.types is None or not all(is_compatible(operand.type) for operand in operands):
        return Failure("an operand has no type of the LLVM dialect")
    result = rewriter.types.convert(op.results[0].type)
    if result is None:
        return Failure(f"unable to convert result type '{op.results[0].type}'")
    if not operands or not isinstance(operands[0].type, LLVMArrayType):
        rewriter.replace(op, [create(result, operands)])
        return None
    sizes: list[int] = []
    inner = result
    while isinstance(inner, LLVMArrayType):
        sizes.append(inner.size)
        inner = inner.element
    if prod(sizes) > MOST_VECTORS:
        return Failure(f"arrays of more than {MOST_VECTORS:,} vectors are not taken apart")
    whole = emit.poison(rewriter, result)
    for position in product(*map(range, sizes)):
        checkpoint()
        parts = [emit.extract(rewriter, each, _innermost(each.type), *position) for each in operands]
        whole = emit.insert(rewriter, whole, create(inner, parts), *position)
    rewriter.replace(op, [whole])
    return None


def _innermost(type: Type) -> Type:
    while isinstance(type, LLVMArrayType):
        type = type.element
    return type


# Irregular operations.


def convert_constant(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`arith.constant 1 : index` becomes `llvm.mlir.constant(1 : index) : i64`."""
    return one_to_one(op, "llvm.mlir.constant", operands, op.properties, rewriter, op.attributes)


def convert_cmpi(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`arith.cmpi slt, %a, %b : i32` becomes `llvm.icmp "slt" %a, %b : i32`."""
    return one_to_one(op, "llvm.icmp", operands, {"predicate": op.properties["predicate"]}, rewriter)


def convert_cmpf(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`arith.cmpf oeq, %a, %b fastmath<nnan> : f32` becomes `llvm.fcmp "oeq" %a, %b {fastmathFlags = …} : f32`."""
    if has_unsupported_float(op):
        return NO_FLOAT
    properties, _ = llvm_properties(op)
    return one_to_one(op, "llvm.fcmp", operands, properties, rewriter)


def convert_select(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`arith.select %c, %a, %b : index` becomes `llvm.select %c, %a, %b : i1, i64`."""
    return one_to_one(op, "llvm.select", operands, {}, rewriter, op.attributes)


def convert_bitcast(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`arith.bitcast %a : i32 to f32` becomes `llvm.bitcast %a : i32 to f32`; between equal types nothing is left."""
    if rewriter.types is not None and rewriter.types.convert(op.results[0].type) == operands[0].type:
        rewriter.replace(op, operands)
        return None
    return one_to_one(op, "llvm.bitcast", operands, {}, rewriter, op.attributes)


def convert_truncf(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        %r = arith.truncf %a upward : f64 to f32
    becomes
        %r = llvm.intr.experimental.constrained.fptrunc %a upward ignore : f64 to f32
    and, without a rounding mode, `llvm.fptrunc`.
    """
    if has_unsupported_float(op):
        return NO_FLOAT
    properties, attributes = llvm_properties(op)
    rounding = properties.pop("roundingmode", None)
    if rounding is None:
        return one_to_one(op, "llvm.fptrunc", operands, properties, rewriter, attributes)
    number = rounding.value if isinstance(rounding, (EnumAttr, IntegerAttr)) else 0
    properties["roundingmode"] = i64_attr(ROUNDING_MODES[number])
    properties["fpExceptionBehavior"] = i64_attr(0)
    target = "llvm.intr.experimental.constrained.fptrunc"
    return one_to_one(op, target, operands, properties, rewriter, attributes)


def _index_cast(extend: str) -> Callable[[Operation, list[Value], ConversionRewriter], Failure | None]:
    """`arith.index_cast %a : i32 to index` extends or truncates, or does nothing where the widths are the same."""

    def rewrite(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        types = rewriter.types
        source = types.convert(element_type(op.operands[0].type)) if types is not None else None
        target = types.convert(element_type(op.results[0].type)) if types is not None else None
        if not isinstance(source, IntegerType) or not isinstance(target, IntegerType):
            return Failure("only integers, index, and vectors of them have counterparts in the LLVM dialect")
        if source == target:
            rewriter.replace(op, operands)
            return None
        return one_to_one(op, extend if source.width < target.width else "llvm.trunc", operands, {}, rewriter)

    return rewrite


def convert_addui_extended(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        %sum, %overflow = arith.addui_extended %a, %b : i32, i1
    becomes
        %0 = llvm.intr.uadd.with.overflow(%a, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
        %sum = llvm.extractvalue %0[0]
        %overflow = llvm.extractvalue %0[1]
    """
    fields = rewriter.types.convert_all(r.type for r in op.results) if rewriter.types is not None else None
    if fields is None or isinstance(operands[0].type, LLVMArrayType):
        return Failure("vectors of several dimensions have no counterpart for this operation")
    both = rewriter.create("llvm.intr.uadd.with.overflow", operands, [struct_of(*fields)]).result
    rewriter.replace(op, [emit.extract(rewriter, both, field, index) for index, field in enumerate(fields)])
    return None


def _mul_extended(extend: str) -> Callable[[Operation, list[Value], ConversionRewriter], Failure | None]:
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

    def rewrite(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        type = operands[0].type
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

OWN_FASTMATH: Final = ("arith.extf", "arith.truncf")
"""Their counterparts have no flags; mlir-opt carries the attribute along as it is."""

ROUNDING_MODES: Final = {0: 1, 1: 3, 2: 2, 3: 0, 4: 4}
"""`#arith.round_mode` (to_nearest_even, downward, upward, toward_zero, to_nearest_away) as the LLVM dialect counts."""
