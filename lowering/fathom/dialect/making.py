"""Operations made as a person names them: operands by their place or by the names of the description, attributes as
plain values, types as texts, and the types of results inferred where they follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, cast

from fathom.dialect.operation import Op, names_of
from fathom.dialect.values import Plain, attribute_of, parse_type
from fathom.ir.operation import Block, Operation, Region, Value
from fathom.ir.types import Type
from fathom.irdl.build import built_with, infer_for, segment_sizes
from fathom.irdl.groups import SEGMENTS, Arity

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.attributes import Attribute
    from fathom.irdl.definition import OpDefinition, Operand

T = TypeVar("T")

Operandish: TypeAlias = "Value | Op | Operation"
"""What can be given as an operand: a value, or an operation that has one result."""
Operands: TypeAlias = "Operandish | Sequence[Operandish] | None"
Types: TypeAlias = "Type | str | Sequence[Type | str]"
"""A type, or several; each as an object or as it is written."""
Named: TypeAlias = "Operands | Plain | Region | Sequence[Region] | Block | Sequence[Block]"
"""What can be given by its name: operands, an attribute, regions or successors."""


class _HasName(Protocol):
    @property
    def name(self) -> str: ...


class Made:
    """What an operation is to be made of."""

    def __init__(self, definition: OpDefinition, context: Context) -> None:
        self.definition = definition
        self.context = context
        self.operands: list[Value] = []
        self.properties: dict[str, Attribute] = built_with(definition)
        self.regions: list[Region | None] = []
        self.successors: list[Block] = []
        self.types: list[Type] = []


def made_of(
    definition: OpDefinition,
    context: Context,
    given: Sequence[Operands],
    named: Mapping[str, Named],
    types: Types | None,
    convert: Callable[[Type], Type],
) -> Made:
    """What was given, in its place; the types of results as they are converted. Raises ValueError, which says what is
    wrong with it."""
    made = Made(definition, context)
    wanted = [convert(type_) for type_ in types_of(types, context)] if types is not None else None
    of_operands = {operand.name for operand in definition.operands}
    if any(isinstance(value, Block | Region) for value in given):
        by_name = ", ".join([*_names(definition.regions), *_names(definition.successors)])
        also = f": {by_name}" if by_name else ", and it has none"
        raise ValueError(f"regions and successors of '{definition.name}' are given by their names{also}")
    groups = _grouped(
        definition, given, {name: cast("Operands", values) for name, values in named.items() if name in of_operands}
    )
    made.operands = [value for group in groups for value in group]
    if definition.has_segments:
        made.properties[SEGMENTS["operands"]] = segment_sizes(*map(len, groups))
    of_regions, of_successors = _names(definition.regions), _names(definition.successors)
    for name, value in named.items():
        prop = definition.property_map.get(name)
        if prop is not None:
            first = wanted[0] if wanted else None
            attribute = attribute_of(cast("Plain", value), prop, first, context)
            if attribute is not None:
                made.properties[name] = attribute
            else:
                made.properties.pop(name, None)
        elif name not in of_operands and name not in of_regions and name not in of_successors:
            known = ", ".join(names_of(definition))
            raise ValueError(f"'{definition.name}' has no '{name}'" + (f"; it has {known}" if known else ""))
    for region in definition.regions:
        given_regions = _listed(cast("Region | Sequence[Region] | None", named.get(region.name)))
        made.regions += given_regions or ([None] if region.arity is Arity.ONE else [])
    for name in of_successors:
        made.successors += _listed(cast("Block | Sequence[Block] | None", named.get(name)))
    made.types = wanted if wanted is not None else [convert(type_) for type_ in _inferred(made)]
    return made


def _inferred(made: Made) -> list[Type]:
    """The types of results that nobody gave. Where there may be none, and nothing tells, there are none."""
    try:
        return infer_for(made.definition, made.operands, made.properties)
    except ValueError as error:
        if all(result.arity is not Arity.ONE for result in made.definition.results):
            return []
        raise ValueError(f"{error}: give it as `results=`") from None


def _names(members: Iterable[_HasName]) -> list[str]:
    return [member.name for member in members]


def _listed(value: T | Sequence[T] | None) -> list[T]:
    """One or several things as a list; nothing for None."""
    if isinstance(value, list | tuple):
        return list(cast("Sequence[T]", value))
    return [cast("T", value)] if value is not None else []


def _grouped(definition: OpDefinition, given: Sequence[Operands], named: Mapping[str, Operands]) -> list[list[Value]]:
    """The operands of each group. Those without a name are, in order, the groups that were not named, each with a list
    where there may be any number; or one by one, if there is one such group, or if all stand before the first such."""
    rest = [operand for operand in definition.operands if operand.name not in named]
    flat = [operand for operand in rest if operand.arity is not Arity.ONE]
    by_group = len(given) == len(rest) or any(value is None or isinstance(value, list | tuple) for value in given)
    taken: dict[str, Operands] = dict(named)
    if by_group and len(given) <= len(rest):
        taken |= {group.name: value for group, value in zip(rest, given, strict=False)}
    elif len(flat) == 1 or len(rest) == 1:
        taken |= _spread(rest, list(given))
    elif flat and len(given) <= len(rest) and all(operand.arity is Arity.ONE for operand in rest[: len(given)]):
        taken |= {group.name: value for group, value in zip(rest, given, strict=False)}
    elif given and not flat:
        raise ValueError(f"'{definition.name}' takes {counted(len(rest), 'operand')}, not {len(given)}")
    elif given:
        names = ", ".join(operand.name for operand in rest)
        raise ValueError(f"'{definition.name}' takes the operands {names}: give a list for each, or each by its name")
    return [_values(definition, group, taken.get(group.name)) for group in definition.operands]


def _spread(groups: Sequence[Operand], given: list[Operands]) -> dict[str, Operands]:
    """Operands one by one: the only group of any number gets what is left over."""
    ones = sum(group.arity is Arity.ONE for group in groups)
    taken: dict[str, Operands] = {}
    for group in groups:
        count = 1 if group.arity is Arity.ONE else max(0, len(given) - ones)
        part, given = given[:count], given[count:]
        taken[group.name] = cast("Operands", part) if part else None
    return taken


def counted(count: int, noun: str) -> str:
    """`1 result`, `2 results`."""
    return f"{count} {noun}" + ("s" if count != 1 else "")


def _values(definition: OpDefinition, group: Operand, given: Operands) -> list[Value]:
    values = [value_in(value) for value in cast("list[object]", _listed(given))]
    if group.arity is Arity.ONE and len(values) != 1:
        raise ValueError(f"'{definition.name}' takes one operand '{group.name}', not {len(values) or 'none'}")
    return values


def value_in(given: object) -> Value:
    """A value, or the only result of an operation. Raises ValueError for anything else."""
    operation = given.operation if isinstance(given, Op) else given
    if isinstance(operation, Operation):
        if len(operation.results) != 1:
            raise ValueError(f"'{operation.name}' has {counted(len(operation.results), 'result')}, and one is needed")
        return operation.results[0]
    if not isinstance(operation, Value):
        raise ValueError(f"{_shown(given)} is no value: an operand is a value, or an operation that has one result")
    return operation


def _shown(given: object) -> str:
    text = repr(given)
    return text if len(text) < 60 else f"an object of {type(given).__name__}"


def values_in(given: object) -> list[Value]:
    """Values, or all results of an operation, as a list."""
    if isinstance(given, Op):
        given = given.operation
    if isinstance(given, Operation):
        return list(given.results)
    if isinstance(given, list | tuple):
        return [value_in(value) for value in cast("Sequence[object]", given)]
    return [value_in(given)]


def types_of(types: Types, context: Context) -> list[Type]:
    """Types, each as an object or as it is written."""
    listed = types if isinstance(types, list | tuple) else [cast("Type | str", types)]
    return [type_of(type_, context) for type_ in listed]


def type_of(type: object, context: Context) -> Type:
    """A type that is given as such, or as it is written."""
    if isinstance(type, Type):
        return type
    if isinstance(type, str):
        return parse_type(type, context)
    raise ValueError(f"{_shown(type)} is no type: give one as it is written, such as 'i32'")
