"""Building operations from their definitions, with the types of results inferred.

What is built here has its `definition`, so it verifies, and prints in its custom form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from fathom.ir.attributes import FALSE, TRUE
from fathom.ir.operation import Operation
from fathom.irdl.definition import OpDefinition
from fathom.irdl.groups import SEGMENTS, group_sizes, split_groups
from fathom.irdl.infer import result_types as infer_result_types

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Block, Region, Span, Value
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions
    from fathom.irdl.folding import Materialize


def create(
    context: Definitions,
    definition: OpDefinition | str,
    operands: Iterable[Value] = (),
    result_types: Iterable[Type] | None = None,
    properties: Mapping[str, Attribute] | None = None,
    attributes: Mapping[str, Attribute] | None = None,
    successors: Iterable[Block] = (),
    regions: Iterable[Region] = (),
    span: Span | None = None,
) -> Operation:
    """A new operation that stands in no block.

    Properties with defaults may be left out. `result_types` of None are inferred from the operands and properties;
    where they do not follow, this raises ValueError. An operation with several variadic groups needs its segment sizes
    among the properties (`segment_sizes`). Of a definition that is given by its name, the context is asked; this raises
    NotRegistered where it has none.
    """
    if isinstance(definition, str):
        definition = definition_of(context, definition)
    values = list(operands)
    complete = with_defaults(definition, properties or {})
    return Operation(
        definition.name,
        values,
        infer_for(definition, values, complete) if result_types is None else result_types,
        complete,
        attributes,
        successors,
        regions,
        span,
        definition,
    )


def with_defaults(definition: OpDefinition, properties: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """`properties` and, for those not given, the defaults."""
    complete = dict(properties)
    for prop in definition.properties:
        if prop.default is not None and not prop.optional and prop.name not in complete:
            complete[prop.name] = prop.default
    return complete


def built_with(definition: OpDefinition) -> dict[str, Attribute]:
    """The properties that an operation made by a pass has beyond those it is made with: all defaults, also of optional
    truth values, which MLIR's builders take as such and set (`nontemporal = false`); a parser does not."""
    complete = with_defaults(definition, {})
    for prop in definition.properties:
        if prop.default is not None and prop.default in (TRUE, FALSE):
            complete[prop.name] = prop.default
    return complete


def infer_for(definition: OpDefinition, operands: list[Value], properties: Mapping[str, Attribute]) -> list[Type]:
    """The types of the results of an operation with these operands."""
    if not definition.results:
        return []
    probe = Operation(definition.name, properties=properties)
    arities = [operand.arity for operand in definition.operands]
    sizes = group_sizes(arities, len(operands), probe, SEGMENTS["operands"])
    types = [operand.type for operand in operands]
    return infer_result_types(definition, split_groups([o.name for o in definition.operands], sizes, types), properties)


@lru_cache(maxsize=1024)
def segment_sizes(*sizes: int) -> Attribute:
    """The value of `operandSegmentSizes` or `resultSegmentSizes`: mostly the same object each time."""
    from fathom.ir.attributes import DenseArrayAttr
    from fathom.ir.types import I32

    return DenseArrayAttr(I32, sizes)


class NotRegistered(KeyError):
    """An operation was to be made whose name nothing defines."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def definition_of(context: Definitions, name: str) -> OpDefinition:
    """The definition of this name; NotRegistered where there is none."""
    definition = context.lookup(name)
    if definition is None:
        raise NotRegistered(name)
    return definition


def constants_by(
    *rules: tuple[str, str, Callable[[Attribute, Type], bool]], otherwise: Materialize | None = None
) -> Materialize:
    """Makes the constant of an attribute by the first of these rules that fits: an operation, its property, and whether
    that can hold the attribute as a value of a type. Where none fits, another dialect may have one."""

    def materialize(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
        for name, key, holds in rules:
            if holds(attribute, type):
                return create(context, name, (), [type], {key: attribute}, span=span)
        return otherwise(context, attribute, type, span) if otherwise is not None else None

    return materialize
