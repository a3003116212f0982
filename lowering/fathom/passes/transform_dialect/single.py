"""What is asked of one operation alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.transform_dialect.application import Application


def single(run: Application, handle: Value) -> Operation:
    """The only operation that a handle stands for."""
    found = run.ops(handle)
    if len(found) != 1:
        raise run.definite("SingleOpMatchOpTrait requires the operand handle to point to a single payload op")
    return found[0]
