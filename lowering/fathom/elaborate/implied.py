"""What the custom form of an operation may leave out: regions, their only block, and the terminator that ends it."""

from __future__ import annotations

from fathom.context import Context
from fathom.ir.operation import Block, Operation, Region
from fathom.irdl.build import create
from fathom.irdl.groups import Arity
from fathom.irdl.traits import NO_TERMINATOR, SINGLE_BLOCK, SYMBOL_TABLE, TERMINATOR


def complete_regions(op: Operation, context: Context) -> None:
    """Gives the operation the regions, blocks and terminators that its definition implies."""
    if op.definition is None:
        return
    defined = op.definition.regions
    written = list(op.regions)
    if defined and len(op.regions) < len(defined) and all(r.arity is not Arity.VARIADIC for r in defined):
        for _ in range(len(defined) - len(op.regions)):
            op.add_region(Region())
    if op.definition.assembly is not None or op.has(NO_TERMINATOR):
        for region, definition in zip(op.regions, defined, strict=False):
            alone = definition.single_block or (op.has(SYMBOL_TABLE) and op.has(SINGLE_BLOCK))
            if alone and region.is_empty and definition.arity is Arity.ONE:
                region.append(Block())
    for index, region in enumerate(written):
        complete_end(op, region, index, context)


def complete_end(op: Operation, region: Region, index: int, context: Context) -> None:
    """Gives a region of the operation, the one of that number, the terminator that its text may leave out. It has the
    operation's span."""
    definition = op.definition
    implied = context.lookup(definition.implicit_terminator) if definition is not None else None
    if definition is None or implied is None or not definition.completes(index):
        return
    block = region.last if region.last is not None else region.append(Block())
    last = block.terminator
    if last is None or not _is_terminator(last, context):
        operands = definition.terminator_operands(block) if definition.terminator_operands is not None else ()
        terminator = create(context, implied, operands, span=op.span)
        complete_regions(terminator, context)
        block.append(terminator)


def _is_terminator(op: Operation, context: Context) -> bool:
    """Whether the operation ends a block. One that is not known does not, so that an implied terminator follows it."""
    definition = op.definition or context.lookup(op.name)
    return definition is not None and definition.has(TERMINATOR)
