"""Lowers reductions of vectors to scalars, whole and under a mask.

Source of the rules: *'vector' Dialect*, `vector.reduction`; *LLVM Language Reference*, "Vector Reduction Intrinsics"
and "Vector Predication Intrinsics"; the operations are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import normal, scalar
from fathom.dialects.llvm.attributes import cases
from fathom.dialects.vector.common import kind_of
from fathom.ir.attributes import Attribute, DenseElementsAttr, i64_attr
from fathom.ir.floats import from_float, infinity, nan
from fathom.ir.types import I1, I32, FloatType, IndexType, IntegerType, Type, VectorType
from fathom.ops.vector import MaskOp, ReductionOp
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.elementwise import llvm_fastmath
from fathom.passes.to_llvm.patterns import Lower, groups
from fathom.rewriting.pattern import Failure, Operations, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

NO_REDUCTION: Final = Failure("LLVM has no reduction of this kind for elements of this type")

INTEGERS: Final = {
    "add": ("add", "llvm.add"),
    "mul": ("mul", "llvm.mul"),
    "minui": ("umin", "ule"),
    "minsi": ("smin", "sle"),
    "maxui": ("umax", "uge"),
    "maxsi": ("smax", "sge"),
    "and": ("and", "llvm.and"),
    "or": ("or", "llvm.or"),
    "xor": ("xor", "llvm.xor"),
}
"""For each kind the intrinsic of integers, and how its result is combined with the value to start from: an operation,
or the comparison by which that value is chosen."""

ORDERED: Final = {"add": ("fadd", 0.0), "mul": ("fmul", 1.0)}
"""The intrinsics of floats that take the value to start from, and which that is if none is given."""

FLOATS: Final = {
    "minimumf": ("fminimum", "llvm.intr.minimum"),
    "maximumf": ("fmaximum", "llvm.intr.maximum"),
    "minnumf": ("fmin", "llvm.intr.minnum"),
    "maxnumf": ("fmax", "llvm.intr.maxnum"),
}
"""The others, and what combines their result with the value to start from."""


def reductions(reassociate: bool) -> dict[str, Lower]:
    """The lowerings; with `reassociate`, LLVM may sum floats in any order."""

    @named("VectorReductionOpConversion")
    def reduction(
        op: ReductionOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        """`vector.reduction <add>, %v` becomes `llvm.intr.vector.reduce.add(%v)`, for floats from 0.0 on."""
        kind = kind_of(op.kind)
        given = groups(op, operands)
        start = given["acc"][0] if given["acc"] else None
        (source,) = given["vector"]
        result = types.convert(op.result.type)
        reduced: Value | None = None
        if isinstance(op.result.type, (IntegerType, IndexType)) and result is not None:
            reduced = _integers(rewriter, kind, result, source, start)
        elif isinstance(op.result.type, FloatType) and result is not None:
            reduced = _floats(rewriter, kind, result, source, start, _flags(op, reassociate))
        if reduced is None:
            return NO_REDUCTION
        rewriter.replace(op, [reduced])
        return None

    return {"vector.reduction": reduction, "vector.mask": masked}


def _flags(op: Operation, reassociate: bool = False) -> Attribute:
    return llvm_fastmath(op.properties["fastmath"], cases("FastmathFlags")["reassoc"] if reassociate else 0)


def _integers(rewriter: ConversionRewriter, kind: str, type: Type, source: Value, start: Value | None) -> Value | None:
    """
    %1 = llvm.intr.vector.reduce.smin(%v) : (vector<4xi32>) -> i32
    %2 = llvm.icmp "sle" %start, %1 : i32
    %0 = llvm.select %2, %start, %1 : i1, i32
    """
    if kind not in INTEGERS:
        return None
    name, combine = INTEGERS[kind]
    reduced = rewriter.create(f"llvm.intr.vector.reduce.{name}", [source], [type]).result
    if start is None:
        return reduced
    if combine not in cases("ICmpPredicate"):
        return rewriter.create(combine, [start, reduced], [type]).result
    predicate = {"predicate": i64_attr(cases("ICmpPredicate")[combine])}
    chosen = rewriter.create("llvm.icmp", [start, reduced], [I1], predicate).result
    return rewriter.create("llvm.select", [chosen, start, reduced], [type]).result


def _floats(
    rewriter: ConversionRewriter, kind: str, type: Type, source: Value, start: Value | None, flags: Attribute
) -> Value | None:
    properties = {"fastmathFlags": flags}
    if kind in ORDERED and isinstance(type, FloatType):
        name, neutral = ORDERED[kind]
        begin = start or _constant(rewriter, type, from_float(neutral, type.name))
        return rewriter.create(f"llvm.intr.vector.reduce.{name}", [begin, source], [type], properties).result
    if kind not in FLOATS:
        return None
    name, combine = FLOATS[kind]
    reduced = rewriter.create(f"llvm.intr.vector.reduce.{name}", [source], [type], properties).result
    return reduced if start is None else rewriter.create(combine, [reduced, start], [type]).result


def _constant(rewriter: ConversionRewriter, type: Type, value: int) -> Value:
    """A number, or a float by its bit pattern."""
    attribute = scalar(value, type)
    assert attribute is not None, "an integer or a float has constants"
    return emit.constant(rewriter, type, attribute)


# ---- where a mask is set


def _width(type: Type) -> int:
    return type.width if isinstance(type, (IntegerType, FloatType)) else 64


def _negative_nan(type: Type) -> int:
    return nan(type.name) | 1 << (type.width - 1) if isinstance(type, FloatType) else 0


def _positive_nan(type: Type) -> int:
    return nan(type.name) if isinstance(type, FloatType) else 0


def _one(type: Type) -> int:
    return from_float(1.0, type.name) if isinstance(type, FloatType) else 1


PREDICATED: Final[dict[str, tuple[str, str, Callable[[Type], int]]]] = {
    "add": ("add", "fadd", lambda _: 0),
    "mul": ("mul", "fmul", _one),
    "minui": ("umin", "", lambda type: (1 << _width(type)) - 1),
    "minsi": ("smin", "", lambda type: (1 << (_width(type) - 1)) - 1),
    "maxui": ("umax", "", lambda _: 0),
    "maxsi": ("smax", "", lambda type: -(1 << (_width(type) - 1))),
    "and": ("and", "", lambda type: (1 << _width(type)) - 1),
    "or": ("or", "", lambda _: 0),
    "xor": ("xor", "", lambda _: 0),
    "minnumf": ("", "fmin", _negative_nan),
    "maxnumf": ("", "fmax", _positive_nan),
}
"""The predicated intrinsics of integers and of floats, and the value to start from if none is given."""


REDUCTION: Final = Operations("vector.reduction")


@named("MaskedReductionOpConversion")
def masked(
    op: MaskOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %0 = vector.mask %m { vector.reduction <add>, %v, %start : vector<4xi32> into i32 } : vector<4xi1> -> i32
    ->
        %1 = llvm.mlir.constant(4 : i32) : i32
        %0 = "llvm.intr.vp.reduce.add"(%start, %v, %m, %1) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
    """
    block = op.maskRegion.first
    inner = block.first if block is not None else None
    if inner is None or inner not in REDUCTION:
        return Failure("only reductions have an intrinsic with a mask")
    kind, type = kind_of(inner.properties.get("kind")), types.convert(inner.result.type)
    source, start, mask = inner.one_of("vector"), next(iter(inner.all_of("acc")), None), op.mask
    vector = source.type
    if type is None or not isinstance(vector, VectorType) or len(vector.ranked_shape) != 1:
        return NO_REDUCTION
    rewriter.stand_in(inner)
    if kind in ("maximumf", "minimumf") and isinstance(type, FloatType):
        neutral = emit.constant(rewriter, vector, DenseElementsAttr((_extreme(kind, type),), vector))
        chosen = rewriter.create("llvm.select", [mask, source, neutral], [vector]).result
        reduced = _floats(rewriter, kind, type, chosen, start, _flags(inner))
    else:
        reduced = _predicated(rewriter, kind, type, source, start, mask)
    if reduced is None:
        return NO_REDUCTION
    rewriter.replace(op, [reduced])
    return None


def _extreme(kind: str, type: FloatType) -> int:
    """What mlir-opt puts where the mask is not set: the negative number next to zero, or the largest number."""
    return 1 << (type.width - 1) | 1 if kind == "maximumf" else infinity(type.name) - 1


def _predicated(
    rewriter: ConversionRewriter, kind: str, type: Type, source: Value, start: Value | None, mask: Value
) -> Value | None:
    integer, real, neutral = PREDICATED[kind]
    name = real if isinstance(type, FloatType) else integer
    if not name:
        return None
    begin = start or _constant(rewriter, type, normal(neutral(type), type))
    count = _length(rewriter, source.type)
    return rewriter.create(f"llvm.intr.vp.reduce.{name}", [begin, source, mask, count], [type]).result


def _length(rewriter: ConversionRewriter, type: Type) -> Value:
    """The number of elements, as an `i32`."""
    assert isinstance(type, VectorType), "only vectors have a length"
    count = emit.i32(rewriter, type.ranked_shape[0])
    if not type.scalable:
        return count
    scale = rewriter.create("vector.vscale", (), [IndexType()]).result
    narrow = rewriter.create("arith.index_cast", [scale], [I32]).result
    return rewriter.create("arith.muli", [count, narrow], [I32]).result
