"""Operations that grow with a number, from their definitions: of each group of operands, results, regions or successors
that may have any number, so many, in the generic form.

What else an operation asks for, such as attributes, is left out: what is then said of it may grow no faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from fathom.context import Context
from fathom.ir.types import F32, I1, I32, INDEX, MemRefType, TensorType, Type, VectorType
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.definition import OpDefinition
from fathom.irdl.groups import SEGMENTS, Arity

Make = Callable[[int], str]

CANDIDATES: Final[Sequence[Type]] = (
    I32,
    INDEX,
    F32,
    I1,
    MemRefType((4,), F32),
    TensorType((4,), F32),
    VectorType((4,), F32),
)
"""What operands and results may be: the first that their constraint accepts."""


def of_definitions(context: Context) -> dict[str, Make]:
    """What makes an operation of so many of each of its groups, by the operation and the group."""
    makers: dict[str, Make] = {}
    for name in context.dialect_names():
        dialect = context.dialect(name)
        for definition in dialect.by_name.values() if dialect is not None else ():
            makers.update(_of(definition))
    return makers


def _of(definition: OpDefinition) -> Iterator[tuple[str, Make]]:
    groups = (*definition.operands, *definition.results, *definition.regions, *definition.successors)
    for group in groups:
        if group.arity is Arity.VARIADIC:
            yield f"{definition.name} {group.name}", _make(definition, group)


def _make(definition: OpDefinition, many: object) -> Make:
    def make(count: int) -> str:
        def size(group: object, arity: Arity) -> int:
            return count if group is many else int(arity is Arity.ONE)

        operands = [(_type(operand.constraint), size(operand, operand.arity)) for operand in definition.operands]
        results = [(_type(result.constraint), size(result, result.arity)) for result in definition.results]
        regions = sum(size(region, region.arity) for region in definition.regions)
        successors = sum(size(successor, successor.arity) for successor in definition.successors)
        given = {type: f"%a{number}" for number, type in enumerate(dict(operands))}
        properties = [
            f"{SEGMENTS[kind]} = array<i32: {', '.join(str(length) for _, length in sizes)}>"
            for kind, sizes, is_wanted in (
                ("operands", operands, definition.has_segments),
                ("results", results, definition.has_result_segments),
            )
            if is_wanted
        ]
        text = f'"{definition.name}"({", ".join(given[type] for type, n in operands for _ in range(n))})'
        text += f"[{', '.join(['^b'] * successors)}]" if successors else ""
        text += f" <{{{', '.join(properties)}}}>" if properties else ""
        text += f" ({', '.join(['{}'] * regions)})" if regions else ""
        text += f" : ({_types(operands)}) -> ({_types(results)})\n"
        total = sum(n for _, n in results)
        bound = f"%r:{total} = " if total else ""
        arguments = ", ".join(f"{name}: {type}" for type, name in given.items())
        end = "^b:\n  return\n" if successors else "  return\n"
        return f"func.func @f({arguments}) {{\n  {bound}{text}{end}}}\n"

    return make


def _type(constraint: TypeConstraint) -> str:
    if constraint.type is not None:
        return str(constraint.type)
    return str(next((attribute for attribute in CANDIDATES if constraint.accepts(attribute)), I32))


def _types(groups: Sequence[tuple[str, int]]) -> str:
    return ", ".join(type for type, count in groups for _ in range(count))
