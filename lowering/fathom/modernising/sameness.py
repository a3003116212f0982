"""Whether what was rewritten is what its text says."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from fathom.ir.attributes import Attribute
from fathom.ir.operation import Operation
from fathom.ir.types import POISON, Type
from fathom.slices import checkpoint


def differing(one: Operation, other: Operation, but: Collection[Operation]) -> Iterator[Operation]:
    """The operations of a module, but some, that are not as in another one; of one whose regions have others in them,
    it alone. Nobody looks at what only the text of such an exception implies."""
    numbers: dict[object, int] = {}
    others: dict[object, int] = {}
    pending: list[tuple[Operation, Operation]] = [(one, other)]
    while pending:
        checkpoint()
        op, twin = pending.pop()
        if op in but:
            _number(op, twin, numbers, others)
        elif op.name != twin.name or not _same(op, twin, numbers, others):
            yield op
        inner = [*_inner(op, twin)]
        if op not in but and (len(inner) != _count(op) or len(inner) != _count(twin)):
            yield op
        pending += reversed(inner)


def _inner(op: Operation, twin: Operation) -> Iterator[tuple[Operation, Operation]]:
    for mine, theirs in zip(op.regions, twin.regions, strict=False):
        for block, same in zip(mine.blocks, theirs.blocks, strict=False):
            yield from zip(block, same, strict=False)


def _count(op: Operation) -> int:
    return sum(len(block) for region in op.regions for block in region.blocks)


def _number(op: Operation, twin: Operation, numbers: dict[object, int], others: dict[object, int]) -> None:
    """Gives one number to what two operations define in the same place."""
    for mine, theirs in zip(_defined(op), _defined(twin), strict=False):
        numbers[mine] = others[theirs] = len(numbers)


def _defined(op: Operation) -> Iterator[object]:
    yield from op.results
    for region in op.regions:
        for block in region.blocks:
            yield block
            yield from block.arguments


def _same(op: Operation, twin: Operation, numbers: dict[object, int], others: dict[object, int]) -> bool:
    _number(op, twin, numbers, others)
    if not (_are_equal(op.properties, twin.properties) and _are_equal(op.attributes, twin.attributes)):
        return False
    if not _agree([result.type for result in op.results], [result.type for result in twin.results]):
        return False
    if not _agree([operand.type for operand in op.operands], [operand.type for operand in twin.operands]):
        return False
    # What is defined behind its use has no number yet.
    if [numbers.get(value) for value in op.operands] != [others.get(value) for value in twin.operands]:
        return False
    return [numbers.get(block) for block in op.successors] == [others.get(block) for block in twin.successors]


def _are_equal(mine: Mapping[str, Attribute], theirs: Mapping[str, Attribute]) -> bool:
    if mine == theirs:
        return True
    # Resources and distinct attributes are themselves alone, and equal if they are written the same.
    return mine.keys() == theirs.keys() and all(
        value == theirs[name] or str(value) == str(theirs[name]) for name, value in mine.items()
    )


def _agree(mine: list[Type], theirs: list[Type]) -> bool:
    return len(mine) == len(theirs) and all(
        one == other or POISON in (one, other) for one, other in zip(mine, theirs, strict=True)
    )
