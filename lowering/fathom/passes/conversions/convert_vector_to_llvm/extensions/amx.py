"""The operations of `amx` as calls of intrinsic functions, which take the rows of a tile and their bytes.

    %0 = amx.tile_zero : !amx.tile<16x64xi8>
->
    %1 = llvm.mlir.constant(16 : i16) : i16
    %2 = llvm.mlir.constant(64 : i16) : i16
    %0 = llvm.call_intrinsic "llvm.x86.tilezero.internal"(%1, %2) : (i16, i16) -> !llvm.x86_amx

Source of the rules: *'amx' Dialect*, and what mlir-opt 22 makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.amx import tile
from fathom.dialects.llvm.types import LLVMX86AMXType
from fathom.dialects.vector.common import bits_of
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import DYNAMIC, F16, I16, I64, MemRefType, Type
from fathom.ops.amx import TileZeroOp
from fathom.passes.conversions.convert_vector_to_llvm.extensions.calls import NO_TYPE, call_instead
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import STRIDES, element_address, get, layout_of
from fathom.passes.to_llvm.patterns import groups
from fathom.rewriting.pattern import named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Failure
    from fathom.rewriting.rewriter import Rewriter


def convert(type: Type) -> Type | None:
    """What a tile becomes, whatever its shape."""
    return LLVMX86AMXType() if tile(type) is not None else None


def _sizes(rewriter: Rewriter, type: Type) -> list[Value]:
    """The rows of a tile, and the bytes of each."""
    of_tile = tile(type)
    assert of_tile is not None, "the definition demands a tile"
    return [emit.constant(rewriter, I16, IntegerAttr(number, I16)) for number in (of_tile.shape[0], of_tile.row // 8)]


def _stride(rewriter: Rewriter, type: MemRefType, descriptor: Value, stated: Value | None) -> Value:
    """The bytes from a row of the memory to the next."""
    size = (bits_of(type.element) or 0) // 8
    stride: int | Value = stated if stated is not None else layout_of(type)[0][-2]
    if stride == DYNAMIC:
        stride = get(rewriter, descriptor, STRIDES, len(type.ranked_shape) - 2)
    if isinstance(stride, int):
        return emit.constant(rewriter, I64, IntegerAttr(stride * size, I64))
    return emit.mul(rewriter, emit.constant(rewriter, I64, IntegerAttr(size, I64)), stride)


def _transfer(intrinsic: str, of: Callable[[Operation], Type]) -> Lower:
    @named("AMXIntrinsicOpConversion")
    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        given, type = groups(op, operands), op.one_of("base").type
        if not isinstance(type, MemRefType) or type.shape is None or types.convert(type) is None:
            return NO_TYPE
        (base,) = given["base"]
        sizes = _sizes(rewriter, of(op))
        address = element_address(rewriter, types, base, type, given["indices"])
        stride = _stride(rewriter, type, base, next(iter(given["stride"]), None))
        arguments = [*sizes, address, stride, *given.get("val", ())]
        return call_instead(op, intrinsic, arguments, rewriter, types)

    return lower


def _multiply(intrinsic: Callable[[Operation], str]) -> Lower:
    @named("AMXIntrinsicOpConversion")
    def lower(
        op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        (rows, depth), (_, columns) = (_sizes(rewriter, op.one_of(name).type) for name in ("lhs", "rhs"))
        lhs, rhs, acc = operands
        return call_instead(op, intrinsic(op), [rows, columns, depth, acc, lhs, rhs], rewriter, types)

    return lower


def _of_floats(op: Operation) -> str:
    of_tile = tile(op.one_of("lhs").type)
    return f"llvm.x86.tdp{'fp16' if of_tile is not None and of_tile.element == F16 else 'bf16'}ps.internal"


def _of_integers(op: Operation) -> str:
    letters = "".join("u" if name in op.properties else "s" for name in ("isZextLhs", "isZextRhs"))
    return f"llvm.x86.tdpb{letters}d.internal"


@named("AMXIntrinsicOpConversion")
def fill_with_zero(
    op: TileZeroOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    return call_instead(op, "llvm.x86.tilezero.internal", _sizes(rewriter, op.result.type), rewriter, types)


LOWERINGS: Final[dict[str, Lower]] = {
    "amx.tile_zero": fill_with_zero,
    "amx.tile_load": _transfer("llvm.x86.tileloadd64.internal", lambda op: op.result.type),
    "amx.tile_store": _transfer("llvm.x86.tilestored64.internal", lambda op: op.one_of("val").type),
    "amx.tile_mulf": _multiply(_of_floats),
    "amx.tile_muli": _multiply(_of_integers),
}
