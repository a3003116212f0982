"""Where the loops of linalg's operations are; what these compute follows from their body and their maps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.values import Datum, NotUnderstood

if TYPE_CHECKING:
    from fathom.ops.linalg import IndexOp


def _index(op: IndexOp, _: list[Any], frame: Frame) -> Datum:
    place = frame.machine.place
    if place is None:
        raise NotUnderstood(f"'{op.name}'")
    return place[op.dim.value]


INTERPRETATION: Final[Mapping[str, Interpret]] = {"linalg.index": _index}
