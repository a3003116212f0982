"""Memory of a workgroup whose size the launch decides: a global without elements."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING

from fathom.dialects.llvm.attributes import linkage
from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType
from fathom.ir.attributes import StringAttr, SymbolRefAttr, TypeAttr, i32_attr, i64_attr
from fathom.ir.operation import Region
from fathom.ir.traversal import closest
from fathom.ir.types import IntegerType, MemRefType
from fathom.ops.gpu import ModuleOp
from fathom.ops.llvm import MlirGlobalOp
from fathom.passes.conversions.finalize_memref_to_llvm.allocation import bytes_of, sizes_of
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.declarations import in_front_of
from fathom.passes.to_llvm.descriptors import from_sizes
from fathom.records import replace
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ops.gpu import DynamicSharedMemoryOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def dynamic_shared_memory(alignment_bits: int) -> Lower:
    """
        %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    becomes
        %p = llvm.mlir.addressof @__dynamic_shmem__0 : !llvm.ptr<3>
        %0 = { %p, %p, 0, [0], [1] }
    All that are aligned alike are one.
    """

    @named("GPUDynamicSharedMemoryOpLowering")
    def lower(
        op: DynamicSharedMemoryOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        module, type = closest(op, ModuleOp), op.resultMemref.type
        if module is None or not isinstance(type, MemRefType) or not isinstance(type.element, IntegerType):
            return Failure("it stands in no GPU module")
        space = types.address_space(type.space)
        if space is None:
            text = (
                f"conversion of memref memory space {type.space} to integer address space failed. "
                "Consider adding memory space conversions."
            )
            return Failure(text, said_of=op)
        name = _symbol(module, type, space, alignment_bits // type.element.width, rewriter)
        pointer = LLVMPointerType(space)
        address = rewriter.create("llvm.mlir.addressof", (), [pointer], {"global_name": SymbolRefAttr(name)}).result
        first = emit.gep(rewriter, address, type.element, 0)
        empty = replace(type, shape=(0,), layout=None)
        sizes, strides, number = sizes_of(rewriter, types, empty, [])
        bytes_of(rewriter, types, empty, number)
        rewriter.replace(op, [from_sizes(rewriter, types, empty, (first, first), sizes, strides)])
        return None

    return lower


def _symbol(module: ModuleOp, type: MemRefType, space: int, alignment: int, rewriter: ConversionRewriter) -> str:
    names: set[str] = set()
    for each in module.regions[0].operations():
        if not isinstance(each, MlirGlobalOp):
            continue
        names.add(each.sym_name.value)
        array = each.global_type.type
        if isinstance(array, LLVMArrayType) and array.size == 0 and each.addr_space.value == space:
            if (each.alignment.value if each.alignment is not None else 0) == alignment:
                return each.sym_name.value
    name = next(name for number in count() if (name := f"__dynamic_shmem__{number}") not in names)
    properties: dict[str, Attribute] = {
        "addr_space": i32_attr(space),
        "global_type": TypeAttr(LLVMArrayType(0, type.element)),
        "linkage": linkage("internal"),
        "sym_name": StringAttr(name),
        "visibility_": i64_attr(0),
    }
    if alignment:
        properties["alignment"] = i64_attr(alignment)
    with in_front_of(rewriter, module):
        rewriter.create("llvm.mlir.global", (), (), properties, regions=[Region()])
    return name
