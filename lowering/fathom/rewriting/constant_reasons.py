"""Why values are not replaced by constants, said to whoever looks on at `sccp`.

The analysis notes why values vary (`ConstantPropagation.causes`); here it is followed to where that begins, and said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import Value
from fathom.irdl.traits import CONSTANT_LIKE
from fathom.rewriting.constant_propagation import VARYING, Constant
from fathom.rewriting.reasons import called, called_op, effect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation
    from fathom.rewriting.constant_propagation import Cause, ConstantPropagation
    from fathom.rewriting.observers import Watch

MOST_NAMES: Final = 3
"""So many operands are named."""
MOST_STEPS: Final = 64
"""So far it is followed where a value varies from."""


def tell_why_it_varies(op: Operation, analysis: ConstantPropagation, watch: Watch) -> None:
    """Tells why an operation with results stays."""
    if not op.has(CONSTANT_LIKE):
        watch.left(op, "replace", _why(op, analysis))


def _why(op: Operation, analysis: ConstantPropagation) -> str:
    if op.parent is not None and not analysis.is_reached(op.parent):
        return "its block is never reached"
    known = [(result, analysis.constants.get(result)) for result in op.results]
    varying = next((result for result, constant in known if constant is VARYING), None)
    if varying is not None:
        cause = (analysis.causes or {}).get(varying)
        return _said(varying, cause, analysis) if cause is not None else _why_not_folded(op, analysis)
    unknown = next((result for result, constant in known if constant is None), None)
    if unknown is not None:
        return f"{called(unknown)} never has a value"
    return f"its results are constants, but it stays for what it does: {effect(op)}"


def _said(value: Value, cause: Cause, analysis: ConstantPropagation) -> str:
    if isinstance(cause, Value):
        return f"{called(value)} may be {called(cause)}{_from_where(cause, analysis, ', which')}"
    return f"{called(value)} {_words(cause)}"


def _words(cause: str | Operation | tuple[Constant, Constant]) -> str:
    """What is said of a value that varies for a cause."""
    if isinstance(cause, str):
        return cause
    if isinstance(cause, tuple):
        return f"may be {cause[0].attribute} or {cause[1].attribute}"
    return f"is made by the '{cause.name}'"


def _why_not_folded(op: Operation, analysis: ConstantPropagation) -> str:
    if memory := effect(op):
        return f"{memory}, and what is in memory is not followed"
    varying = _varying(op, analysis)
    if not varying:
        return "it does not fold, though all its operands are constants" if op.operands else "it does not fold"
    names = list(dict.fromkeys(map(called, varying)))
    which = ", which" if len(names) == 1 else f", and {names[0]}"
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"it is of {', '.join(names[:MOST_NAMES])}{more}{_from_where(varying[0], analysis, which)}"


def _from_where(value: Value, analysis: ConstantPropagation, which: str) -> str:
    """Where it begins that a value varies, which has been called `which`; empty where that leads round in a circle."""
    causes, start = analysis.causes or {}, value
    for _ in range(MOST_STEPS):
        cause = causes.get(value)
        if isinstance(cause, Value):
            value = cause
            continue
        if cause is not None:
            return f"{which if value is start else f', and {called(value)}'} {_words(cause)}"
        op = value.defining_op
        if op is None:
            return ""
        varying = _varying(op, analysis)
        if not varying or effect(op):
            return f", and the {called_op(op)} does not fold" if value is not start else f"{which} does not fold"
        value = varying[0]
    return ""


def _varying(op: Operation, analysis: ConstantPropagation) -> Sequence[Value]:
    return [operand for operand in op.operands if analysis.constants.get(operand) is VARYING]
