"""The operations of `x86vector` as calls of intrinsic functions.

    %0 = x86vector.avx512.mask.scalef %a, %b, %c, %k, %r : vector<16xf32>
->
    %0 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%a, %b, %c, %k, %r) : (…) -> vector<16xf32>

Source of the rules: *'x86vector' Dialect*, and what mlir-opt 22 makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import zero_of
from fathom.dialects.vector.common import bits_of, count_of, vector
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import F16, F32, I8, I32, MemRefType, Type
from fathom.ops.x86vector import Avx512MaskCompressOp, AvxIntrDotOp
from fathom.passes.conversions.convert_vector_to_llvm.extensions.calls import NO_TYPE, call_instead
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import buffer
from fathom.passes.to_llvm.patterns import groups
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

Namer = Callable[["Operation"], str]


def _bits(type: Type) -> int:
    """The bits of a vector."""
    vector_type = vector(type)
    return count_of(vector_type) * (bits_of(vector_type.element) or 0) if vector_type is not None else 0


def _element(type: Type) -> Type:
    vector_type = vector(type)
    return vector_type.element if vector_type is not None else type


def _sized(name: str, group: str, letters: Callable[[Type], str] | None = None) -> Namer:
    """A name that ends in the bits of the vector of a group, behind letters for its elements."""

    def find(op: Operation) -> str:
        type = op.one_of(group).type
        return f"{name}.{letters(_element(type)) + '.' if letters is not None else ''}{_bits(type)}"

    return find


def _call(name: Namer) -> Lower:
    @named("X86IntrinsicOpConversion")
    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        return call_instead(op, name(op), operands, rewriter, types)

    return lower


def _from_memory(of_half: str, of_brain: str) -> Lower:
    """The intrinsic that reads from the start of a memref; its name says of which elements, and how much it makes."""

    @named("X86IntrinsicOpConversion")
    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        type = op.one_of("a").type
        if not isinstance(type, MemRefType) or types.convert(type) is None:
            return NO_TYPE
        name = f"llvm.x86.{of_half if type.element == F16 else of_brain}{_bits(op.result.type)}"
        return call_instead(op, name, [buffer(rewriter, types, operands[0], type)], rewriter, types)

    return lower


@named("X86IntrinsicOpConversion")
def compress(
    op: Avx512MaskCompressOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """What is not taken from the vector is taken from another, a constant, or zero."""
    given = groups(op, operands)
    (value,), (mask,) = given["a"], given["k"]
    source = next(iter(given["src"]), None)
    if source is None:
        constant = op.constant_src or zero_of(value.type)
        if constant is None:
            return NO_TYPE
        source = emit.constant(rewriter, value.type, constant)
    return call_instead(op, "llvm.x86.avx512.mask.compress", [value, source, mask], rewriter, types)


@named("X86IntrinsicOpConversion")
def dot(
    op: AvxIntrDotOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The product of all elements, in all elements of the result."""
    everywhere = emit.constant(rewriter, I8, IntegerAttr(-1, I8))
    return call_instead(op, "llvm.x86.avx.dp.ps.256", [*operands, everywhere], rewriter, types)


def _of_float(element: Type) -> str:
    return "ps" if element == F32 else "pd"


LOWERINGS: Final[dict[str, Lower]] = {
    "x86vector.avx512.mask.compress": compress,
    "x86vector.avx512.mask.rndscale": _call(_sized("llvm.x86.avx512.mask.rndscale", "src", _of_float)),
    "x86vector.avx512.mask.scalef": _call(_sized("llvm.x86.avx512.mask.scalef", "src", _of_float)),
    "x86vector.avx512.vp2intersect": _call(
        _sized("llvm.x86.avx512.vp2intersect", "a", lambda element: "d" if element == I32 else "q")
    ),
    "x86vector.avx512.dot": _call(_sized("llvm.x86.avx512bf16.dpbf16ps", "src")),
    "x86vector.avx512.cvt.packed.f32_to_bf16": _call(_sized("llvm.x86.avx512bf16.cvtneps2bf16", "a")),
    "x86vector.avx.rsqrt": _call(lambda op: "llvm.x86.avx.rsqrt.ps.256"),
    "x86vector.avx.intr.dot": dot,
    "x86vector.avx.dot.i8": _call(_sized("llvm.x86.avx2.vpdpbssd", "w")),
    "x86vector.avx.bcst_to_f32.packed": _from_memory("vbcstnesh2ps", "vbcstnebf162ps"),
    "x86vector.avx.cvt.packed.even.indexed_to_f32": _from_memory("vcvtneeph2ps", "vcvtneebf162ps"),
    "x86vector.avx.cvt.packed.odd.indexed_to_f32": _from_memory("vcvtneoph2ps", "vcvtneobf162ps"),
}
