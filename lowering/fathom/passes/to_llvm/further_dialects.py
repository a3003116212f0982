"""What `convert-to-llvm` lowers of dialects that no pass lowers as a whole: operations of `amx` become calls of
intrinsic functions, those of `mpi` and `xevm` calls of libraries, some of `nvvm` assembly, and those of `omp` stay,
with the types of the LLVM dialect.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.passes.to_llvm.patterns import patterns

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern
    from fathom.rewriting.target import ConversionTarget

Extend: TypeAlias = "Callable[[Operation, LLVMTypeConverter, ConversionTarget], list[Pattern]]"
"""The patterns for a conversion of an operation; the types and the target learn what belongs to them."""


def _extend_amx(root: Operation, types: LLVMTypeConverter, target: ConversionTarget) -> list[Pattern]:
    from fathom.passes.conversions.convert_vector_to_llvm.extensions import amx

    types.conversions.append(amx.convert)
    return patterns(amx.LOWERINGS, types)


def _extend_mpi(root: Operation, types: LLVMTypeConverter, target: ConversionTarget) -> list[Pattern]:
    from fathom.passes.to_llvm.message_passing import lowerings

    types.conversions.append(lowerings.convert)
    return patterns(lowerings.LOWERINGS, types)


def _extend_nvvm(root: Operation, types: LLVMTypeConverter, target: ConversionTarget) -> list[Pattern]:
    from fathom.passes.conversions.convert_nvvm_to_llvm.assembly import lowerings

    return lowerings(root)


def _extend_omp(root: Operation, types: LLVMTypeConverter, target: ConversionTarget) -> list[Pattern]:
    from fathom.passes.conversions.convert_openmp_to_llvm import retyping

    return retyping.extend(root, types, target)


def _extend_xevm(root: Operation, types: LLVMTypeConverter, target: ConversionTarget) -> list[Pattern]:
    from fathom.passes.conversions.convert_xevm_to_llvm.operations import PATTERNS, restrict

    restrict(target)
    return PATTERNS


FURTHER: Final[Mapping[str, Extend]] = {
    "amx": _extend_amx,
    "mpi": _extend_mpi,
    "nvvm": _extend_nvvm,
    "omp": _extend_omp,
    "xevm": _extend_xevm,
}
