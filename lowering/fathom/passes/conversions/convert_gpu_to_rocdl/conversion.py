"""The conversion of a GPU module for AMD's GPUs, step by step."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic
from fathom.dialects.func.callees import function_type
from fathom.ir.attributes import DenseArrayAttr, StringAttr
from fathom.ir.types import MemRefType
from fathom.ops.gpu import FuncOp
from fathom.ops.llvm import FuncOp as LLVMFuncOp
from fathom.passes.conversions.convert_amdgpu_to_rocdl import patterns as of_amdgpu
from fathom.passes.conversions.convert_gpu_to_rocdl import operations
from fathom.passes.conversions.convert_gpu_to_rocdl.promotions import promotions
from fathom.passes.gpu_to_llvm.chipsets import Chipset
from fathom.passes.gpu_to_llvm.modules import patterns_of_dialects, request_wrappers, rewrite_first
from fathom.passes.gpu_to_llvm.rewrites import REWRITES
from fathom.passes.to_llvm.conversion import convert_to_llvm, llvm_target, type_converter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.passes.conversions.convert_gpu_to_rocdl import ConvertGpuOpsToROCDLOps
    from fathom.passes.to_llvm.llvm_types import LLVMTypes

_LAYOUT: Final = "llvm.data_layout"
_OF_THE_GPU: Final = (
    "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48"
    "-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
    "-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
)


def convert(use: ConvertGpuOpsToROCDLOps, module: Operation, context: Context) -> list[Diagnostic]:
    """Lowers a GPU module; or says what of the options does not fit."""
    layout = module.attributes.get(_LAYOUT)
    if not isinstance(layout, StringAttr):
        layout = module.attributes[_LAYOUT] = StringAttr(_OF_THE_GPU)
    request_wrappers(module)
    chipset = Chipset.read(use.chipset)
    if chipset is None:
        return [_refused(f"Invalid chipset name: {use.chipset}")]
    types = type_converter(
        use.index_bitwidth,
        module,
        by_layout=True,
        use_bare_ptr_memref_call_conv=use.use_bare_ptr_memref_call_conv,
        data_layout=layout.value,
    )
    if use.use_bare_ptr_memref_call_conv and not _fit_bare_pointers(module, types):
        text = "bare pointer calling convention requires all memrefs to have static shape and use the identity map"
        return [_refused(text)]
    rewrite_first(module, [*REWRITES, *promotions(chipset)], context)
    operations.convert_types(types)
    target = llvm_target()
    others = patterns_of_dialects(module, types, target, use.allowed_dialects)
    if isinstance(others, Diagnostic):
        return [others]
    # MLIR's conversions try last what was added first, where nothing is said of what is better.
    patterns = [*operations.patterns(types, use.runtime, chipset), *of_amdgpu(types, chipset), *others]
    operations.require(target)
    diagnostics = convert_to_llvm(module, target, patterns, types, context)
    _say_flat_sizes(module)
    return diagnostics


def _refused(text: str) -> Diagnostic:
    return Diagnostic(text, code=REFUSED_BY_PASS, unplaced=True)


def _fit_bare_pointers(module: Operation, types: LLVMTypes) -> bool:
    return all(
        types.can_be_bare_pointer(type)
        for op in module.walk()
        if isinstance(op, FuncOp)
        for type in function_type(op).inputs
        if isinstance(type, MemRefType)
    )


def _say_flat_sizes(module: Operation) -> None:
    """A kernel whose blocks have a known size says how many threads that are, so that nothing else is assumed."""
    for op in module.walk():
        size = op.attributes.get("rocdl.reqd_work_group_size") if isinstance(op, LLVMFuncOp) else None
        if isinstance(size, DenseArrayAttr):
            count = prod(map(int, size.values)) % 2**32
            op.attributes["rocdl.flat_work_group_size"] = StringAttr(f"{count},{count}")
