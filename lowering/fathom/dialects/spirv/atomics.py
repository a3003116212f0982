"""Atomic operations and barriers: what they point to, and in which order they let memory be seen.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.types import PointerType, cases
from fathom.dialects.spirv.words import number
from fathom.ir.types import FloatType, IntegerType, Type, UnknownType
from fathom.irdl.checking import all_of, bare
from fathom.irdl.verifying import Check, Checks, Complaint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.verifying import Complaint


def _ordered(name: str) -> Check:
    """Of the memory semantics that a property is: orders of which there is one at most."""

    def check(op: Operation) -> Complaint:
        words, given = cases("MemorySemantics"), number(op, name) or 0
        if sum(bool(given & words[each]) for each in _ORDERS) > 1:
            orders = "`Acquire`, `Release`,`AcquireRelease` or `SequentiallyConsistent`"
            return bare(f"expected at most one of these four memory constraints to be set: {orders}")
        return None

    return check


_ORDERS: Final = ("Acquire", "Release", "AcquireRelease", "SequentiallyConsistent")


def _points_to(kind: type[Type], noun: str) -> Check:
    def check(op: Operation) -> Complaint:
        pointer = op.operands[0].type
        if isinstance(pointer, PointerType) and not isinstance(pointer.pointee, (kind, UnknownType)):
            return f"pointer operand must point to an {noun} value, found '{pointer.pointee}'"
        return None

    return check


_INTEGER: Final = [
    f"spirv.Atomic{name}" for name in "And IAdd IDecrement IIncrement ISub Or SMax SMin UMax UMin Xor".split()
]

VERIFY: Final[Checks] = {
    "spirv.EXT.AtomicFAdd": all_of(_points_to(FloatType, "float"), _ordered("semantics")),
    "spirv.ControlBarrier": _ordered("memory_semantics"),
    "spirv.MemoryBarrier": _ordered("memory_semantics"),
    **dict.fromkeys(_INTEGER, all_of(_points_to(IntegerType, "integer"), _ordered("semantics"))),
}
