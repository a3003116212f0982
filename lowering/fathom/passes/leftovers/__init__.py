"""What a pass or a pipeline left as it was: a diagnostic at each operation, with the cause and what would help.

mlir-opt leaves such operations without a word, and the error comes later, from another tool. Which pass takes what away
is what the passes declare; the causes are the table of `causes.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import LEFTOVERS, NOT_BUFFERIZED, SILENT_LEFTOVER, Diagnostic, Note
from fathom.ir.operation import MODULE
from fathom.ir.types import POISON
from fathom.ir.values import place_of
from fathom.passes.leftovers.casts import cause_of_cast
from fathom.passes.leftovers.causes import BUFFERIZE, ELEMENTWISE, Cause, cause_of
from fathom.passes.leftovers.history import History
from fathom.passes.leftovers.removers import removers
from fathom.passes.leftovers.types import obstacle
from fathom.records import replace
from fathom.rewriting.type_converter import CAST
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Pass
    from fathom.passes.to_llvm.llvm_types import LLVMTypes

BUFFERIZABLE: Final = ("arith.constant", "arith.select", "arith.index_cast")
"""The operations on tensors among them that `one-shot-bufferize` takes."""
ABOUT_PROGRAMS: Final = frozenset(("irdl", "pdl", "pdl_interp", "transform"))
"""The dialects whose operations say something about programs, instead of being part of one: definitions, patterns and
what transforms others. None is ever lowered, nor is what stands in it."""

__all__ = ["History", "advice", "causes", "left_behind", "left_by", "left_of", "not_bufferized", "of_foreign"]


def advice(op: Operation) -> str | None:
    """What would lower an operation that a conversion had to convert and did not."""
    remover = removers().get(op.dialect)
    if remover is None:
        return None
    other = remover.elsewhere.get(op.name)
    return f"'{op.name}' is {f'lowered by the pass --{remover.name}' if other is None else f'rewritten by {other}'}"


def left_by(
    use: Pass,
    root: Operation,
    reasons: Mapping[Operation, str],
    types: LLVMTypes | None = None,
    parts: Sequence[Pass] = (),
) -> list[Diagnostic]:
    """A warning for each operation of the dialects that a pass, or one whose work it does, removes which is still there
    after it.

    `reasons` is what the conversion said of single ones; `types` are those that it converts to, if it does.
    """
    found: list[Diagnostic] = []
    by_dialect = {dialect: part for part in parts or (use,) for dialect in part.removes}
    for op in root.walk():
        part = by_dialect.get(op.dialect)
        if part is None or _follows(op):
            continue
        found.append(_left_by(use, part, op, types, reasons.get(op)))
    return found


def _left_by(use: Pass, part: Pass, op: Operation, types: LLVMTypes | None, reason: str | None) -> Diagnostic:
    code, about = SILENT_LEFTOVER, ()
    if op.name in part.elsewhere:
        reason = f"'{op.name}' is rewritten by {part.elsewhere[op.name]}"
    elif types is not None and (found := obstacle(op, types)) is not None:
        code, reason, about = found.code, found.reason, (found.type,)
    notes = (Note(reason, op.span, hint=True),) if reason is not None else ()
    message = f"'{op.name}' was not lowered by --{use.name}"
    return Diagnostic(message, op.span, severity="warning", code=code, notes=notes, hint=True, types=about)


def left_behind(module: Operation, history: History, said: Iterable[Diagnostic] = ()) -> list[Diagnostic]:
    """One diagnostic for each operation that a lowering to the LLVM dialect left as it was, and for each cast that
    survived, at its own span; one for each place. `history` is what is known of the lowering, `said` what its passes
    said, who may know more of why they left something."""
    reasons: dict[tuple[int, int] | None, tuple[Note, ...]] = {}
    for each in said:
        if each.code in LEFTOVERS:
            place = place_of(each.span)
            reasons[place] = (*reasons.get(place, ()), *each.notes)
    found: dict[tuple[int, int] | None, Diagnostic] = {}
    for op, cause in causes(module, history):
        if (place := place_of(op.span)) not in found:
            found[place] = _diagnostic(op, cause, reasons.get(place, ()))
    return list(found.values())


def causes(module: Operation, history: History) -> Iterator[tuple[Operation, Cause]]:
    """What a lowering to the LLVM dialect left, and why: operations, then the casts."""
    casts: list[Operation] = []
    for op in left_of(module):
        if op is module or _follows(op):
            continue
        if op.name == CAST:
            casts.append(op)
        else:
            yield op, cause_of(op, history)
    for cast in casts:
        yield cast, cause_of_cast(cast, history)


def left_of(module: Operation) -> Iterator[Operation]:
    """The operations of a program that are not LLVM's."""
    pending = [iter((module,))]
    while pending:
        checkpoint()
        op = next(pending[-1], None)
        if op is None:
            pending.pop()
        elif op.dialect not in ABOUT_PROGRAMS:
            if op.dialect != "llvm" and op.name != MODULE:
                yield op
            pending += [region.operations() for region in reversed(op.regions)]


def not_bufferized(module: Operation, history: History) -> Iterator[tuple[Operation, Cause]]:
    """What `one-shot-bufferize`, which is not here, would say of operations that have no form with memrefs."""
    bufferizes = history.last(BUFFERIZE.name)
    if bufferizes is None:
        return
    for op in module.walk():
        if op.dialect in ELEMENTWISE and op.name not in BUFFERIZABLE and not _follows(op):
            cause = cause_of(op, history)
            if cause.code == NOT_BUFFERIZED and any(step.place <= bufferizes for step in cause.steps):
                yield op, cause


def of_foreign(module: Operation, history: History) -> list[Diagnostic]:
    """What can be said of a pipeline with passes that are not here, from the source alone."""
    return [
        replace(_diagnostic(op, cause, ()), message="op was not bufferized")
        for op, cause in not_bufferized(module, history)
    ]


def _follows(op: Operation) -> bool:
    """Whether an operation that is known uses something of an unknown type, which the operation behind that is to blame
    for."""
    return op.definition is not None and any(value.type == POISON for value in (*op.operands, *op.results))


def _diagnostic(op: Operation, cause: Cause, reasons: tuple[Note, ...]) -> Diagnostic:
    message = f"'{op.name}' op was left behind by the lowering to the LLVM dialect"
    if op.name == CAST:
        message = f"failed to legalize operation '{op.name}' that was explicitly marked illegal"
    texts = dict.fromkeys((cause.reason, *(each.message for each in reasons), cause.remedy))
    notes = tuple(Note(text, hint=True) for text in texts)
    severity = "information" if cause.follows else "error"
    return Diagnostic(message, op.span, severity, cause.code, notes, types=cause.types)
