"""What targets of GPU modules have to say about their conversion to the LLVM dialect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.traversal import closest
from fathom.ops.gpu import ModuleOp

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern
    from fathom.rewriting.target import ConversionTarget

Convert: TypeAlias = "Callable[[LLVMTypeConverter, ConversionTarget], list[Pattern]]"
"""The patterns for a target; the types and what is legal learn what belongs to it."""


def _for_nvidia(types: LLVMTypeConverter, target: ConversionTarget) -> list[Pattern]:
    from fathom.passes.conversions.convert_gpu_to_nvvm import operations

    operations.require(target)
    operations.convert_types(types)
    return operations.patterns(types)


TARGETS: Final[Mapping[str, Convert]] = {"nvvm.target": _for_nvidia}


def patterns_of_targets(op: Operation, types: LLVMTypeConverter, target: ConversionTarget) -> list[Pattern]:
    """The patterns for the target of the GPU module that an operation is, or stands in, if that has one only."""
    module = op if isinstance(op, ModuleOp) else closest(op, ModuleOp)
    targets = module.targets.elements if module is not None and module.targets is not None else ()
    convert = TARGETS.get(targets[0].full_name) if len(targets) == 1 else None
    return convert(types, target) if convert is not None else []
