"""What a conversion to the LLVM dialect does to operations of OpenMP: they stay, with other types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.dialect_values import DialectType
from fathom.ir.types import MemRefType
from fathom.passes.to_llvm.patterns import pattern
from fathom.rewriting.pattern import Failure, Operations, named
from fathom.rewriting.retyping import is_retyped, retype

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Pattern
    from fathom.rewriting.target import ConversionTarget

WITHOUT_MEMORY: Final = Operations(
    "omp.atomic.update", "omp.atomic.write", "omp.flush", "omp.map.bounds", "omp.threadprivate"
)
"""The operations that are not converted where they take a memref."""


def extend(root: Operation, types: LLVMTypeConverter, target: ConversionTarget) -> list[Pattern]:
    """The patterns for a conversion of `root`; operations are legal once their types are."""
    types.conversions.append(_own_type)
    target.dynamically_legal(lambda op: is_retyped(op, types), "omp")
    return [pattern(name, _retype, types) for name in {op.name for op in root.walk() if op.dialect == "omp"}]


def _own_type(type: Type) -> Type | None:
    return type if isinstance(type, DialectType) and type.dialect == "omp" else None


@named("OpenMPOpConversion")
def _retype(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    if op in WITHOUT_MEMORY and any(isinstance(operand.type, MemRefType) for operand in op.operands):
        return Failure("memref is not supported yet")
    return retype(op, operands, rewriter, types)
