"""Launches of kernels of SPIR-V as calls, and the names by which these are called.

The kernel takes no arguments: what it reads and writes are global variables, one for each argument of the launch, into
which the memory is copied before the call, and from which it is copied back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import LOWERING, Diagnostic
from fathom.dialects.llvm.attributes import linkage
from fathom.dialects.llvm.types import VOID
from fathom.dialects.spirv.types import PointerType
from fathom.ir.attributes import Attribute, StringAttr, SymbolRefAttr, TypeAttr, i32_attr, i64_attr
from fathom.ir.locations import UnknownLoc
from fathom.ir.operation import Operation, Region, is_module
from fathom.ir.traversal import ancestors
from fathom.ir.types import MemRefType
from fathom.irdl.interfaces import symbol_name
from fathom.ops import gpu, spirv
from fathom.ops.llvm import MlirGlobalOp
from fathom.passes.conversions.convert_spirv_to_llvm.bindings import bound_name
from fathom.passes.conversions.finalize_memref_to_llvm.allocation import bytes_of, sizes_of
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.declarations import function_of, in_front_of
from fathom.passes.to_llvm.descriptors import ALLOCATED, get
from fathom.passes.to_llvm.patterns import groups
from fathom.passes.to_llvm.patterns import patterns as bound
from fathom.rewriting.pattern import Failure, named
from fathom.rewriting.symbol_renaming import rename_symbol

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Pattern

PREFIX: Final = "__spv__"
ONE_ENTRY: Final = "The module must contain exactly one entry point function"


def patterns(types: LLVMTypeConverter) -> list[Pattern]:
    return bound({"gpu.launch_func": _launch}, types)


def _entry_points(module: Operation) -> list[spirv.EntryPointOp]:
    return [op for op in module.regions[0].operations() if isinstance(op, spirv.EntryPointOp)]


def _declare_variable(rewriter: ConversionRewriter, module: Operation, name: str, type: Type) -> None:
    if isinstance(rewriter.symbols_in(module).get(name), MlirGlobalOp):
        return
    properties: dict[str, Attribute] = {
        "addr_space": i32_attr(0),
        "global_type": TypeAttr(type),
        "linkage": linkage("linkonce"),
        "sym_name": StringAttr(name),
        "visibility_": i64_attr(0),
    }
    with in_front_of(rewriter, module):
        rewriter.create("llvm.mlir.global", (), (), properties, regions=[Region()])


def _variables(kernels: Operation, prefix: str) -> dict[int, tuple[Type, str]]:
    """The types of the variables that stand for arguments, and their names in the program, by their numbers."""
    found: dict[int, tuple[Type, str]] = {}
    for op in kernels.regions[0].operations():
        if isinstance(op, spirv.GlobalVariableOp) and op.binding is not None:
            name = bound_name(op, prefix)
            if name is not None:
                found[op.binding.value] = op.type.type, name
    return found


@named("GPULaunchLowering")
def _launch(
    op: gpu.LaunchFuncOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """See the module of the pass."""
    module = next(around for around in ancestors(op) if is_module(around))
    prefix = PREFIX + op.kernel.root
    kernels = rewriter.symbols_in(module).get(prefix)
    if not isinstance(kernels, spirv.ModuleOp):
        return Failure(f"'{op.name}' op SPIR-V kernel module '{prefix}' is not found", said_of=op)
    kernel = "_".join((prefix, *op.kernel.nested[-1:]))
    function_of(rewriter, module, kernel, (), VOID, location=UnknownLoc())
    if len(_entry_points(kernels)) != 1:
        return Failure(ONE_ENTRY, said_of=kernels)
    variables = _variables(kernels, prefix)
    copies: list[tuple[Value, Value, Value]] = []
    for index, (argument, descriptor) in enumerate(
        zip(op.kernelOperands, groups(op, operands)["kernelOperands"], strict=True)
    ):
        memory = argument.type
        if not isinstance(memory, MemRefType) or not memory.has_static_shape or index not in variables:
            return Failure(f"no variable of the kernel holds argument #{index}")
        _, _, count = sizes_of(rewriter, types, memory, ())
        size = bytes_of(rewriter, types, memory, count)
        source = get(rewriter, descriptor, ALLOCATED)
        pointer, name = variables[index]
        type = types.convert(pointer.pointee) if isinstance(pointer, PointerType) else None
        address = types.convert(pointer)
        if type is None or address is None:
            return Failure("type conversion failed")
        _declare_variable(rewriter, module, name, type)
        target = rewriter.create("llvm.mlir.addressof", (), [address], {"global_name": SymbolRefAttr(name)}).result
        emit.memcpy(rewriter, target, source, size)
        copies.append((source, target, size))
    emit.call(rewriter, kernel, [])
    for source, target, size in copies:
        emit.memcpy(rewriter, source, target, size)
    rewriter.erase(op)
    return None


def name_kernels(root: Operation) -> list[Diagnostic]:
    """The kernel of each module of SPIR-V gets the name of that in front of its own; what is wrong with the first that
    has not exactly one."""
    for module in root.regions[0].operations():
        if not isinstance(module, spirv.ModuleOp):
            continue
        entries = _entry_points(module)
        if len(entries) != 1:
            return [Diagnostic(ONE_ENTRY, module.span, code=LOWERING, op=module)]
        prefix = module.sym_name.value if module.sym_name is not None else PREFIX
        entry = entries[0].fn.root
        kernel = next((op for op in module.regions[0].operations() if symbol_name(op) == entry), None)
        if kernel is None or not rename_symbol(kernel, f"{prefix}_{entry}", module):
            return [Diagnostic(f"the kernel '{entry}' could not be renamed", module.span, code=LOWERING, op=module)]
    return []
