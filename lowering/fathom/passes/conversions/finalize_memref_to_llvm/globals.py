"""Lowers global buffers. Source of the rules: *'memref' Dialect*, `memref.global`, and mlir-opt 22."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import linkage
from fathom.dialects.llvm.types import PTR, LLVMArrayType
from fathom.ir.attributes import (
    UNIT,
    Attribute,
    DenseElementsAttr,
    FloatAttr,
    IntegerAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
    i32_attr,
    i64_attr,
)
from fathom.ir.operation import Region
from fathom.ir.types import I64, FloatType, MemRefType, Type
from fathom.passes.conversions.finalize_memref_to_llvm.access import memref_type
from fathom.passes.conversions.finalize_memref_to_llvm.allocation import bytes_of, sizes_of
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import element, from_sizes
from fathom.records import replace
from fathom.rewriting.allowance import too_deep
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.memref import GetGlobalOp, GlobalOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

POISON_ADDRESS: Final = 0xDEADBEEF
"""The allocated pointer of a global: nobody may free it."""


def array_type(types: LLVMTypeConverter, type: MemRefType) -> Type:
    """`memref<2x3xf32>` in memory: `!llvm.array<2 x array<3 x f32>>`; without dimensions, the element."""
    array = element(types, type)
    for extent in reversed(type.ranked_shape):
        array = LLVMArrayType(extent, array)
    return array


@named("GlobalMemrefOpLowering")
def global_(
    op: GlobalOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A global array. What is `uninitialized` is undefined; what has no value is defined elsewhere.

        memref.global "private" constant @g : memref<2xf32> = dense<[1.0, 2.0]>
    ->
        llvm.mlir.global private constant @g(dense<[1.0, 2.0]> : tensor<2xf32>) {addr_space = 0 : i32}
            : !llvm.array<2 x f32>
    """
    type = op.type.type
    if isinstance(type, MemRefType) and (refused := too_deep(op, len(type.ranked_shape))) is not None:
        return refused
    if not isinstance(type, MemRefType) or types.convert(type) is None or type.layout or not type.has_static_shape:
        return Failure(f"only a memref with a static shape and the identity layout can be a global, not '{type}'")
    array = array_type(types, type)
    initial, visibility = op.initial_value, op.sym_visibility
    is_public = visibility is None or visibility.value == "public"
    properties: dict[str, Attribute] = {
        "addr_space": i32_attr(types.address_space(type.space) or 0),
        "global_type": TypeAttr(array),
        "linkage": linkage("external" if is_public else "private"),
        "sym_name": op.sym_name,
        "visibility_": i64_attr(0),
    }
    if op.constant is not None:
        properties["constant"] = UNIT
    if op.alignment is not None:
        properties["alignment"] = op.alignment
    if isinstance(initial, DenseElementsAttr) and not type.ranked_shape:
        initial = scalar_of(initial)
    uninitialised = isinstance(initial, UnitAttr)
    if initial is not None and not uninitialised:
        properties["value"] = initial
    region = Region()
    rewriter.create("llvm.mlir.global", (), (), properties, regions=[region])
    if uninitialised:
        with rewriter.elsewhere():
            rewriter.create_block(region)
            undefined = rewriter.create("llvm.mlir.undef", (), [array]).result
            rewriter.create("llvm.return", [undefined])
    rewriter.erase(op)
    return None


def scalar_of(value: DenseElementsAttr) -> Attribute:
    """The only element of a tensor without dimensions."""
    element, number = value.type.element, value.values[0]
    if not isinstance(number, int):
        return value
    if isinstance(element, FloatType):
        return FloatAttr(number, element)
    return IntegerAttr(number, element)


@named("GetGlobalMemrefOpLowering")
def get_global(
    op: GetGlobalOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The descriptor of a global array.

        %0 = memref.get_global @g : memref<2xf32>
    ->
        %p = llvm.getelementptr (llvm.mlir.addressof @g)[0, 0] : !llvm.array<2 x f32>
        %0 = { 0xdeadbeef, %p, 0, [2], [1] }
    """
    type, name = memref_type(op.result), op.properties["name"]
    assert isinstance(name, SymbolRefAttr)
    if (refused := too_deep(op, len(type.ranked_shape))) is not None:
        return refused
    if type.layout is not None or types.convert(type) is None:
        return Failure(f"'{type}' has no descriptor, or a layout that is not the identity")
    sizes, strides, count = sizes_of(rewriter, types, type, [])
    bytes_of(rewriter, types, type, count)
    pointer = types.pointer(type) or PTR
    address = rewriter.create("llvm.mlir.addressof", (), [pointer], {"global_name": replace(name, nested=())}).result
    first = emit.gep(rewriter, address, array_type(types, type), *[0] * (1 + len(type.ranked_shape)))
    nowhere = emit.index_constant(rewriter, I64, POISON_ADDRESS)
    allocated = emit.cast(rewriter, "llvm.inttoptr", nowhere, pointer)
    rewriter.replace(op, [from_sizes(rewriter, types, type, (allocated, first), sizes, strides)])
    return None
