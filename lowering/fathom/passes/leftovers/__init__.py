"""What a pass or a pipeline left as it was: a diagnostic at each operation, with the cause and what would help.

mlir-opt says nothing of such operations, and the error comes later, from another tool. Which pass takes what away is
what the passes declare; the causes are the table of `causes.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from fathom.diagnostics import (
    LEFTOVERS,
    NOT_BUFFERIZED,
    NOT_IN_PLACE,
    REFUSED_BY_PASS,
    SILENT_LEFTOVER,
    Diagnostic,
    Note,
)
from fathom.ir.values import place_of
from fathom.passes import find
from fathom.passes.history import History
from fathom.passes.left import follows, left_of
from fathom.passes.leftovers.casts import cause_of_cast
from fathom.passes.leftovers.causes import (
    BUFFERIZABLE,
    BUFFERIZE,
    ELEMENTWISE,
    GIVES_MEMORY,
    Cause,
    cause_of,
    is_on_tensors,
    on_tensors,
)
from fathom.passes.leftovers.types import obstacle
from fathom.records import record, replace
from fathom.rewriting.type_converter import is_cast

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Span
    from fathom.passes.definition import Pass
    from fathom.passes.leftovers.removers import Step
    from fathom.passes.to_llvm.llvm_types import LLVMTypes

Helps: TypeAlias = "Callable[[Sequence[Step]], bool]"
"""Tries changes of a pipeline on the module: whether they leave less."""

__all__ = [
    "History",
    "causes",
    "left_behind",
    "not_bufferized",
    "of_foreign",
    "places_left",
    "said_of_left",
    "waits_for_memory",
    "without_memory",
]


def said_of_left(use: Pass, part: Pass, op: Operation, types: LLVMTypes | None, reason: str | None) -> Diagnostic:
    """A warning about an operation that a pass, of whose work `part` takes its dialect away, left."""
    code, about, help = SILENT_LEFTOVER, (), ""
    if (memory := on_tensors(op)) is not None:
        code, reason, about, help = memory.code, memory.reason, memory.types, memory.remedy
    elif op.name in part.elsewhere:
        reason = f"'{op.name}' is rewritten by {part.elsewhere[op.name]}"
    elif types is not None and (in_way := obstacle(op, types)) is not None:
        code, reason, about = in_way.code, in_way.reason, (in_way.type,)
    notes = tuple(Note(text, op.span, hint=True) for text in (reason, help) if text)
    message = f"'{op.name}' was not lowered by --{use.name}"
    return Diagnostic(
        message, op.span, severity="warning", code=code, notes=notes, hint=True, types=about, left=op.name
    )


def left_behind(
    module: Operation, history: History, said: Iterable[Diagnostic] = (), helps: Helps | None = None
) -> list[Diagnostic]:
    """One diagnostic for each operation that a lowering to the LLVM dialect left as it was, and for each cast that
    survived, at its own span; one for each place. `history` is what is known of the lowering, `said` what its passes
    said, who may know more of why they left something. A change of the pipeline is advised if it `helps`."""
    return told(left_in(module, history), said, helps)


@record
class Left:
    """An operation that a lowering left, as data that outlives it: whether it is a cast, whether a pass made it, and
    whether it is on tensors."""

    name: str
    span: Span | None
    is_cast: bool
    was_made: bool
    is_on_tensors: bool
    cause: Cause


def left_in(module: Operation, history: History) -> Iterator[Left]:
    """What a lowering to the LLVM dialect left of a module: operations, then the casts."""
    for op, cause in causes(module, history):
        was_made = history.maker(op) is not None
        yield Left(op.name, op.span, is_cast(op), was_made, is_on_tensors(op), cause)


def told(left: Iterable[Left], said: Iterable[Diagnostic] = (), helps: Helps | None = None) -> list[Diagnostic]:
    """What `left_behind` says of what was left."""
    reasons: dict[tuple[int, int] | None, tuple[Note, ...]] = {}
    for diagnostic in said:
        if diagnostic.code in LEFTOVERS:
            place = place_of(diagnostic.span)
            reasons[place] = (*reasons.get(place, ()), *diagnostic.notes)
    diagnostics: dict[tuple[int, int] | None, Diagnostic] = {}
    made: set[tuple[int, int] | None] = set()
    for each in left:
        place = place_of(each.span)
        # What the source has comes before what a pass made of it.
        if place not in diagnostics or (place in made and not each.was_made):
            if each.was_made:
                made.add(place)
            else:
                made.discard(place)
            # Of an operation on tensors, what conversions say of it leads nowhere.
            others = reasons.get(place, ()) if not each.is_on_tensors else ()
            diagnostics[place] = _of_left(each, _tried(each.cause, helps), others)
    return list(diagnostics.values())


def _tried(cause: Cause, helps: Helps | None) -> Cause:
    """A cause without its remedy where that does not help. What passes do that are not here, mlir-opt knows: they are
    only named."""
    is_foreign = any(find(step.name) is None for step in cause.steps)
    if not cause.steps or is_foreign or (helps is not None and helps(cause.steps)):
        return cause
    return replace(cause, remedy="")


def places_left(module: Operation) -> list[Span]:
    """The places of what a lowering left."""
    return [op.span for op in left_of(module) if op.span is not None]


def waits_for_memory(diagnostic: Diagnostic) -> bool:
    """Whether an error is about an operation on tensors, such as a structured one whose body was converted, or a call
    that a pass made of one as if it were on numbers. It stays, since tensors have no memory, and nothing is wrong with
    it. What a pass objects to is a mistake all the same."""
    is_of_types = diagnostic.severity == "error" and diagnostic.code not in (
        NOT_BUFFERIZED,
        NOT_IN_PLACE,
        REFUSED_BY_PASS,
    )
    return is_of_types and diagnostic.op is not None and is_on_tensors(diagnostic.op)


def without_memory(module: Operation, history: History) -> list[Diagnostic]:
    """What is left of a module because of tensors, one diagnostic for each place."""
    diagnostics: dict[tuple[int, int] | None, Diagnostic] = {}
    waits = _waits(history)
    for op in left_of(module):
        if is_cast(op) or follows(op) or not is_on_tensors(op) or waits(op):
            continue
        if (place := place_of(op.span)) not in diagnostics:
            diagnostics[place] = _diagnostic(op, cause_of(op, history), ())
    return list(diagnostics.values())


def causes(module: Operation, history: History) -> Iterator[tuple[Operation, Cause]]:
    """What a lowering to the LLVM dialect left, and why: operations, then the casts."""
    casts: list[Operation] = []
    waits = _waits(history)
    for op in left_of(module):
        if op is module or follows(op) or waits(op):
            continue
        if is_cast(op):
            casts.append(op)
        else:
            yield op, cause_of(op, history)
    for cast in casts:
        yield cast, cause_of_cast(cast, history)


def _waits(history: History) -> Callable[[Operation], bool]:
    """Whether an operation is left on tensors because another one around it is, where all that can be is given
    memory."""
    culprits: dict[Operation, list[Operation]] = {}

    def waits(op: Operation) -> bool:
        if history.last(GIVES_MEMORY) is None or not is_on_tensors(op):
            return False
        from fathom.passes.on_tensors import culprits_in, outermost_around

        outermost = outermost_around(op)
        if outermost not in culprits:
            culprits[outermost] = culprits_in(outermost)
        return bool(culprits[outermost]) and op not in culprits[outermost]

    return waits


def not_bufferized(module: Operation, history: History) -> Iterator[tuple[Operation, Cause]]:
    """What `one-shot-bufferize`, which is not here, would say of operations that have no form with memrefs."""
    bufferizes = history.last(BUFFERIZE.name)
    if bufferizes is None:
        return
    for op in module.walk():
        if op.dialect in ELEMENTWISE and op not in BUFFERIZABLE and not follows(op):
            cause = cause_of(op, history)
            if cause.code == NOT_BUFFERIZED and any(step.place <= bufferizes for step in cause.steps):
                yield op, cause


def of_foreign(module: Operation, history: History) -> list[Diagnostic]:
    """What can be said of a pipeline with passes that are not here, from the source alone."""
    return [
        replace(_diagnostic(op, cause, ()), message="op was not bufferized")
        for op, cause in not_bufferized(module, history)
    ]


def _diagnostic(op: Operation, cause: Cause, reasons: tuple[Note, ...]) -> Diagnostic:
    return _of_left(Left(op.name, op.span, is_cast(op), False, False, cause), cause, reasons)


def _of_left(left: Left, cause: Cause, reasons: tuple[Note, ...]) -> Diagnostic:
    message = f"'{left.name}' op was left behind by the lowering to the LLVM dialect"
    if left.is_cast:
        message = f"failed to legalize operation '{left.name}' that was explicitly marked illegal"
    texts = dict.fromkeys(filter(None, (cause.reason, *(reason.message for reason in reasons), cause.remedy)))
    notes = tuple(Note(text, hint=True) for text in texts)
    severity = "information" if cause.follows else "error"
    return Diagnostic(message, left.span, severity, cause.code, notes, types=cause.types, left=left.name)
