"""Why a pass failed, and what would have it succeed: by the codes of what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.diagnostics import (
    FAILED_TO_LEGALIZE,
    ILLEGAL_PRODUCT,
    LINALG_BODY,
    NOT_BUFFERIZED,
    NOT_FREED,
    NOT_IN_PLACE,
    UNRESOLVED,
    Diagnostic,
    Note,
)
from fathom.ops.bufferization import DeallocOp as BufferDeallocOp
from fathom.ops.memref import ReallocOp
from fathom.ops.scf import ConditionOp, YieldOp
from fathom.passes.leftovers.causes import ELEMENTWISE, TO_LINALG, Cause
from fathom.passes.leftovers.removers import Step, does, last_of, place_for, rewriters, takers
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.passes.history import History


def explained(diagnostic: Diagnostic, cause: Cause | None) -> Diagnostic:
    """An error of a pass with its cause, if that is known."""
    if cause is None:
        return diagnostic
    said = tuple(Note(text, hint=True) for text in (cause.reason, cause.remedy) if text)
    return replace(diagnostic, notes=(*diagnostic.notes, *said))


def causes_of_failure(diagnostic: Diagnostic, index: int, history: History) -> Iterator[Cause]:
    """What may be the cause of an error of the pass at an index of the pipeline, each with a change that is to be
    tried; none where a change of passes would not help."""
    explain = _FAILURES.get(diagnostic.code)
    if explain is not None and index < len(history.passes):
        yield from explain(diagnostic, index, history)


def certain_cause(diagnostic: Diagnostic, index: int, history: History) -> Cause | None:
    """The cause of an error that can have one alone, which so needs no trying."""
    return next(causes_of_failure(diagnostic, index, history), None) if diagnostic.code == LINALG_BODY else None


def _converted_body(_found: Diagnostic, index: int, history: History) -> Iterator[Cause]:
    """A pass converted the body of a structured operation, which has to compute what that says it does."""
    loops, who = rewriters("linalg.generic")[0], history.passes[index].name
    reason = f"--{who} converted the operations in its body, which say what it computes"
    step = Step(loops, place_for(loops, history, None), last_of((loops,), history))
    yield Cause(LINALG_BODY, reason, f"run --{loops} before --{who}", (step,))


def _taken_elsewhere(diagnostic: Diagnostic, index: int, history: History) -> Iterator[Cause]:
    """The pass has to take an operation that it has no way for, and another one has."""
    failing, name = history.passes[index], diagnostic.op.name if diagnostic.op is not None else ""
    for other in takers(name):
        if does(failing, other) or any(does(pass_, other) for pass_ in history.passes[:index]):
            continue
        behind = (place for place, pass_ in enumerate(history.passes) if place > index and pass_.name == other)
        step = Step(other, index, next(behind, None))
        reason = f"--{failing.name} has no way for this '{name}'; --{other} has one"
        yield Cause(diagnostic.code, reason, f"run --{other} before --{failing.name}", (step,))


EMULATED_IN_MEMORY: Final = {"arith-emulate-wide-int": "memref-emulate-wide-int"}
"""For a pass that changes the types of what is computed, the one that does so in memory too."""


def _half_converted(diagnostic: Diagnostic, index: int, history: History) -> Iterator[Cause]:
    """The pass changed the type of a value for one of two operations, and has no way for the other. What it changes the
    type for, LLVM can do without."""
    failing = history.passes[index]
    if failing.removes:
        return
    reason = f"--{failing.name} has a way for one of these operations only"
    other = EMULATED_IN_MEMORY.get(failing.name)
    if other is not None:
        options = str(failing).partition("{")[2].removesuffix("}")
        steps = Step(other, index, options=options), Step(failing.name, 0, index + 1, goes=True)
        yield Cause(diagnostic.code, reason, f"run --{other} in its place, which has one for memory too", steps)
    remedy = f"take --{failing.name} out: the LLVM dialect has the types that it converts"
    yield Cause(diagnostic.code, reason, remedy, (Step(failing.name, 0, index, goes=True),))


def _without_form(diagnostic: Diagnostic, index: int, history: History) -> Iterator[Cause]:
    """An operation that computes tensors element by element has no form with memrefs; a loop that does so has one."""
    if diagnostic.op is None or diagnostic.op.dialect not in ELEMENTWISE:
        return
    loops, steps = rewriters("linalg.generic")[0], [Step(TO_LINALG, index)]
    if last_of((loops,), history) is None:
        steps.append(Step(loops, index + 2))
    remedy = f"run --{TO_LINALG} before it, which makes of it what has a form with memrefs"
    yield Cause(NOT_BUFFERIZED, "it has no form with memrefs", remedy, tuple(steps))


NEW_IN_LOOPS: Final = "allow-return-allocs-from-loops"
"""The option with which loops hand on new buffers."""


def _not_in_place(diagnostic: Diagnostic, index: int, history: History) -> Iterator[Cause]:
    """A loop hands on another buffer than it was given, which it may be told to do."""
    failing, end = history.passes[index], diagnostic.op
    if failing.name != "one-shot-bufferize" or not isinstance(end, (YieldOp, ConditionOp)):
        return
    given = [option.spell(value).removesuffix("=true") for option, value in failing.given()]
    again = Step(failing.name, index, options=" ".join([*given, NEW_IN_LOOPS]))
    reason = "each round of the loop makes a new buffer, and does not write the one that it was given"
    remedy = f"run --{failing.name} with {NEW_IN_LOOPS}"
    yield Cause(diagnostic.code, reason, remedy, (again, Step(failing.name, 0, index + 1, goes=True)))


EXPAND_REALLOC: Final = Step("expand-realloc", 0, options="emit-deallocs=false")
"""What writes memory that grows as memory that nobody frees yet."""


def _not_freed(diagnostic: Diagnostic, index: int, history: History) -> Iterator[Cause]:
    """What frees memory is there before the pass that is to put it there: memory that grows does so, and what a pass
    wrote in its place. Or there is no place for what finds out which memory is freed."""
    before = history.passes[:index]
    made = next((place for place, use in enumerate(before) if use.name == EXPAND_REALLOC.name), None)
    if made is not None:
        steps = replace(EXPAND_REALLOC, place=made), Step(EXPAND_REALLOC.name, 0, made + 1, goes=True)
        reason = f"--{EXPAND_REALLOC.name} frees the memory that was there before it grew"
        yield Cause(diagnostic.code, reason, f"run {EXPAND_REALLOC}, which does not", steps)
    elif isinstance(diagnostic.op, BufferDeallocOp) and any(history.nests[index : index + 1]):
        name = history.passes[index].name
        reason = "which of several buffers are freed is found out by a function, which has to stand in the module"
        yield Cause(diagnostic.code, reason, f"run --{name} on the whole module", (Step(name, index, index, out=True),))
    elif isinstance(diagnostic.op, ReallocOp):
        remedy = f"run {EXPAND_REALLOC} before --{history.passes[index].name}"
        yield Cause(
            diagnostic.code,
            "it frees the memory that was there before",
            remedy,
            (replace(EXPAND_REALLOC, place=index),),
        )


_Explain: TypeAlias = "Callable[[Diagnostic, int, History], Iterator[Cause]]"

_FAILURES: Final[Mapping[str, _Explain]] = MappingProxyType(
    {
        LINALG_BODY: _converted_body,
        NOT_BUFFERIZED: _without_form,
        FAILED_TO_LEGALIZE: _taken_elsewhere,
        ILLEGAL_PRODUCT: _taken_elsewhere,
        NOT_FREED: _not_freed,
        NOT_IN_PLACE: _not_in_place,
        UNRESOLVED: _half_converted,
    }
)
