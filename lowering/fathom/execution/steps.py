"""What the steps of loops are to pass when they run: they are above zero, and the variable of a loop does not overflow.
MLIR's own checks at run time take that for granted; a loop that breaks it does not end, or goes on from the lowest
number.

Source of the rules: *'scf' Dialect*, `scf.for`, `scf.parallel` and `scf.forall`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import INDEX_WIDTH, width_of
from fathom.ir.types import INDEX
from fathom.rewriting.runtime_checks import SGE, SGT, SLE

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import scf as ops
    from fathom.rewriting.runtime_checks import RuntimeCheck, RuntimeChecks


def check_for(op: ops.ForOp, checks: RuntimeChecks) -> None:
    """The step, and the first value of the variable that is not below the upper bound."""
    width = width_of(op.step.type)
    if width > INDEX_WIDTH:
        return
    is_signed = op.unsignedCmp is None
    if width == INDEX_WIDTH:
        if is_signed:
            _check_step(_as_index(op.step, True, checks), checks)
        return
    lower, upper, step = (_as_index(value, is_signed, checks) for value in (op.lowerBound, op.upperBound, op.step))
    _check_step(step, checks)
    highest = checks.index((1 << (width - is_signed)) - 1)
    rounds = checks.indexed("arith.ceildivsi", checks.indexed("arith.subi", upper, lower), step)
    last = checks.indexed("arith.addi", lower, checks.indexed("arith.muli", rounds, step))
    with checks.where(checks.compare(SGT, upper, lower)):
        checks.check(checks.compare(SLE, last, highest), "the variable of the loop overflows")


def check_steps(op: ops.ParallelOp, checks: RuntimeChecks) -> None:
    for step in op.step:
        _check_step(step, checks)


def check_given_steps(op: ops.ForallOp, checks: RuntimeChecks) -> None:
    for step in op.dynamicStep:
        _check_step(step, checks)


def _check_step(step: Value, checks: RuntimeChecks) -> None:
    checks.check(checks.compare(SGE, step, checks.index(1)), "the step of the loop is not above zero")


def _as_index(value: Value, is_signed: bool, checks: RuntimeChecks) -> Value:
    if value.type == INDEX:
        return value
    return checks.indexed("arith.index_cast" if is_signed else "arith.index_castui", value)


STEPS: Final[Mapping[str, RuntimeCheck]] = {
    "scf.for": check_for,
    "scf.parallel": check_steps,
    "scf.forall": check_given_steps,
}
