"""An operation as a message shows it: in one piece, without aliases, long elements left out."""

from __future__ import annotations

from fathom.ir.naming import Names, name_values
from fathom.ir.operation import Operation
from fathom.ir.printer import print_op
from fathom.ir.printing_flags import MESSAGE_FLAGS, PrintingFlags
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.records import replace
from fathom.text.beginnings import TextTooLong


def shown(op: Operation, *, generic: bool = True) -> str:
    """The text of `op`; its values have their numbers of the operation around it that is isolated from above."""
    return Shown().text(op, generic=generic)


class Shown:
    """Shows operations of an IR that nothing changes meanwhile: what is around several of them is numbered once."""

    def __init__(self) -> None:
        self._names: dict[tuple[Operation, bool], Names] = {}

    def text(self, op: Operation, *, generic: bool = True) -> str:
        """As `shown` gives it."""
        flags: PrintingFlags = replace(MESSAGE_FLAGS, generic=generic)
        scope = op
        while scope.parent_op is not None and not scope.has(ISOLATED_FROM_ABOVE):
            scope = scope.parent_op
        try:
            names = self._names.get((scope, generic))
            if names is None:
                names = self._names[scope, generic] = name_values(scope, flags)
            return print_op(op, flags, names=names)
        except (RecursionError, TextTooLong):
            # Deeper than the parser lets a program nest, which has said so, or too long to be shown.
            return f'"{op.name}"'
