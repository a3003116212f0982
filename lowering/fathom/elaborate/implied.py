"""What the custom form of an operation may leave out: regions, their only block, and the terminator that ends it."""

from __future__ import annotations

from fathom.dialects import Registry
from fathom.ir.operation import Block, Operation, Region
from fathom.irdl.build import create
from fathom.irdl.definition import Arity
from fathom.irdl.traits import TERMINATOR


def complete_regions(op: Operation, registry: Registry) -> None:
    """Gives the operation the regions, blocks and terminators that its definition implies."""
    if op.definition is None:
        return
    defined = op.definition.regions
    written = list(op.regions)
    if defined and len(op.regions) < len(defined) and all(r.arity is not Arity.VARIADIC for r in defined):
        for _ in range(len(defined) - len(op.regions)):
            op.add_region(Region())
    for region, each in zip(op.regions, defined, strict=False):
        if each.single_block and region.is_empty:
            region.append(Block())
    if not op.definition.implicit_terminator:
        return
    for region in written:
        block = region.last if region.last is not None else region.append(Block())
        last = block.terminator
        if last is None or not _is_terminator(last, registry):
            terminator = create(op.definition.implicit_terminator, span=op.span)
            complete_regions(terminator, registry)
            block.append(terminator)


def _is_terminator(op: Operation, registry: Registry) -> bool:
    """Whether the operation ends a block. One that is not known does not, so that an implied terminator follows it."""
    definition = op.definition or registry.lookup(op.name)
    return definition is not None and definition.has(TERMINATOR)
