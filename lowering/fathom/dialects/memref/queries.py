"""What is asked about memrefs: sizes, rank, strides, the pointer, and what may be assumed.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import STRIDED_MEMREF, ranked
from fathom.ir.attributes import IntegerAttr
from fathom.ir.operation import Operation
from fathom.ir.types import I32, INDEX, MemRefType, Type
from fathom.irdl.constraint import AttributeConstraint, AttributeForm, TypeConstraint
from fathom.irdl.constraints import (
    ANY_MEMREF,
    ANY_RANKED_OR_UNRANKED_MEMREF,
    ANY_UNRANKED_OR_NON_0_RANKED_MEMREF,
    INDEX_TYPE,
)
from fathom.irdl.definition import CustomSyntax, OpDefinition, Operand, Problem, Property, Result, TypeRule
from fathom.irdl.groups import Arity
from fathom.irdl.interfaces import ShapedDim
from fathom.irdl.traits import NO_MEMORY_EFFECT, PURE, SAME_OPERANDS_AND_RESULT_TYPE
from fathom.rewriting.speculation import SIZE_OF_DIMENSION

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

DYNAMIC_STRIDED: Final = TypeConstraint(
    "strided memref of any type values of rank 0",
    lambda t: STRIDED_MEMREF.accepts(t) and isinstance(t, MemRefType) and t.shape == (),
)


DIM: Final = OpDefinition(
    "memref.dim",
    operands=(Operand("source", ANY_UNRANKED_OR_NON_0_RANKED_MEMREF), Operand("index", INDEX_TYPE)),
    results=(Result("result", INDEX_TYPE),),
    traits=(NO_MEMORY_EFFECT,),
    interfaces=(SIZE_OF_DIMENSION, ShapedDim()),
    assembly="attr-dict $source `,` $index `:` type($source)",
    result_names=lambda _: ("dim",),
    summary="a size",
)


RANK: Final = OpDefinition(
    "memref.rank",
    operands=(Operand("memref", ANY_RANKED_OR_UNRANKED_MEMREF),),
    results=(Result("result", INDEX_TYPE),),
    traits=(PURE,),
    assembly="$memref attr-dict `:` type($memref)",
    summary="how many dimensions there are",
)


def metadata_types(type: MemRefType) -> list[Type]:
    """The results of `extract_strided_metadata`: the buffer, the offset, the sizes, the strides."""
    base = MemRefType((), type.element, None, type.space)
    return [base, *([INDEX] * (1 + 2 * len(type.ranked_shape)))]


def _same(types: list[Type]) -> list[Type] | None:
    return types


def _index(_: list[Type]) -> list[Type] | None:
    return [INDEX]


def _buffer(types: list[Type]) -> list[Type] | None:
    type = ranked(types[0]) if types else None
    return metadata_types(type)[:1] if type is not None else None


def _sizes_and_strides(types: list[Type]) -> list[Type] | None:
    type = ranked(types[0]) if types else None
    return metadata_types(type)[2:] if type is not None else None


def _metadata_names(op: Operation) -> list[str | None]:
    rank = (len(op.results) - 2) // 2
    names: list[str | None] = [None] * len(op.results)
    for name, index in (("base_buffer", 0), ("offset", 1), ("sizes", 2), ("strides", 2 + rank)):
        if index < len(names):
            names[index] = name
    return names


def _parse_extract(cursor: OpParser, parsed: ParsedOp) -> None:
    parsed.operands["source"] = [cursor.value_use()]
    cursor.expect(":")
    parsed.types["source"] = [cursor.type()]
    cursor.expect("->")
    results = cursor.type_list()
    parsed.types["base_buffer"], parsed.types["offset"] = results[:1], results[1:2]
    parsed.types["sizes_and_strides"] = results[2:]
    cursor.attr_dict(parsed)


def _print_extract(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.value(op.operands[0])
    p.write(" : ")
    p.type(op.operands[0].type)
    p.write(" -> ")
    p.types([result.type for result in op.results])
    p.attr_dict(op)


EXTRACT_STRIDED_METADATA: Final = OpDefinition(
    "memref.extract_strided_metadata",
    operands=(Operand("source", STRIDED_MEMREF),),
    results=(
        Result("base_buffer", DYNAMIC_STRIDED),
        Result("offset", INDEX_TYPE),
        # Sizes, then as many strides; one group, since the rank of the source says where the strides begin.
        Result("sizes_and_strides", INDEX_TYPE, Arity.VARIADIC),
    ),
    traits=(PURE,),
    rules=(
        TypeRule("base_buffer", ("source",), _buffer, ""),
        TypeRule("offset", ("source",), _index, ""),
        TypeRule("sizes_and_strides", ("source",), _sizes_and_strides, ""),
    ),
    custom=CustomSyntax(_parse_extract, _print_extract),
    result_names=_metadata_names,
    summary="the buffer, the offset, the sizes and the strides",
)


EXTRACT_ALIGNED_POINTER: Final = OpDefinition(
    "memref.extract_aligned_pointer_as_index",
    operands=(Operand("source", ANY_RANKED_OR_UNRANKED_MEMREF),),
    results=(Result("aligned_pointer", INDEX_TYPE),),
    traits=(PURE,),
    assembly="$source `:` type($source) `->` type(results) attr-dict",
    result_names=lambda _: ("intptr",),
    summary="the aligned pointer, as a number",
)


def _verify_alignment(op: Operation) -> list[Problem]:
    attribute = op.properties.get("alignment")
    number = attribute.value if isinstance(attribute, IntegerAttr) else 1
    return [] if number > 0 and number & (number - 1) == 0 else [Problem("alignment must be power of 2")]


ASSUME_ALIGNMENT: Final = OpDefinition(
    "memref.assume_alignment",
    operands=(Operand("memref", ANY_MEMREF),),
    results=(Result("result", ANY_MEMREF),),
    properties=(
        Property(
            "alignment",
            AttributeConstraint(
                "32-bit signless integer attribute whose value is positive",
                lambda a: isinstance(a, IntegerAttr) and a.type == I32 and a.value > 0,
                AttributeForm.TYPED_LITERAL,
                I32,
            ),
        ),
    ),
    traits=(PURE, SAME_OPERANDS_AND_RESULT_TYPE),
    assembly="$memref `,` $alignment attr-dict `:` type($memref)",
    verify=_verify_alignment,
    result_names=lambda _: ("assume_align",),
    summary="a memref whose pointer has an alignment that may be relied on",
)


def _verify_distinct(op: Operation) -> list[Problem]:
    if not op.operands:
        return [Problem("expected at least one operand")]
    if [operand.type for operand in op.operands] != [result.type for result in op.results]:
        return [Problem("operand types and result types must match")]
    return []


DISTINCT_OBJECTS: Final = OpDefinition(
    "memref.distinct_objects",
    operands=(Operand("operands", ANY_MEMREF, Arity.VARIADIC),),
    results=(Result("results", ANY_MEMREF, Arity.VARIADIC),),
    traits=(PURE,),
    rules=(TypeRule("results", ("operands",), _same, ""),),
    assembly="$operands attr-dict `:` type($operands)",
    verify=_verify_distinct,
    summary="memrefs that do not overlap",
)

OPERATIONS: Final = (
    DIM,
    RANK,
    EXTRACT_STRIDED_METADATA,
    EXTRACT_ALIGNED_POINTER,
    ASSUME_ALIGNMENT,
    DISTINCT_OBJECTS,
)
