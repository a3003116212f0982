"""What a region uses of that which stands around it, where the region is to become a function of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.traversal import ancestors
from fathom.irdl.traits import CONSTANT_LIKE

if TYPE_CHECKING:
    from fathom.ir.operation import Region, Value
    from fathom.rewriting.rewriter import Rewriter


def captures_of(region: Region) -> list[Value]:
    """The values from around a region that it uses, in the order in which it first does, what is nested first."""
    assert region.parent is not None, "a region stands in an operation"
    outside = {around.parent_region for around in (region.parent, *ancestors(region.parent))}
    values: dict[Value, None] = {}
    for op in region.walk_postorder():
        for operand in op.operands:
            block = operand.parent_block
            if block is not None and block.parent in outside:
                values[operand] = None
    return list(values)


def take_constants_in(region: Region, rewriter: Rewriter) -> None:
    """Puts copies of the constants that a region uses at its beginning, so that it does not take them from outside."""
    captures, start = captures_of(region), region.entry.first
    with rewriter.elsewhere():
        rewriter.block, rewriter.anchor = region.entry, start
        for value in captures:
            op = value.defining_op
            if op is None or not op.has(CONSTANT_LIKE):
                continue
            copy = rewriter.clone(op, {})
            for old, new in zip(op.results, copy.results, strict=True):
                _replace_in(region, old, new)


def _replace_in(region: Region, old: Value, new: Value) -> None:
    for user in reversed(list(old.uses)):
        if any(around.parent_region is region for around in (user, *ancestors(user))):
            for place in old.places_in(user):
                user.set_operand(place, new)
