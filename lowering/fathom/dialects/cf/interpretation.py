"""Where control goes on, by cf's branches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.machine import Frame, Interpret, Jump
from fathom.interpreting.values import Trap, of_attribute
from fathom.irdl.interfaces import Branch

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ops.cf import AssertOp, SwitchOp


def to(op: Operation, number: int, frame: Frame) -> Jump:
    """The jump to one of the successors of a branch."""
    branch = op.interface(Branch)
    assert branch is not None, "it is a branch"
    edge = branch.edges(op)[number]
    return Jump(edge.target, frame.of(edge.passed))


def _branch(op: Operation, _: list[Any], frame: Frame) -> Jump:
    return to(op, 0, frame)


def _conditional(op: Operation, operands: list[Any], frame: Frame) -> Jump:
    return to(op, 0 if operands[0] else 1, frame)


def _switch(op: SwitchOp, operands: list[Any], frame: Frame) -> Jump:
    cases = of_attribute(op.case_values) if op.case_values is not None else None
    items = list(getattr(cases, "items", ()))
    return to(op, items.index(operands[0]) + 1 if operands[0] in items else 0, frame)


def _assert(op: AssertOp, operands: list[Any], frame: Frame) -> None:
    del frame
    if not operands[0]:
        raise Trap("crash", op.msg.value)


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    "cf.br": _branch,
    "cf.cond_br": _conditional,
    "cf.switch": _switch,
    "cf.assert": _assert,
}
