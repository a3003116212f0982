"""The conversion of a module of a host, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import Diagnostic
from fathom.dialects.gpu.types import NamedType
from fathom.dialects.llvm.types import PTR
from fathom.passes.conversions.convert_to_llvm import parts_by_dialect
from fathom.passes.conversions.gpu_to_llvm.asynchronous import allow_asynchronous, asynchronous_patterns
from fathom.passes.conversions.gpu_to_llvm.launches import launch_of
from fathom.passes.conversions.gpu_to_llvm.memory import MEMORY
from fathom.passes.conversions.gpu_to_llvm.sparse import SPARSE
from fathom.passes.conversions.gpu_to_llvm.streams import STREAMS
from fathom.passes.gpu_to_llvm.modules import patterns_of_dialects
from fathom.passes.to_llvm.conversion import lower_to_llvm, type_converter
from fathom.passes.to_llvm.patterns import Lower, patterns
from fathom.passes.vectors.transfers import transfers
from fathom.passes.vectors.unrolling import FROM_ELEMENTS
from fathom.rewriting.greedy_driver import apply_patterns
from fathom.rewriting.target import ConversionTarget

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.passes.conversions.gpu_to_llvm import GpuToLLVMConversionPass

LOWERINGS: Final[Mapping[str, Lower]] = {**MEMORY, **STREAMS, **SPARSE}


def convert(use: GpuToLLVMConversionPass, module: Operation, context: Context) -> list[Diagnostic]:
    """Lowers a module, but for kernels and their launches."""
    apply_patterns(module, [*transfers(1), FROM_ELEMENTS], context)
    types = type_converter(0, module, use_bare_ptr_memref_call_conv=use.host)
    types.conversions.append(_handle)
    target = ConversionTarget().legal("llvm")
    others = patterns_of_dialects(module, types, target)
    if isinstance(others, Diagnostic):
        return [others]
    target.legal("gpu.module", "gpu.binary").dynamically_legal(types.accepts, "gpu.launch_func")
    allow_asynchronous(types, target)
    launch = launch_of(bare=use.kernels, with_sizes=use.sizes)
    own = patterns({**LOWERINGS, "gpu.launch_func": launch}, types)
    # MLIR's conversions try last what was added first, where nothing is said of what is better.
    made = [*own, *asynchronous_patterns(types), *others]
    return lower_to_llvm(use, module, made, types, context, target, list(parts_by_dialect().values()))


def _handle(type: Type) -> Type | None:
    """Tokens, and what stands for something on the GPU, are pointers of the runtime library."""
    return PTR if isinstance(type, NamedType) else None
