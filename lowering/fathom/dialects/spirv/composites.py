"""Composite values: how they are made, and what is taken out of them and put in.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.types import CooperativeMatrixType, count_of, may_be_same, part_at, part_of
from fathom.ir.attributes import ArrayAttr, IntegerAttr
from fathom.ir.types import FloatType, IntegerType, Type, VectorType, element_type
from fathom.irdl.checking import bare
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.verifying import verifies
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import ParsedOp, Resolver
    from fathom.irdl.verifying import Complaint


def _indices(op: Operation) -> tuple[int, ...]:
    value = op.properties.get("indices")
    elements = value.elements if isinstance(value, ArrayAttr) else ()
    return tuple(element.value for element in elements if isinstance(element, IntegerAttr))


def _resolve_extract(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    type = resolver.type(parsed.types["composite"][0])
    resolver.operands = [resolver.operand(parsed.operands["composite"][0], type)]
    value = resolver.properties.get("indices")
    if not isinstance(value, ArrayAttr):
        resolver.fail(f"custom op '{parsed.name}' expected an 32-bit integer array attribute for 'indices'")
    if not value.elements:
        resolver.fail(f"custom op '{parsed.name}' expected at least one index for spirv.CompositeExtract")
    part_type = part_at(type, tuple(element.value for element in value.elements if isinstance(element, IntegerAttr)))
    if isinstance(part_type, str):
        resolver.fail(f"custom op '{parsed.name}' {part_type}")
    resolver.result_types = [part_type]


@verifies("spirv.CompositeExtract")
def _extract(op: ops.CompositeExtractOp) -> Complaint:
    part_type = part_at(op.composite.type, _indices(op))
    if isinstance(part_type, str):
        return bare(part_type)
    elif not may_be_same(part_type, op.result.type):
        return f"invalid result type: expected '{part_type}' but provided '{op.result.type}'"
    return None


def _resolve_insert(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    types = [resolver.type(parsed.types[name][0]) for name in ("object", "composite")]
    tokens = [parsed.operands[name][0] for name in ("object", "composite")]
    resolver.operands = resolver.operand_list(tokens, types)
    resolver.result_types = [types[1]]


@verifies("spirv.CompositeInsert")
def _insert(op: ops.CompositeInsertOp) -> Complaint:
    thing, composite = (value.type for value in op.operands)
    part_type = part_at(composite, _indices(op))
    if isinstance(part_type, str):
        return bare(part_type)
    elif not may_be_same(part_type, thing):
        return f"object operand type should be '{part_type}', but found '{thing}'"
    elif composite != op.result.type:
        types = f"'{composite}' vs '{op.result.type}'"
        return f"result type should be the same as the composite type, but found {types}"
    return None


# ---- spirv.CompositeConstruct


@verifies("spirv.CompositeConstruct")
def _construct(op: ops.CompositeConstructOp) -> Complaint:
    result, given = op.result.type, [value.type for value in op.operands]
    if isinstance(result, CooperativeMatrixType):
        if len(given) != 1:
            return f"has incorrect number of operands: expected 1, but provided {len(given)}"
        elif given[0] != result.element:
            return _mismatch(result.element, given[0])
        return None
    count = count_of(result)
    if count is None:
        return None
    if len(given) == count:
        for index, type in enumerate(given):
            part = part_of(result, index)
            if part is not None and not may_be_same(part, type):
                return _mismatch(part, type)
    elif isinstance(result, VectorType):
        if wrong := _construct_vector(result, given, count):
            return wrong
    else:
        smaller = "when the number of constituents is less than what the result needs"
        return f"expected to return a vector or cooperative matrix {smaller}"
    return None


def _construct_vector(result: VectorType, given: list[Type], count: int) -> Complaint:
    """Of a vector that is put together of scalars and vectors."""
    total = 0
    for type in given:
        if not isinstance(type, (VectorType, IntegerType, FloatType)):
            scalar = "a scalar or vector type"
            return f"operand type mismatch: expected operand to have {scalar}, but provided '{type}'"
        total += (count_of(type) or 0) if isinstance(type, VectorType) else 1
        element = element_type(type)
        if element != result.element:
            return f"operand element type mismatch: expected to be '{result.element}', but provided '{element}'"
    if total != count:
        return f"has incorrect number of operands: expected {count}, but provided {total}"
    return None


def _mismatch(expected: Type, given: Type) -> str:
    return f"operand type mismatch: expected operand type '{expected}', but provided '{given}'"


# ---- spirv.VectorShuffle


@verifies("spirv.VectorShuffle")
def _shuffle(op: ops.VectorShuffleOp) -> Complaint:
    components = op.components.elements
    count = count_of(op.result.type)
    if count is not None and count != len(components):
        selectors = f"mismatch with the number of component selectors ({len(components)})"
        return f"result type element count ({count}) {selectors}"
    total = sum(count_of(value.type) or 0 for value in op.operands)
    for component in components:
        index = component.value % (1 << 32) if isinstance(component, IntegerAttr) else 0
        if total <= index < _NONE:
            return f"component selector {index} out of range: expected to be in [0, {total}) or 0xffffffff"
    return None


_NONE: Final = 0xFFFFFFFF
"""The selector of a component whose value does not matter."""


CODE: Final = {
    "CompositeExtract": OpCode(
        custom=two_way("$composite `` $indices `:` qualified(type($composite))", _resolve_extract),
    ),
    "CompositeInsert": OpCode(
        custom=two_way(
            "custom<Pair>($object, $composite) `` $indices `:` "
            "qualified(type($object)) `into` qualified(type($composite))",
            _resolve_insert,
        ),
    ),
}
