"""An operation as a message shows it: in one piece, without aliases, long elements left out."""

from __future__ import annotations

from fathom.ir.operation import Operation
from fathom.ir.printer import print_op
from fathom.ir.printing_flags import MESSAGE_FLAGS
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.records import replace
from fathom.text.beginnings import TextTooLong


def shown(op: Operation, *, generic: bool = True) -> str:
    """The text of `op`; its values have their numbers of the operation around it that is isolated from above."""
    scope = op
    while scope.parent_op is not None and not scope.has(ISOLATED_FROM_ABOVE):
        scope = scope.parent_op
    try:
        return print_op(op, replace(MESSAGE_FLAGS, generic=generic), scope=scope)
    except (RecursionError, TextTooLong):
        # Deeper than the parser lets a program nest, which has said so, or too long to be shown.
        return f'"{op.name}"'
