"""The patterns of `convert-math-to-llvm`.

Most operations have one counterpart each: `DIRECT` lists them. Some are computed with the counterpart of another
(`COMPOSED`). No pattern takes floats that LLVM carries as integers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import constant
from fathom.dialects.llvm.types import LLVMArrayType, struct_of
from fathom.ir.attributes import FALSE, i32_attr
from fathom.ir.floats import from_float
from fathom.ir.types import FloatType, Type, element_type
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.elementwise import (
    NO_FLOAT,
    Rewrite,
    direct,
    for_each_vector,
    has_unsupported_float,
    llvm_properties,
)
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.pattern import Failure, Pattern, named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter

    Create = Callable[[str, Sequence[Value]], Value]
    """Inserts an operation on values of one type, with the flags of the one that is lowered."""


def patterns(types: LLVMTypeConverter, *, approximate_log1p: bool = True) -> list[Pattern]:
    composed = {name: make for name, make in COMPOSED.items() if name != "log1p" or approximate_log1p}
    rewrites: dict[str, Rewrite] = {
        **{name: direct(f"llvm.intr.{target}") for name, target in DIRECT.items()},
        **{name: _with_flag(*target) for name, target in WITH_FLAG.items()},
        **{name: named(f"{_IN_MLIR[name]}OpLowering")(_class_test(bits)) for name, bits in CLASSES.items()},
        **{name: named(f"{_IN_MLIR[name]}OpLowering")(_composed(compute)) for name, compute in composed.items()},
        "sincos": convert_sincos,
    }
    return [Pattern(f"math.{name}", rewrite, types) for name, rewrite in rewrites.items()]


def _with_flag(target: str, flag: str) -> Rewrite:
    """`math.ctlz %a : i32` becomes `"llvm.intr.ctlz"(%a) <{is_zero_poison = false}> : (i32) -> i32`."""

    @named("IntOpWithFlagLowering")
    def rewrite(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        type = rewriter.types.convert(op.result.type) if rewriter.types is not None else None
        if type is None or isinstance(type, LLVMArrayType):
            return Failure("vectors of several dimensions have no counterpart for this operation")
        rewriter.replace_with(op, f"llvm.intr.{target}", operands, [type], {flag: FALSE})
        return None

    return rewrite


def _class_test(bits: int) -> Rewrite:
    """`math.isnan %a : f32` becomes `"llvm.intr.is.fpclass"(%a) <{bit = 3 : i32}> : (f32) -> i1`."""

    def rewrite(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        if has_unsupported_float(op):
            return NO_FLOAT
        type = rewriter.types.convert(op.result.type) if rewriter.types is not None else None
        if type is None:
            return Failure(f"unable to convert result type '{op.result.type}'")
        rewriter.replace_with(op, "llvm.intr.is.fpclass", operands, [type], {"bit": i32_attr(bits)})
        return None

    return rewrite


@named("SincosOpLowering")
def convert_sincos(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        %sin, %cos = math.sincos %a : f32
    becomes
        %0 = llvm.intr.sincos(%a) : (f32) -> !llvm.struct<(f32, f32)>
        %sin = llvm.extractvalue %0[0]
        %cos = llvm.extractvalue %0[1]
    """
    if has_unsupported_float(op):
        return NO_FLOAT
    type = operands[0].type
    properties, attributes = llvm_properties(op)
    pair = rewriter.create("llvm.intr.sincos", operands, [struct_of(type, type)], properties, attributes).result
    rewriter.replace(op, [emit.extract(rewriter, pair, type, index) for index in range(2)])
    return None


# What is computed with other functions, and one.


def _composed(compute: Callable[[Create, Value, Value], Value]) -> Rewrite:
    """`compute` with the constant one, and the operand or each vector of it."""

    def rewrite(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        if has_unsupported_float(op):
            return NO_FLOAT
        properties, attributes = llvm_properties(op)

        def create(type: Type, values: Sequence[Value]) -> Value:
            def insert(name: str, arguments: Sequence[Value]) -> Value:
                return rewriter.create(name, arguments, [type], properties, attributes).result

            return compute(insert, one(rewriter, type), values[0])

        return for_each_vector(op, operands, create, rewriter)

    return rewrite


def one(rewriter: ConversionRewriter, type: Type) -> Value:
    """Inserts the constant one of a type: a float, or a vector of floats."""
    element = element_type(type)
    value = constant(from_float(1.0, element.name), type) if isinstance(element, FloatType) else None
    if value is None:
        raise ValueError(f"'{type}' has no one")
    return emit.constant(rewriter, type, value)


def expm1(create: Create, one: Value, operand: Value) -> Value:
    """`exp(x) - 1`."""
    return create("llvm.fsub", [create("llvm.intr.exp", [operand]), one])


def log1p(create: Create, one: Value, operand: Value) -> Value:
    """`log(1 + x)`."""
    return create("llvm.intr.log", [create("llvm.fadd", [one, operand])])


def rsqrt(create: Create, one: Value, operand: Value) -> Value:
    """`1 / sqrt(x)`."""
    return create("llvm.fdiv", [one, create("llvm.intr.sqrt", [operand])])


DIRECT: Final = {
    "absf": "fabs",
    "acos": "acos",
    "asin": "asin",
    "atan": "atan",
    "atan2": "atan2",
    "ceil": "ceil",
    "copysign": "copysign",
    "cos": "cos",
    "cosh": "cosh",
    "ctpop": "ctpop",
    "exp": "exp",
    "exp2": "exp2",
    "floor": "floor",
    "fma": "fma",
    "fpowi": "powi",
    "log": "log",
    "log10": "log10",
    "log2": "log2",
    "powf": "pow",
    "round": "round",
    "roundeven": "roundeven",
    "sin": "sin",
    "sinh": "sinh",
    "sqrt": "sqrt",
    "tan": "tan",
    "tanh": "tanh",
    "trunc": "trunc",
}
"""Operations of the `math` dialect and their intrinsics."""

WITH_FLAG: Final = {
    "absi": ("abs", "is_int_min_poison"),
    "ctlz": ("ctlz", "is_zero_poison"),
    "cttz": ("cttz", "is_zero_poison"),
}
"""Those whose intrinsic is told whether an edge case is poison: it never is."""

_IN_MLIR: Final = {"isfinite": "IsFinite", "isnan": "IsNaN", "expm1": "ExpM1", "log1p": "Log1p", "rsqrt": "Rsqrt"}
"""What operations are called in the names of MLIR's patterns."""
CLASSES: Final = {"isfinite": 0x1F8, "isnan": 0x003}
"""The classes of floats that a test accepts, in the bits of `llvm.is.fpclass`."""

COMPOSED: Final = {"expm1": expm1, "log1p": log1p, "rsqrt": rsqrt}
