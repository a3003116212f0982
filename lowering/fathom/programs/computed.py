"""What each value of a program was last, for a call: the program is interpreted as it stands, at the source.

    made = computed(program, signature, arguments, run)
    for name, told in of_statement(site, made): ...

What the compiled program did in that call is held against it: where that is another thing, or something is not
interpreted, or it takes too long, nothing is told but why. Whether a value follows from what is not defined, such as
memory that nothing was written to, is found out by doing it twice, with another content of that; where the two differ,
`?` is told.

Scalars, vectors and tensors are told as they were when their operation was done last, in the last call of their
function; memory as it is when the call is over, or as it was when it was given back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import process_time
from typing import TYPE_CHECKING, Final

from fathom.execution.outcome import Given, Json, Limits, RunOutcome
from fathom.interpreting import Machine, NotUnderstood
from fathom.irdl.interfaces import ConstantLike, symbol_name
from fathom.programs.behaviour import UNDEFINED, Behaviour
from fathom.programs.interpreted import call
from fathom.programs.telling import Telling
from fathom.programs.told import Key, Told, key_of
from fathom.records import field, record, replace

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import FunctionType

MOST_STEPS: Final = 2_000_000
"""A call that takes more operations is not followed."""
SECONDS: Final = 6.0
"""Nor one for which this process would be at work for longer."""
MOST_VALUES: Final = 20_000
"""No more values are told of."""
TOLERANCE: Final = 1e-5
"""How far the floats of both may be from each other: functions such as `exp` are rounded otherwise."""
OTHERWISE: Final = "the program does something else when it is compiled than when it is interpreted"
STOPPED: Final = "the run ended at something that is not found wrong when the program is interpreted"
_FILL: Final = 0xA5
"""What bytes are the second time of which nothing is said; the first time they are zero."""
_OWN: Final = ("crash", "assertion", "exit")
"""The failures that both may tell of in their own way."""


@record
class Program:
    """A module, and the function in it that is called."""

    module: Operation
    function: Operation
    context: Context


@record
class Ran:
    """What the compiled program did: its outcome, and where the operation begins in the text at which a check failed.
    Of each array the first `elements` are compared. Where only a part of that is known, the outcome is None, and
    others judge the behaviour of what is computed."""

    outcome: RunOutcome | None = None
    failed_at: int | None = None
    elements: int = Limits().elements


@record
class Computed:
    """What the values of functions were last, or why that is not known. `behaviour` is what the call did."""

    values: Mapping[Key, Told] = field(default_factory=dict[Key, Told])
    unknown: str = ""
    behaviour: Behaviour | None = None


def computed(
    program: Program, signature: FunctionType, arguments: Sequence[Given], ran: Ran, seconds: float = SECONDS
) -> Computed:
    """What the values were last in a call with some arguments, of which it is known what the compiled program did."""
    deadline = process_time() + seconds
    machine, does = _interpreted(program, signature, arguments, deadline, ran.elements)
    if not does.is_known:
        return Computed(unknown=does.unknown)
    again = machine
    if machine.memory.has_undefined:
        again, other = _interpreted(program, signature, arguments, deadline, ran.elements, _FILL)
        if not other.is_known:
            return Computed(unknown=other.unknown)
        if again.steps != machine.steps or (other.outcome.failure is None) is not (does.outcome.failure is None):
            return Computed(unknown="what is done follows from memory that nothing was written to")
        does = replace(does, outcome=_sure(does.outcome, other.outcome))
    if ran.outcome is not None and not _agree(does, machine, ran):
        is_stopped = does.outcome.failure is None and ran.outcome.failure is not None
        return Computed(unknown=STOPPED if is_stopped else OTHERWISE)
    told = _told(machine, again)
    if len(told) > MOST_VALUES:
        return Computed(unknown=f"there are more than {MOST_VALUES} values")
    return Computed(told, behaviour=does)


class _Timed(Machine):
    """A machine that stops when its time is over."""

    deadline = 0.0

    def step(self) -> None:
        super().step()
        if not self.steps & 0xFF and process_time() > self.deadline:
            raise NotUnderstood("a program that takes so long")


def _interpreted(
    program: Program,
    signature: FunctionType,
    arguments: Sequence[Given],
    deadline: float,
    elements: int,
    fill: int = 0,
) -> tuple[Machine, Behaviour]:
    machine = _Timed(program.module, program.context, most_known=MOST_STEPS, fill=fill)
    machine.deadline = deadline
    return machine, call(machine, program.function, signature, arguments, elements)


def _sure(one: RunOutcome, other: RunOutcome) -> RunOutcome:
    """An outcome without what is otherwise in another."""
    results = tuple(map(_common, one.results, other.results))
    return RunOutcome(one.failure, results, tuple(map(_common, one.arguments, other.arguments)), stdout=one.stdout)


def _common(one: Json, other: Json) -> Json:
    if isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        return {key: _common(one[key], other[key]) for key in one}
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)) and len(one) == len(other):
        return [_common(a, b) for a, b in zip(one, other, strict=True)]
    return one if one == other else UNDEFINED


def _agree(does: Behaviour, machine: Machine, ran: Ran) -> bool:
    """Whether the compiled program did the same."""
    outcome = ran.outcome
    assert outcome is not None, "there is something to compare with"
    if does.outcome.failure is None or outcome.failure is None:
        return does.agrees_with(Behaviour(outcome), TOLERANCE)
    span = machine.trapped.span if machine.trapped is not None else None
    is_there = ran.failed_at is None or span is None or span.start == ran.failed_at
    return is_there and does.outcome.failure.kind in _OWN and outcome.failure.kind in _OWN


def _is_written(value: Value) -> bool:
    """Whether the text says itself what a value is."""
    return value.defining_op is not None and value.defining_op.interface(ConstantLike) is not None


def _told(machine: Machine, again: Machine) -> dict[Key, Told]:
    telling = Telling(machine.memory, again.memory)
    told: dict[Key, Told] = {}
    others = {symbol_name(function): frame.known for function, frame in again.calls.items()}
    for function, frame in machine.calls.items():
        other = others.get(symbol_name(function), {})
        for value, datum in frame.known.items():
            key = key_of(value)
            if key is None or _is_written(value):
                continue
            if len(told) > MOST_VALUES:
                return told
            made = telling.of(value.type, datum, other.get(value))
            if made is not None:
                told[key] = made
    return told
