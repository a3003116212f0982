"""The parts of an operation by the names that its definition gives them: operands, results, properties, regions and
successors.

    op.source                  the only operand of a group: a value; None where it may be missing, and is
    op.dynamic_position        a list of values, where the definition says that there may be any number
    op.static_position         a property, with its default where it is not given; None where it may be missing, and is
    op.in_                     a name that is a word of Python has a line behind it

`fathom.ops` says for each operation which there are, and of which class, to whoever checks types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, TypeAlias

from fathom.irdl.groups import SEGMENTS, Arity, Groups

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.declared import Property
    from fathom.irdl.definition import OpDefinition

Read: TypeAlias = "Callable[[Operation], object]"


def readers(definition: OpDefinition) -> Mapping[str, Read]:
    """What reads each part of the operations of a definition, by its name in Python. Of an operation that has too few
    or too many members, which the verifier reports, a part that stands for one may raise IndexError."""
    parts: dict[str, Read] = {prop.name: _property(prop) for prop in definition.properties}
    kinds: tuple[tuple[str, Sequence[Any]], ...] = (
        ("successors", definition.successors),
        ("regions", definition.regions),
        ("results", definition.results),
        ("operands", definition.operands),
    )
    for kind, groups in kinds:
        places = Groups([group.name for group in groups], [group.arity for group in groups], SEGMENTS.get(kind, ""))
        parts |= {group.name: _group(kind, places, groups, index) for index, group in enumerate(groups)}
    return {python_name(name): read for name, read in parts.items()}


def part_names(definition: OpDefinition) -> Iterator[str]:
    """The names of `readers`."""
    for parts in (
        definition.properties,
        definition.successors,
        definition.regions,
        definition.results,
        definition.operands,
    ):
        for part in parts:
            yield python_name(part.name)


def python_name(name: str) -> str:
    """How a part is called in Python."""
    return f"{name}_" if iskeyword(name) else name


def _property(declared: Property) -> Read:
    name, default = declared.name, declared.default
    return lambda op: op.properties.get(name, default)


def _group(kind: str, places: Groups, groups: Sequence[Any], index: int) -> Read:
    """Reads a group of operands, say; one that stands for one of them, behind such, by its number."""
    arity: Arity = groups[index].arity
    name: str = groups[index].name
    if all(group.arity is Arity.ONE for group in groups[: index + 1]):
        return lambda op: getattr(op, kind)[index]

    def read(op: Operation) -> list[Any]:
        members: list[Any] = getattr(op, kind)
        place = places.place(op, len(members), name)
        return list(members[place.start : place.stop])

    match arity:
        case Arity.VARIADIC:
            return read
        case Arity.OPTIONAL:
            return lambda op: next(iter(read(op)), None)
        case Arity.ONE:
            return lambda op: read(op)[0]
