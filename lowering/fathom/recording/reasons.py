"""Why an operation is left as it is by a pass: each pattern that was tried on it, and why it said no.

Where a pattern says no without a reason, it is tried once more on what the pass left, and what it looked at last is
said (`looking.py`); so it is with folds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.traversal import ancestors
from fathom.recording.looking import looking
from fathom.records import record
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.folding import fold
from fathom.rewriting.listening_rewriter import ListeningRewriter
from fathom.rewriting.pattern import NO_MATCH, Failure
from fathom.rewriting.reasons import BESIDE_PATTERNS

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.ir.operation import Operation
    from fathom.recording.recording import Journal, Recording, Refusal
    from fathom.rewriting.pattern import Pattern

LOOKS: Final = 3
"""So many facts are said that a pattern looked at last."""
FOLD: Final = "fold"


@record
class Reason:
    """Why a pattern, or the fold, did not apply. `looked_at` are the facts that it looked at last, where it gives no
    reason of its own."""

    pattern: str
    reason: str
    looked_at: tuple[str, ...] = ()
    undone: bool = False

    def __str__(self) -> str:
        said = f"{self.reason}: {'; '.join(self.looked_at)}" if self.looked_at and self.reason else ""
        return said or self.reason or "; ".join(self.looked_at)


@record
class WhyNot:
    """Why an operation is as it is behind a run of a pass: the reasons, in the order in which patterns were tried; or
    what there is to say where none was tried. `changed` says that the pass changed it all the same."""

    run: int
    op: int
    reasons: tuple[Reason, ...]
    note: str = ""
    changed: bool = False


def why_not(recording: Recording, run: int, op: int) -> WhyNot:
    """Why a run of a pass left an operation, which is there behind it."""
    made = recording.runs[run]
    refusals = [refusal for refusal in made.refusals if refusal.op == op]
    changed = any(op in step.changed or op in step.made for step in recording.steps_of(run))
    reasons = [_reason(recording, run, refusal) for refusal in refusals]
    if made.tried or made.steps:
        folded = _why_not_folded(recording, run, op)
        reasons = [folded, *reasons] if folded is not None else reasons
    beside = BESIDE_PATTERNS if made.tried or made.steps else ()
    is_explained = any(reason.pattern not in beside for reason in reasons)
    note = "" if is_explained else _nothing_tried(recording, run, op)
    return WhyNot(run, op, tuple(reasons), note, changed)


def told_reasons(journal: Journal, run: int, op: int) -> tuple[Reason, ...]:
    """What patterns, and passes without patterns, said themselves of an operation; for who cannot try them again."""
    told = (refusal for refusal in journal.runs[run].refusals if refusal.op == op)
    return tuple(Reason(refusal.pattern, refusal.reason, undone=refusal.undone) for refusal in told)


def runs_on(recording: Recording, run: int, op: int) -> bool:
    """Whether a run of a pass, which may be one of several, is on an operation of the source or on what is around it:
    no other run is on what begins between."""
    made, place = recording.runs[run], recording.known[op].span
    on = recording.known[made.op].span
    if on is None or place is None:
        return True
    others = (recording.known[other.op].span for other in recording.runs if other.index == made.index)
    return on.start <= place.start and not any(
        other is not None and on.start < other.start <= place.start for other in others
    )


def _nothing_tried(recording: Recording, run: int, op: int) -> str:
    made = recording.runs[run]
    if made.tried or made.steps:
        return f"no pattern of {made.name} is for '{recording.known[op].name}'"
    if made.has_changed:
        if moved := _moved(recording, run, op):
            return f"{made.name} moved it {moved}"
        if any(refusal.rule is None for refusal in made.refusals):
            return f"{made.name} says nothing of this operation"
        return f"{made.name} works without patterns, and says nothing of operations that it leaves"
    return f"{made.name} found nothing to do"


def _moved(recording: Recording, run: int, number: int) -> str:
    """From where to where a run of a pass moved an operation; empty where it stands in what it stood in."""
    before, after = (_around(recording, each, number) for each in (run, run + 1))
    if not before or not after or before[0] == after[0]:
        return ""
    inner, outer = recording.known[after[0]].name, recording.known[before[0]].name
    return f"into the '{inner}'" if before[0] in after else f"out of the '{outer}'"


def _around(recording: Recording, run: int, number: int) -> list[int]:
    """The operations around one, before a run, the innermost first."""
    assembled = recording.before_run(run)
    op = next((op for op, known in assembled.numbers.items() if known == number), None)
    return [assembled.numbers[above] for above in ancestors(op) if above in assembled.numbers] if op is not None else []


def _reason(recording: Recording, run: int, refusal: Refusal) -> Reason:
    """A refusal, with what the pattern looked at where it says nothing."""
    pattern = refusal.rule
    if pattern is None or refusal.undone or refusal.reason != NO_MATCH.reason:
        return Reason(refusal.pattern, refusal.reason, undone=refusal.undone)
    seen = _seen(recording, run, refusal.op, lambda op: _said_no(pattern, op, recording))
    return Reason(refusal.pattern, "" if seen else refusal.reason, seen)


def _why_not_folded(recording: Recording, run: int, number: int) -> Reason | None:
    """What the fold of an operation looked at; None for one that has none."""

    def says_no(op: Operation) -> bool:
        return fold(op) is None

    seen = _seen(recording, run, number, says_no)
    return Reason(FOLD, "", seen) if seen else None


def _said_no(pattern: Pattern, op: Operation, recording: Recording) -> bool:
    """Whether a pattern does not apply."""
    if pattern.types is None:
        rewriter = ListeningRewriter(recording.context, _Silent())
        rewriter.stand_in(op)
        rewriter.set_insertion_before(op)
        return pattern.rewrite(op, op.operands, rewriter) is not None
    converting = ConversionRewriter(recording.context)
    converting.types = pattern.types
    converting.stand_in(op)
    converting.set_insertion_before(op)
    remapped = converting.remap(op.operands)
    if isinstance(remapped, Failure):
        return True
    operands = remapped if pattern.one_to_many else [values[0] for values in remapped]
    return pattern.rewrite(op, operands, converting) is not None


def _seen(recording: Recording, run: int, number: int, says_no: Callable[[Operation], bool]) -> tuple[str, ...]:
    """What is looked at last by what says no to an operation; nothing where it would not, as the pass left it."""
    assembled = recording.before_run(run + 1)
    op = next((op for op, known in assembled.numbers.items() if known == number), None)
    if op is None:
        return ()
    with looking(assembled.module, op) as seen:
        try:
            no = says_no(op)
        except Exception:  # Code that does not bear to be looked at says nothing.
            return ()
    return seen.last(LOOKS) if no else ()


class _Silent:
    """Listens, and does nothing."""

    def inserted(self, op: Operation) -> None: ...

    def modified(self, op: Operation) -> None: ...

    def erased(self, op: Operation) -> None: ...
