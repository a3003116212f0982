"""Deep copies of operations."""

from __future__ import annotations

from fathom.ir.operation import Block, Operation, Region, Value
from fathom.slices import checkpoint


def clone(op: Operation, values: dict[Value, Value] | None = None) -> Operation:
    """A deep copy, which stands in no block.

    Operands found in `values` are replaced; results and block arguments are added to it, each with its copy.
    """
    return _clone(op, {} if values is None else values, {})


def clone_region(source: Region) -> Region:
    """A deep copy, which belongs to no operation."""
    copy = Region()
    _clone_region(source, copy, {}, {})
    return copy


def _clone(op: Operation, values: dict[Value, Value], blocks: dict[Block, Block]) -> Operation:
    copy = Operation(
        op.name,
        [values.get(operand, operand) for operand in op.operands],
        [result.type for result in op.results],
        op.properties,
        op.attributes,
        [blocks.get(successor, successor) for successor in op.successors],
        span=op.span,
        definition=op.definition,
    )
    copy.location = op.location
    for old, new in zip(op.results, copy.results, strict=True):
        new.name_hint = old.name_hint
        values[old] = new
    for region in op.regions:
        _clone_region(region, copy.add_region(Region()), values, blocks)
    return copy


def _clone_region(source: Region, target: Region, values: dict[Value, Value], blocks: dict[Block, Block]) -> None:
    for block in source.blocks:
        twin = blocks[block] = target.append(Block(argument.type for argument in block.arguments))
        twin.name_hint = block.name_hint
        for old, new in zip(block.arguments, twin.arguments, strict=True):
            new.name_hint, new.span, new.location = old.name_hint, old.span, old.location
            values[old] = new
    copies: list[Operation] = []
    for block in source.blocks:
        for op in block:
            checkpoint()
            copies.append(blocks[block].append(_clone(op, values, blocks)))
    # A region may use a value before the block that defines it in the text: give those operands their copies now.
    for copy in copies:
        for index, operand in enumerate(copy.operands):
            if operand in values:
                copy.set_operand(index, values[operand])
