"""The rules of operations on lists, and of those that take strings and dags as well as lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.tablegen.arithmetic import compare
from fathom.tablegen.mistakes import Refused
from fathom.tablegen.sequences import DagTerm, List
from fathom.tablegen.strings import length
from fathom.tablegen.terms import Int, String, Term
from fathom.tablegen.types import INT, UNKNOWN, ListType, Type

if TYPE_CHECKING:
    from fathom.tablegen.operations import Operation, Rule
    from fathom.tablegen.resolvers import Resolver


def made(at: Resolver, elements: Sequence[Term], element_type: Type) -> List:
    """A list that was worked out. Raises Refused where it is too long."""
    at.keeper.work_on_list(len(elements))
    return List(tuple(elements), element_type)


def numbers(at: Resolver, range_: range) -> List:
    """A list of numbers. Raises Refused where there are too many."""
    at.keeper.work_on_list(_count(range_))
    return List(tuple(map(Int, range_)), INT)


def _count(range_: range) -> int:
    """`len`, of ranges of any size."""
    return max(0, (range_.stop - range_.start + range_.step - (1 if range_.step > 0 else -1)) // range_.step)


def _head(of: Operation, at: Resolver) -> Term | None:
    items = of.operands[0]
    if not isinstance(items, List):
        return None
    if not items.elements:
        raise Refused("Empty list in head", *(at.record.places if at.record else ()))
    return items.elements[0]


def _tail(of: Operation, at: Resolver) -> Term | None:
    items = of.operands[0]
    if not isinstance(items, List):
        return None
    if not items.elements:
        raise Refused("Empty list in tail", *(at.record.places if at.record else ()))
    return made(at, items.elements[1:], items.element)


def _size(of: Operation, at: Resolver) -> Term | None:
    known = _length(of.operands[0])
    return None if known is None else Int(known)


def _empty(of: Operation, at: Resolver) -> Term | None:
    known = _length(of.operands[0])
    return None if known is None else Int(0 if known else 1)


def _length(of: Term) -> int | None:
    if isinstance(of, List):
        return len(of.elements)
    if isinstance(of, DagTerm):
        return len(of.arguments)
    return length(of.value) if isinstance(of, String) else None


def _listflatten(of: Operation, at: Resolver) -> Term | None:
    items = of.operands[0]
    if not isinstance(items, List):
        return None
    inner = items.element
    if not isinstance(inner, ListType):
        return items
    flat: list[Term] = []
    for element in items.elements:
        if not isinstance(element, List):
            return None
        flat += element.elements
    return made(at, flat, inner.element)


def concatenated(at: Resolver, left: List, right: List) -> List:
    """Of the type of the first."""
    return made(at, left.elements + right.elements, left.element)


def _listconcat(of: Operation, at: Resolver) -> Term | None:
    left, right = of.operands
    return concatenated(at, left, right) if isinstance(left, List) and isinstance(right, List) else None


def _listsplat(of: Operation, at: Resolver) -> Term | None:
    value, count = of.operands
    if value.type is UNKNOWN or not isinstance(count, Int):
        return None
    if count.value < 0:
        raise Refused(f"!listsplat count {count.value} is negative")
    at.keeper.work_on_list(count.value)
    return List((value,) * count.value, value.type)


def _listremove(of: Operation, at: Resolver) -> Term | None:
    left, right = of.operands
    if not isinstance(left, List) or not isinstance(right, List):
        return None
    kept: list[Term] = []
    for element in left.elements:
        at.keeper.work(len(right.elements))
        if not any(compare("eq", element, other) for other in right.elements):
            kept.append(element)
    return made(at, kept, left.element)


def _element(of: Operation, at: Resolver) -> Term | None:
    items, index = of.operands
    if not isinstance(items, List) or not isinstance(index, Int):
        return None
    return items.elements[index.value] if 0 <= index.value < len(items.elements) else None


def _slice(of: Operation, at: Resolver) -> Term | None:
    items, indices = of.operands
    if not isinstance(items, List) or not isinstance(indices, List):
        return None
    chosen: list[Term] = []
    for index in indices.elements:
        if not isinstance(index, Int) or not 0 <= index.value < len(items.elements):
            return None
        chosen.append(items.elements[index.value])
    return made(at, chosen, items.element)


def _closed_range(of: Operation, at: Resolver) -> Term | None:
    """`a...b`, both in it, upwards or downwards."""
    start, end = of.operands
    if not isinstance(start, Int) or not isinstance(end, Int):
        return None
    if start.value <= end.value:
        return numbers(at, range(start.value, end.value + 1))
    return numbers(at, range(start.value, end.value - 1, -1))


def _range(of: Operation, at: Resolver) -> Term | None:
    start, end, step = of.operands
    if not isinstance(start, Int) or not isinstance(end, Int) or not isinstance(step, Int):
        return None
    if step.value == 0:
        at.keeper.report("Step of !range can't be 0", at.record)
        return List((), INT)
    return numbers(at, range(start.value, end.value, step.value))


RULES: Final[Mapping[str, Rule]] = {
    "head": _head,
    "tail": _tail,
    "size": _size,
    "empty": _empty,
    "listflatten": _listflatten,
    "listconcat": _listconcat,
    "listsplat": _listsplat,
    "listremove": _listremove,
    "element": _element,
    "slice": _slice,
    "closed range": _closed_range,
    "range": _range,
}
