"""Orders in which the blocks of a region are visited, and the operations around one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from fathom.ir.operation import Block, Operation, Region

OpT = TypeVar("OpT", bound=Operation)


def ancestors(op: Operation) -> Iterator[Operation]:
    """The operations around one, from the inside out."""
    around = op.parent_op
    while around is not None:
        yield around
        around = around.parent_op


def is_inside(op: Operation, outer: Operation) -> bool:
    """Whether an operation is another, or stands in it."""
    around: Operation | None = op
    while around is not None and around is not outer:
        around = around.parent_op
    return around is outer


def outermost(op: Operation) -> Operation:
    """What nothing is around, of an operation and those around it."""
    while (around := op.parent_op) is not None:
        op = around
    return op


def closest(op: Operation, kind: type[OpT]) -> OpT | None:
    """The closest operation around one that is of a class (`fathom.ops`)."""
    return next((ancestor for ancestor in ancestors(op) if isinstance(ancestor, kind)), None)


def closest_with(op: Operation, interface: type[object]) -> Operation | None:
    """The closest operation around one that has an interface."""
    return next((ancestor for ancestor in ancestors(op) if ancestor.interface(interface) is not None), None)


def reachable_blocks(region: Region) -> list[Block]:
    """The blocks in depth-first order from the entry block, along successors."""
    if region.first is None:
        return []
    if region.first is region.last:
        return [region.first]
    seen: dict[Block, None] = {region.first: None}
    stack = [iter(region.first.successors)]
    while stack:
        for block in stack[-1]:
            if block not in seen:
                seen[block] = None
                if (last := block.last) is not None and last.successors:
                    stack.append(iter(last.successors))
                    break
        else:
            stack.pop()
    return list(seen)


def unreachable_blocks(region: Region) -> list[Block]:
    """The blocks that the entry block does not lead to, in the order in which they stand."""
    if region.first is region.last:
        return []
    reached = set(reachable_blocks(region))
    return [block for block in region.blocks if block not in reached]


def postorder(entry: Block) -> list[Block]:
    """The blocks that the entry reaches, each after all that it leads to but for those on a cycle."""
    done: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(entry.successors))]
    while stack:
        block, rest = stack[-1]
        for successor in rest:
            if successor not in seen and successor.parent is entry.parent:
                seen.add(successor)
                if (last := successor.last) is not None and last.successors:
                    stack.append((successor, iter(last.successors)))
                    break
                done.append(successor)
        else:
            done.append(block)
            stack.pop()
    return done
