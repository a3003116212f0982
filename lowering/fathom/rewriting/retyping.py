"""The same operation with other types: what a conversion does to operations that stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.attributes import TypeAttr
from fathom.ir.operation import Operation, Region
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.type_converter import TypeConverter


def retype(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: TypeConverter
) -> Failure | None:
    """The same operation, with converted operands, results, types that it names and arguments of its regions."""
    results = types.convert_all([result.type for result in op.results])
    if results is None:
        return Failure("a result has no type of the LLVM dialect")
    properties, attributes = dict(op.properties), dict(op.attributes)
    for table in (properties, attributes):
        for name, value in table.items():
            if isinstance(value, TypeAttr):
                converted = types.convert(value.type)
                if converted is None:
                    return Failure("failed to convert type in attribute")
                table[name] = TypeAttr(converted)
    regions = [Region() for _ in op.regions]
    made = Operation(
        op.name, operands, results, properties, attributes, op.successors, regions, rewriter.span, op.definition
    )
    made.location = rewriter.location
    rewriter.insert(made)
    for region, new in zip(op.regions, made.regions, strict=True):
        rewriter.inline_region_before(region, new, None)
        failure = rewriter.convert_region_types(new)
        if failure is not None:
            return failure
    rewriter.replace(op, list(made.results))
    return None


def is_retyped(op: Operation, types: TypeConverter) -> bool:
    """Whether all types that an operation names, takes and makes are such as a conversion leaves."""
    named = [
        attribute.type
        for attribute in (*op.properties.values(), *op.attributes.values())
        if isinstance(attribute, TypeAttr)
    ]
    arguments = [argument.type for region in op.regions for block in region.blocks for argument in block.arguments]
    return types.accepts(op) and all(map(types.is_legal, (*named, *arguments)))
