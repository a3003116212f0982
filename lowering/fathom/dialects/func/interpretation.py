"""What calls do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.values import Datum, NotUnderstood

if TYPE_CHECKING:
    from fathom.ops.func import CallOp


def _call(op: CallOp, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    callee = frame.machine.symbol(op.callee.root)
    if callee is None:
        raise NotUnderstood(f"the function @{op.callee.root}, which is not there")
    return frame.machine.call(callee, operands)


INTERPRETATION: Final[Mapping[str, Interpret]] = {"func.call": _call}
