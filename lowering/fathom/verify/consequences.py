"""Whether a finding may only follow from another mistake: from a type that could not be found out.

A value whose definition is broken or unknown has the type POISON, which agrees with every other; so must a signature
that holds such a type. Where one stands near an operation, what the operation's own check says is not said to people.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fathom.ir.attributes import Attribute
from fathom.ir.operation import Operation
from fathom.ir.types import POISON, Type


def may_follow(ops: Iterable[Operation]) -> bool:
    """Whether a type that could not be found out stands where a check of these operations may have looked."""
    return any(_mentions_poison(element) for op in ops for element in _in_sight(op))


def _in_sight(op: Operation) -> Iterator[Type | Attribute]:
    """The types and attributes of an operation, of the blocks that it holds or goes to, and of the one around it."""
    yield from _own(op)
    for region in op.regions:
        for block in region.blocks:
            yield from (argument.type for argument in block.arguments)
            if block.last is not None:
                yield from (operand.type for operand in block.last.operands)
    for block in op.successors:
        yield from (argument.type for argument in block.arguments)
    if op.parent_op is not None:
        yield from _own(op.parent_op)


def _own(op: Operation) -> Iterator[Type | Attribute]:
    yield from (value.type for value in (*op.operands, *op.results))
    yield from op.properties.values()


def _mentions_poison(element: Type | Attribute) -> bool:
    seen: dict[int, Type | Attribute] = {}
    left = [element]

    def meet(part: Type | Attribute) -> str:
        left.append(part)
        return ""

    while left:
        current = left.pop()
        if current == POISON:
            return True
        if id(current) not in seen:
            seen[id(current)] = current
            current.spell(meet)
    return False
