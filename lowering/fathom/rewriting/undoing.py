"""What takes back a change of the IR: each function puts things where they were, as its arguments say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Block, BlockArgument, Operation, Region, Value


def discard(op: Operation) -> None:
    """Takes away an operation that only other discarded ones use."""
    op.drop_all_references()
    op.unlink()


def move(op: Operation, block: Block, anchor: Operation | None) -> None:
    op.unlink()
    block.insert_before(op, anchor)


def move_block(block: Block, region: Region, before: Block | None) -> None:
    if block.parent is not None:
        block.parent.remove(block)
    region.insert_before(block, before)


def unsplit(block: Block, tail: Block) -> None:
    for op in list(tail):
        move(op, block, None)
    if tail.parent is not None:
        tail.parent.remove(tail)


def set_arguments(block: Block, arguments: list[BlockArgument]) -> None:
    block.arguments = arguments


def restore_operation(
    op: Operation,
    operands: list[Value],
    successors: list[Block],
    properties: dict[str, Attribute],
    attributes: dict[str, Attribute],
) -> None:
    op.set_operands(operands)
    op.set_successors(successors)
    op.properties, op.attributes = properties, attributes
