"""The first step of a pass that changes what a function does: a pattern that applies, a fold, an operation that goes.

A pass is replayed on copies of the module before it, each time with more or fewer of its steps (`Gate`). What a pass
does that is no step of a driver, as `cse` replaces operations, cannot be told apart in this way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

from fathom.bisecting.stages import Stage, Went, applied
from fathom.records import record
from fathom.rewriting.observers import Gate

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation, Span
    from fathom.rewriting.observers import Effect
    from fathom.rewriting.pattern import Pattern

Kind: TypeAlias = Literal["pattern", "fold", "removal", "simplification"]


@record(eq=False)
class Step:
    """The step numbered `number`, from 1 on, of `count`: what kind it is of, the name of the pattern, if it is one, and
    the operation that it was on, with the place in the source that this came from. Where steps before it cannot be told
    apart from it, it is one of those from `first` on."""

    number: int
    count: int
    first: int
    kind: Kind
    pattern: str
    op: str
    span: Span | None


class _Noting(Gate):
    """Notes what its last step was."""

    def __init__(self, most: int | None = None) -> None:
        super().__init__(most)
        self.last: tuple[Kind, str, str, Span | None] | None = None
        self.trying: tuple[str, str, Span | None] | None = None
        """The pattern that is at work, and what it is tried on."""
        self._tried: tuple[str, Span | None] = ("", None)

    def tried(self, pattern: Pattern, op: Operation) -> None:
        self.trying = pattern.name, op.name, op.span
        if not self.nested:
            self._tried = op.name, op.span

    def refused(self, pattern: Pattern, op: Operation, reason: str) -> None:
        self.trying = None

    def applied(self, pattern: Pattern, op: Operation, effect: Effect) -> None:
        self.trying = None
        self._note("pattern", pattern.name, *self._tried)
        super().applied(pattern, op, effect)

    def folded(self, op: Operation, effect: Effect) -> None:
        self._note("fold", "", op.name, op.span)
        super().folded(op, effect)

    def dropped(self, op: Operation) -> None:
        self._note("removal", "", op.name, op.span)
        super().dropped(op)

    def simplified(self, effect: Effect) -> None:
        touched = next(iter((*effect.gone, *effect.changed, *effect.made)), None)
        self._note("simplification", "", touched.name if touched else "", touched.span if touched else None)
        super().simplified(effect)

    def _note(self, kind: Kind, pattern: str, name: str, span: Span | None) -> None:
        if not self.nested and self.is_open:
            self.last = kind, pattern, name, span


def first_step(stage: Stage, context: Context, is_wrong: Callable[[Went], bool | None]) -> Step | None:
    """The first step of a pass after which something is wrong, as `is_wrong` says of what the pass left; None of that
    is not known. None where no step makes a difference.

    It is looked for by bisection: what is wrong after some steps is taken to be wrong after more.
    """
    gate = _Noting()
    whole = applied(stage, context, [gate])
    count = gate.count
    if gate.trying is not None:
        # It ended while a pattern was at work.
        return Step(count + 1, count + 1, count + 1, "pattern", *gate.trying)
    if not count or is_wrong(whole) is not True:
        return None
    good, bad = 0, count
    if is_wrong(_after(stage, context, 0)) is True:
        return None
    unknown: set[int] = set()
    while True:
        between = [number for number in range(good + 1, bad) if number not in unknown]
        if not between:
            break
        middle = between[len(between) // 2]
        wrong = is_wrong(_after(stage, context, middle))
        if wrong is None:
            unknown.add(middle)
        elif wrong:
            bad = middle
        else:
            good = middle
    gate = _Noting(bad)
    applied(stage, context, [gate])
    if gate.last is None:
        return None
    return Step(bad, count, good + 1, *gate.last)


def _after(stage: Stage, context: Context, steps: int) -> Went:
    """What there is after some steps. That a conversion cannot make the rest legal is no trouble by itself."""
    went = applied(stage, context, [Gate(steps)])
    return Went(went.module, None, went.messages) if went.trouble in ("error", "invalid") else went
