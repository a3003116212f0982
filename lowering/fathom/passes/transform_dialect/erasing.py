"""Takes schedules out of a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.transform.handles import is_transform

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def erase_schedules(root: Operation) -> None:
    """Erases the operations that the interpreter applies, each with what it holds."""
    for region in root.regions:
        for op in reversed(list(region.operations())):
            if op.definition is not None and is_transform(op):
                op.erase()
            else:
                erase_schedules(op)
