"""Operations and values as texts, as MLIR writes them where it speaks of one."""

from __future__ import annotations

from typing import Final

from fathom.ir.operation import BlockArgument, Operation, Value
from fathom.ir.printer import print_ops
from fathom.ir.printing_flags import MESSAGE_FLAGS, PrintingFlags
from fathom.ir.traversal import ancestors
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.records import replace

_GENERIC: Final = replace(MESSAGE_FLAGS, generic=True)


def text_of(op: Operation, flags: PrintingFlags = MESSAGE_FLAGS) -> str:
    """An operation, with the names that values have in what it stands in."""
    scope = op
    for scope in ancestors(op):
        if scope.has(ISOLATED_FROM_ABOVE):
            break
    (text,) = print_ops([op], flags, scope)
    return text


def shown(value: Value) -> str:
    """A value: what defines it, in the generic form, or its place as an argument."""
    maker = value.defining_op
    if maker is not None:
        return text_of(maker, _GENERIC)
    assert isinstance(value, BlockArgument), "a value is one of the two"
    return f"<block argument> of type '{value.type}' at index: {value.index}"


def described(value: Value) -> str:
    """Where a value comes from."""
    if isinstance(value, BlockArgument):
        region = value.block.parent
        block = [*region.blocks].index(value.block) if region is not None else 0
        number = region.parent.regions.index(region) if region is not None and region.parent is not None else 0
        return f"a block argument #{value.index} in block #{block} in region #{number}"
    return f"an op result #{getattr(value, 'index', 0)}"
