"""What ub's operations compute: what is not defined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.values import Datum

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def _poison(op: Operation, _: list[Any], frame: Frame) -> Datum:
    return frame.machine.undefined(op.result.type)


INTERPRETATION: Final[Mapping[str, Interpret]] = {"ub.poison": _poison}
