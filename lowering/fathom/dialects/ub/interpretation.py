"""What ub's operations compute: zeros stand for what is not defined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.values import Datum, zero_of

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def _poison(op: Operation, _: list[Any], __: Frame) -> Datum:
    return zero_of(op.result.type)


INTERPRETATION: Final[Mapping[str, Interpret]] = {"ub.poison": _poison}
