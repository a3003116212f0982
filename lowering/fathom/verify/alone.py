"""What an operation can be blamed for by itself, and whether all of its kind are free of it.

Most checks look at nothing but an operation's own properties, attributes and types: what they find of one operation
holds for all that agree in these. No check says so of itself: it is made on a stand-in once, and what looks further is
found out by it (`fathom.ir.stand_ins`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from fathom.ir.stand_ins import SeenThrough, StandInOperation
from fathom.ir.types import POISON
from fathom.irdl.traits import SYMBOL
from fathom.verify.attributes import discardable_problem
from fathom.verify.constraints import violation
from fathom.verify.symbols import visibility_problem

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.dialect import Definitions


class Likeness(Protocol):
    """What operations without regions share that agree in name, properties, attributes and all types."""

    sound: bool | None
    """Whether nothing is wrong with any of them by itself, and no check of theirs looks further; None while that is not
    known."""


def is_sound(op: Operation, likeness: Likeness, context: Definitions | None) -> bool:
    """Whether nothing can be wrong with an operation but with the symbols it uses and with where its operands stand.
    Found out once for all that are like it."""
    if likeness.sound is None:
        likeness.sound = _passes(op, context)
    return likeness.sound


def _passes(op: Operation, context: Definitions | None) -> bool:
    definition = op.definition
    if op.regions or any(value.type == POISON for value in (*op.operands, *op.results)):
        return False
    twin = StandInOperation(op)
    try:
        if context is not None and discardable_problem(twin, context) is not None:
            return False
        return definition is None or not (
            violation(twin, definition) is not None
            or (definition.has(SYMBOL) and visibility_problem(twin) is not None)
            or (definition.verify is not None and definition.verify(twin))
            or (definition.verify_regions is not None and definition.verify_regions(twin))
        )
    except SeenThrough:
        return False
