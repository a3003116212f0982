"""Functions of the gpu dialect as functions of the LLVM dialect, with the memory that they bring along."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.func.callees import function_type
from fathom.dialects.func.signatures import attributes_at
from fathom.dialects.gpu.functions import WORKGROUP_COUNT, is_kernel, workgroup_count
from fathom.dialects.llvm.attributes import linkage
from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType
from fathom.ir.attributes import (
    UNIT,
    ArrayAttr,
    DictAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    i32_attr,
    i64_attr,
)
from fathom.ir.operation import Region
from fathom.ir.types import MemRefType
from fathom.irdl.build import definition_of
from fathom.irdl.interfaces import symbol_name
from fathom.ops.llvm import FuncOp as LLVMFuncOp
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.calling_convention import return_instead
from fathom.passes.to_llvm.descriptors import descriptor_from_pointer, element
from fathom.records import record
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ops import gpu as ops
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.type_converter import SignatureConversion

_ALIGNMENT: Final = "llvm.align"
_MODELLED: Final = frozenset(
    (
        "sym_name",
        "function_type",
        "arg_attrs",
        WORKGROUP_COUNT,
        "workgroup_attrib_attrs",
        "private_attrib_attrs",
    )
)
"""Attributes of a `gpu.func` that say what it is, and are no others of the `llvm.func`."""
_KNOWN: Final = ("known_block_size", "known_grid_size", "known_cluster_size")
_OF_VALUES: Final = ("llvm.returned", "llvm.noundef", "llvm.inreg")
_NO_ALIAS: Final = "llvm.noalias"
_OF_POINTERS: Final = (
    _NO_ALIAS,
    "llvm.nocapture",
    "llvm.nofree",
    _ALIGNMENT,
    "llvm.readonly",
    "llvm.writeonly",
    "llvm.readnone",
    "llvm.nonnull",
    "llvm.dereferenceable",
    "llvm.dereferenceable_or_null",
    "llvm.mlir.workgroup_attribution",
)


@record
class FunctionRules:
    """How the functions of a target look: in which address spaces memory of a thread and of a workgroup lie, and the
    attributes that a kernel has, by which its sizes are said too; empty for none."""

    private_space: int
    workgroup_space: int
    kernel: str
    block_size: str = ""
    cluster_size: str = ""


def function(rules: FunctionRules) -> Lower:
    """
        gpu.func @f(%m: memref<4xf32>) workgroup(%w: memref<8xf32, 3>) private(%p: memref<2xf32, 5>) kernel { … }
    becomes
        llvm.mlir.global internal @__wg_f_0() {addr_space = 3 : i32} : !llvm.array<8 x f32>
        llvm.func @f(…) attributes {gpu.kernel, nvvm.kernel} {
          %w = llvm.mlir.addressof @__wg_f_0,  %p = llvm.alloca 2 x f32
          …
        }
    """

    @named("GPUFuncOpLowering")
    def lower(
        op: ops.FuncOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        entry, type = op.body.first, function_type(op)
        if entry is None:
            return Failure("a function without a body")
        count = workgroup_count(op)
        memory = entry.arguments[len(type.inputs) :]
        memrefs = [argument.type for argument in memory if isinstance(argument.type, MemRefType)]
        if len(memrefs) != len(memory) or any(types.convert(memref) is None for memref in memrefs):
            return Failure("its memory has no type of the LLVM dialect")
        if not all(memref.has_static_shape for memref in memrefs):
            return Failure("unexpected type in attribution")
        buffers = [
            _buffer(op, memref, index, rules.workgroup_space, rewriter, types)
            for index, memref in enumerate(memrefs[:count])
        ]
        converted = types.convert_function_type(type)
        if converted is None:
            return Failure(f"failed to convert function signature type for: '{type}'")
        llvm_type, signature = converted
        new = _new_function(op, TypeAttr(llvm_type), rules, rewriter)
        with rewriter.elsewhere():
            rewriter.set_insertion_to_start(entry)
            for memref, name in zip(memrefs, buffers, strict=False):
                signature.replace(_workgroup(memref, name, rules.workgroup_space, rewriter, types))
            for index, memref in enumerate(memrefs[count:]):
                alignment = _alignment(op, "private_attrib_attrs", index)
                signature.replace(_private(memref, alignment, rules.private_space, rewriter, types))
        rewriter.inline_region_before(op.body, new.body, None)
        if (failure := rewriter.convert_region_types(new.body, signature)) is not None:
            return failure
        _carry_argument_attributes(op, new, signature, rewriter)
        rewriter.erase(op)
        return None

    return lower


def _alignment(op: ops.FuncOp, name: str, index: int) -> Attribute | None:
    alignment = attributes_at(op, name, index).get(_ALIGNMENT)
    return i64_attr(alignment.value) if isinstance(alignment, IntegerAttr) and alignment.value else None


def _buffer(
    op: ops.FuncOp, type: MemRefType, index: int, space: int, rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> str:
    """A global of the size of a workgroup's memory; its name."""
    name = f"__wg_{symbol_name(op)}_{index}"
    properties: dict[str, Attribute] = {
        "addr_space": i32_attr(space),
        "global_type": TypeAttr(_array(type, types)),
        "linkage": linkage("internal"),
        "sym_name": StringAttr(name),
        "visibility_": i64_attr(0),
    }
    alignment = _alignment(op, "workgroup_attrib_attrs", index)
    if alignment is not None:
        properties["alignment"] = alignment
    rewriter.create("llvm.mlir.global", (), (), properties, regions=[Region()])
    return name


def _array(type: MemRefType, types: LLVMTypeConverter) -> LLVMArrayType:
    return LLVMArrayType(prod(type.ranked_shape), element(types, type))


def _workgroup(
    type: MemRefType, name: str, space: int, rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Value:
    properties = {"global_name": SymbolRefAttr(name)}
    address = rewriter.create("llvm.mlir.addressof", (), [LLVMPointerType(space)], properties).result
    first = emit.gep(rewriter, address, _array(type, types), 0, 0)
    return descriptor_from_pointer(rewriter, types, type, first)


def _private(
    type: MemRefType, alignment: Attribute | None, space: int, rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Value:
    count = emit.i64(rewriter, prod(type.ranked_shape))
    pointer = emit.alloca(rewriter, element(types, type), count, LLVMPointerType(space), alignment)
    return descriptor_from_pointer(rewriter, types, type, pointer)


def _new_function(op: ops.FuncOp, type: TypeAttr, rules: FunctionRules, rewriter: ConversionRewriter) -> LLVMFuncOp:
    properties: dict[str, Attribute] = {"function_type": type, "sym_name": StringAttr(symbol_name(op))}
    known = definition_of(rewriter.context, "llvm.func").property_map
    attributes: dict[str, Attribute] = {}
    sizes = {name: size for name in _KNOWN if (size := op.properties.get(name)) is not None}
    for name, value in {**op.properties, **op.attributes}.items():
        if name not in _MODELLED and name not in _KNOWN:
            (properties if name in known else attributes)[name] = value
    attributes.update((f"gpu.{name}", size) for name, size in sizes.items())
    if is_kernel(op):
        said = {rules.kernel: UNIT, rules.block_size: sizes.get(_KNOWN[0]), rules.cluster_size: sizes.get(_KNOWN[2])}
        attributes.update({name: value for name, value in said.items() if name and value is not None})
    made = rewriter.create("llvm.func", (), (), properties, attributes, regions=[Region()])
    assert isinstance(made, LLVMFuncOp)
    return made


def _carry_argument_attributes(
    op: ops.FuncOp, new: LLVMFuncOp, signature: SignatureConversion, rewriter: ConversionRewriter
) -> None:
    """What is said of an argument is said of all arguments that it becomes: if it is about a pointer, of those that
    are pointers."""
    carried: list[dict[str, Attribute]] = [{} for _ in signature.types]
    for index in range(len(function_type(op).inputs)):
        said = attributes_at(op, "arg_attrs", index)
        first, count = signature.ranges[index]
        places = range(first, first + count)
        pointers = [place for place in places if isinstance(signature.types[place], LLVMPointerType)]
        for names, among in ((_OF_VALUES, list(places)), (_OF_POINTERS, pointers)):
            for name in names:
                value = said.get(name)
                if value is None:
                    continue
                if name == _NO_ALIAS and count > 1 and pointers:
                    rewriter.warn(new, "Cannot copy noalias with non-bare pointers.\n")
                    continue
                for place in among:
                    carried[place][name] = value
    if any(carried):
        new.properties["arg_attrs"] = ArrayAttr(tuple(DictAttr(tuple(sorted(each.items()))) for each in carried))


@named("GPUReturnOpLowering")
def return_(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`gpu.return %a : f32` becomes `llvm.return %a : f32`."""
    bare = types.options.use_bare_ptr_memref_call_conv
    return return_instead(op, operands, rewriter, types, bare=bare)
