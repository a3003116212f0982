"""The patterns of `convert-complex-to-llvm`: parts are taken from structs, computed with, and put into new ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from fathom.dialects.llvm.types import LLVM_FLOATS, struct_of
from fathom.ir.types import ComplexType, FloatType
from fathom.passes.complex_division import Parts, divide
from fathom.passes.float_arithmetic import LLVM, Floats
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.elementwise import llvm_fastmath
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

Binary: TypeAlias = "Callable[[Floats, Parts, Parts], Parts]"


def lowerings(complex_range: str) -> Mapping[str, Lower]:
    """The lowering of each operation; the value of the option `complex-range` says how quotients are computed."""
    return {
        "complex.abs": _lower_abs,
        "complex.add": named("AddOpConversion")(_binary(_add)),
        "complex.constant": _lower_constant,
        "complex.create": _lower_create,
        "complex.im": named("ImOpConversion")(_part(1)),
        "complex.mul": named("MulOpConversion")(_binary(_mul)),
        "complex.re": named("ReOpConversion")(_part(0)),
        "complex.sub": named("SubOpConversion")(_binary(_sub)),
        "complex.div": named("DivOpConversion")(
            _binary(lambda floats, lhs, rhs: divide(floats, lhs, rhs, complex_range))
        ),
    }


@named("ConstantOpLowering")
def _lower_constant(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`complex.constant [1.0, 2.0]` becomes `llvm.mlir.constant([1.0, 2.0]) : !llvm.struct<(f32, f32)>`."""
    type = types.convert(op.result.type)
    if type is None:
        return Failure(f"unable to convert result type '{op.result.type}'")
    rewriter.replace_with(op, "llvm.mlir.constant", (), [type], op.properties, op.attributes)
    return None


@named("CreateOpConversion")
def _lower_create(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %r = complex.create %a, %b : complex<f32>
    becomes
        %0 = llvm.mlir.poison : !llvm.struct<(f32, f32)>
        %1 = llvm.insertvalue %a, %0[0]
        %r = llvm.insertvalue %b, %1[1]
    """
    type = types.convert(op.result.type)
    if type is None:
        return Failure(f"unable to convert result type '{op.result.type}'")
    real, imaginary = operands
    whole = emit.poison(rewriter, type)
    rewriter.replace(op, [_filled(rewriter, whole, (real, imaginary))])
    return None


def _part(index: int) -> Lower:
    """`complex.re %z` becomes `llvm.extractvalue %z[0]`."""

    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        type = types.convert(op.result.type)
        if type is None:
            return Failure(f"unable to convert result type '{op.result.type}'")
        (number,) = operands
        rewriter.replace(op, [emit.extract(rewriter, number, type, index)])
        return None

    return lower


@named("AbsOpConversion")
def _lower_abs(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The square root of the sum of the squares; the root has no flags."""
    floats = _floats(op, op.result.type, rewriter)
    if isinstance(floats, Failure):
        return floats
    (number,) = operands
    real, imaginary = _parts(floats, number)
    norm = floats.add(floats.mul(real, real), floats.mul(imaginary, imaginary))
    rewriter.replace(op, [floats.without_flags().make("llvm.intr.sqrt", norm)])
    return None


def _binary(compute: Binary) -> Lower:
    """Takes the parts of both operands, computes those of the result, and puts them together."""

    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        result = op.result.type
        floats = _floats(op, result.element if isinstance(result, ComplexType) else result, rewriter)
        if isinstance(floats, Failure):
            return floats
        lhs, rhs = (_parts(floats, operand) for operand in operands)
        whole = emit.poison(rewriter, struct_of(floats.type, floats.type))
        rewriter.replace(op, [_filled(rewriter, whole, compute(floats, lhs, rhs))])
        return None

    return lower


def _add(floats: Floats, lhs: Parts, rhs: Parts) -> Parts:
    return floats.add(lhs[0], rhs[0]), floats.add(lhs[1], rhs[1])


def _sub(floats: Floats, lhs: Parts, rhs: Parts) -> Parts:
    return floats.sub(lhs[0], rhs[0]), floats.sub(lhs[1], rhs[1])


def _mul(floats: Floats, lhs: Parts, rhs: Parts) -> Parts:
    """`(a + bi) (c + di)` is `(ac - bd) + (bc + ad)i`."""
    (a, b), (c, d) = lhs, rhs
    real = floats.sub(floats.mul(c, a), floats.mul(d, b))
    return real, floats.add(floats.mul(b, c), floats.mul(a, d))


def _floats(op: Operation, type: Type, rewriter: ConversionRewriter) -> Floats | Failure:
    """What computes with parts of this type, with the flags of `op`."""
    if not isinstance(type, FloatType) or type.name not in LLVM_FLOATS:
        return Failure(f"LLVM cannot compute with '{type}'")
    return Floats(rewriter, LLVM, type, llvm_fastmath(op.properties["fastmath"]))


def _parts(floats: Floats, number: Value) -> Parts:
    """Both parts of a complex number in a struct."""
    real = emit.extract(floats.rewriter, number, floats.type, 0)
    return real, emit.extract(floats.rewriter, number, floats.type, 1)


def _filled(rewriter: ConversionRewriter, struct: Value, parts: Parts) -> Value:
    """The struct with these parts."""
    return emit.insert(rewriter, emit.insert(rewriter, struct, parts[0], 0), parts[1], 1)
