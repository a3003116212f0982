"""Where in blocks values can be used."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fathom.ir.chain import stands_before

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Value
    from fathom.rewriting.mapping import Values

Place: TypeAlias = "tuple[Block, Operation | None]"
"""Before an operation of a block, or at the end of the block."""


def place_after(values: Values) -> Place:
    """The first place at which all the values can be used."""
    place = _place_after_one(values[0])
    for value in values[1:]:
        other = _place_after_one(value)
        if _is_before(place, other):
            place = other
    return place


def _place_after_one(value: Value) -> Place:
    block = value.parent_block
    if block is None:
        raise ValueError("the value stands in no block")
    op = value.defining_op
    return (block, op.next) if op is not None else (block, block.first)


def _is_before(a: Place, b: Place) -> bool:
    (block, anchor), (other, other_anchor) = a, b
    if block is other:
        return anchor is not None and (other_anchor is None or anchor.is_before_in_block(other_anchor))
    return stands_before(block, other)
