"""An operation as a person reads it: its operands, results, attributes, regions and successors, by the names that its
description gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from fathom.dialect.values import value_of
from fathom.irdl.groups import SEGMENTS, Arity, PartNames, group_sizes, split_groups

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Region, Value
    from fathom.irdl.definition import OpDefinition


class Op:
    """A view of an operation.

        op.left         the operand, result, region or successor of this name: a value, a region, a block;
                        a list of them where the description says that there may be any number;
                        None where there may be one, and is none
        op.size         an attribute as a plain value: an `int`, `float`, `bool`, `str`, a list, a type, the word of an
                        enumeration; None where it is not given
        op["size"]      the same, for names that are no names in Python

    By these names it has what every operation has, if its description calls nothing else so: `name`, `operands`,
    `results` and `result` (the only one), `regions`, `successors`, `attributes`, `parent` (the operation around it).
    `op.operation` is the operation itself. In a lowering, operands have the types that they are converted to.
    """

    __slots__ = ("_values", "operation")

    def __init__(self, operation: Operation, operands: Sequence[Value] | None = None) -> None:
        self.operation = operation
        self._values = list(operands) if operands is not None else operation.operands

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            pass
        read = _OF_ALL.get(name)
        if read is not None:
            return read(self)
        raise AttributeError(self._unknown(name))

    def __getitem__(self, name: str) -> Any:
        op = self.operation
        definition = op.definition
        if definition is None:
            raise KeyError(self._unknown(name))
        known = parts_of(definition)
        of_operands, of_results = (SEGMENTS[kind] for kind in ("operands", "results"))
        for groups, values, segments in (
            (known.operands, self._values, of_operands),
            (known.results, op.results, of_results),
        ):
            for index, (group, arity) in enumerate(groups):
                if group == name:
                    sizes = group_sizes([group_arity for _, group_arity in groups], len(values), op, segments)
                    start = sum(sizes[:index])
                    return _as(arity, list(values[start : start + sizes[index]]))
        if name in known.attributes:
            return value_of(op.attributes.get(name))
        prop = definition.property_map.get(name)
        if prop is not None:
            return value_of(op.properties.get(name, prop.default if not prop.optional else None), prop)
        for kind, members in ((definition.regions, op.regions), (definition.successors, op.successors)):
            names = [part.name for part in kind]
            if name in names:
                sizes = group_sizes([part.arity for part in kind], len(members), op, "")
                return _as(kind[names.index(name)].arity, split_groups(names, sizes, cast("list[Any]", members))[name])
        raise KeyError(self._unknown(name))

    def __dir__(self) -> list[str]:
        return [*names_of(self.operation.definition), *_OF_ALL, "operation"]

    def __repr__(self) -> str:
        return f"<{self.operation.name}>"

    def _unknown(self, name: str) -> str:
        op = self.operation
        if op.definition is None:
            return f"nothing describes '{op.name}', so nothing of it is called '{name}'"
        names = names_of(op.definition)
        return f"'{op.name}' has no '{name}'; it has {', '.join(names)}" if names else f"'{op.name}' has no '{name}'"


def defined_by(value: Value, name: str) -> Op | None:
    """The operation that a value comes from, if it has this full name."""
    op = value.defining_op
    return Op(op) if op is not None and op.name == name else None


def names_of(definition: OpDefinition | None) -> list[str]:
    """The names of all that a description gives an operation."""
    if definition is None:
        return []
    segments, known = SEGMENTS.values(), parts_of(definition)
    return [
        *(name for name, _ in (*known.operands, *known.results) if name),
        *known.attributes,
        *(prop.name for prop in definition.properties if prop.name not in segments),
        *(part.name for part in (*definition.regions, *definition.successors) if part.name),
    ]


def parts_of(definition: OpDefinition) -> PartNames:
    """The names of the operands and results, as the description has them."""
    return definition.interface(PartNames) or PartNames(
        tuple((operand.name, operand.arity) for operand in definition.operands),
        tuple((result.name, result.arity) for result in definition.results),
    )


def _as(arity: Arity, members: list[Any]) -> Any:
    if arity is Arity.VARIADIC:
        return members
    return members[0] if members else None


def _parent(op: Op) -> Op | None:
    around = op.operation.parent_op
    return Op(around) if around is not None else None


def _attributes(op: Op) -> dict[str, object]:
    known = op.operation.definition.property_map if op.operation.definition is not None else {}
    attributes = {**op.operation.properties, **op.operation.attributes}
    return {
        name: value_of(attribute, known.get(name))
        for name, attribute in attributes.items()
        if name not in SEGMENTS.values()
    }


def _operands(op: Op) -> list[Value]:
    return list(op._values)  # pyright: ignore[reportPrivateUsage]


def _regions(op: Op) -> list[Region]:
    return list(op.operation.regions)


def _successors(op: Op) -> list[Block]:
    return list(op.operation.successors)


def _name(op: Op) -> str:
    return op.operation.name


def _results(op: Op) -> list[Value]:
    return list(op.operation.results)


def _result(op: Op) -> Value:
    if len(op.operation.results) != 1:
        raise AttributeError(f"'{op.operation.name}' has {len(op.operation.results)} results, not one")
    return op.operation.results[0]


_OF_ALL: Final[Mapping[str, Callable[[Op], object]]] = {
    "name": _name,
    "operands": _operands,
    "results": _results,
    "result": _result,
    "regions": _regions,
    "successors": _successors,
    "attributes": _attributes,
    "parent": _parent,
}
