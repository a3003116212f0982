"""What `convert-to-llvm` lowers of dialects that have no pass of their own here: `amx`, whose operations become calls
of intrinsic functions, and `omp`, whose operations stay, with the types of the LLVM dialect.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.attributes import TypeAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.operation import Region
from fathom.ir.types import MemRefType
from fathom.passes.to_llvm.patterns import pattern, patterns
from fathom.rewriting.pattern import Failure, Operations

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Pattern
    from fathom.rewriting.target import ConversionTarget

Extend: TypeAlias = "Callable[[Operation, LLVMTypeConverter, ConversionTarget], list[Pattern]]"
"""The patterns for a conversion of an operation; the types and the target learn what belongs to them."""

WITHOUT_MEMORY: Final = Operations(
    "omp.atomic.update", "omp.atomic.write", "omp.flush", "omp.map.bounds", "omp.threadprivate"
)
"""The operations that are not converted where they take a memref."""


def _extend_amx(root: Operation, types: LLVMTypeConverter, target: ConversionTarget) -> list[Pattern]:
    from fathom.passes.conversions.convert_vector_to_llvm.extensions import amx

    types.conversions.append(amx.convert)
    return patterns(amx.LOWERINGS, types)


def _extend_omp(root: Operation, types: LLVMTypeConverter, target: ConversionTarget) -> list[Pattern]:
    types.conversions.append(_own_type)
    target.dynamically_legal(lambda op: _is_converted(op, types), "omp")
    return [pattern(name, _retype, types) for name in {op.name for op in root.walk() if op.dialect == "omp"}]


def _own_type(type: Type) -> Type | None:
    return type if isinstance(type, DialectType) and type.dialect == "omp" else None


def _is_converted(op: Operation, types: LLVMTypeConverter) -> bool:
    """Whether all types that an operation names, takes and makes are those of the LLVM dialect."""
    named = [each.type for each in (*op.properties.values(), *op.attributes.values()) if isinstance(each, TypeAttr)]
    arguments = [each.type for region in op.regions for block in region.blocks for each in block.arguments]
    return types.accepts(op) and all(map(types.is_legal, (*named, *arguments)))


def _retype(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The same operation, with converted operands, results, types that it names and arguments of its regions."""
    results = types.convert_all([result.type for result in op.results])
    if results is None:
        return Failure("a result has no type of the LLVM dialect")
    if op in WITHOUT_MEMORY and any(isinstance(each.type, MemRefType) for each in op.operands):
        return Failure("memref is not supported yet")
    properties, attributes = dict(op.properties), dict(op.attributes)
    for table in (properties, attributes):
        for name, value in table.items():
            if isinstance(value, TypeAttr):
                converted = types.convert(value.type)
                if converted is None:
                    return Failure("failed to convert type in attribute")
                table[name] = TypeAttr(converted)
    regions = [Region() for _ in op.regions]
    made = rewriter.create(op.definition or op.name, operands, results, properties, attributes, regions=regions)
    for region, new in zip(op.regions, made.regions, strict=True):
        rewriter.inline_region_before(region, new, None)
        failure = rewriter.convert_region_types(new)
        if failure is not None:
            return failure
    rewriter.replace(op, list(made.results))
    return None


FURTHER: Final[Mapping[str, Extend]] = {"amx": _extend_amx, "omp": _extend_omp}
