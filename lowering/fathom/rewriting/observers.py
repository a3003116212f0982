"""Who looks on while patterns are tried: what each was tried on, what it made, or why it did not apply.

    with observed_by([observer]):
        use.run(module, context)

The drivers ask once whether anybody looks on. If so, what they call to try a pattern and to fold is put in a wrapper
that tells of it (`Watch`); else they call it as it is, so that to look on costs nothing when nobody does.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from threading import local
from typing import TYPE_CHECKING, Final, ParamSpec, TypeAlias, TypeVar

from fathom.budget import MOST_OPERATIONS, Allowance
from fathom.records import record, replace
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.listening_rewriter import Listener, ListeningRewriter
    from fathom.rewriting.pattern import Pattern

STOPPED: Final = Failure("no more steps may happen")


@record
class Effect:
    """What was done: the operations that were made, casts of a dialect conversion among them; those that were changed
    in place; and those that went. In a dialect conversion these stay where they are until its end."""

    made: tuple[Operation, ...] = ()
    changed: tuple[Operation, ...] = ()
    gone: tuple[Operation, ...] = ()


class PatternObserver:
    """Looks on and does nothing; what an observer is interested in it overrides. Operations are not to be changed."""

    def tried(self, pattern: Pattern, op: Operation) -> None:
        """A pattern is about to be tried on `op`, which is as the pattern will read it."""

    def refused(self, pattern: Pattern, op: Operation, reason: str) -> None:
        """The pattern that was tried last does not apply."""

    def applied(self, pattern: Pattern, op: Operation, effect: Effect) -> None:
        """The pattern that was tried last applied. In a dialect conversion what it made is made legal next."""

    def undone(self, pattern: Pattern, op: Operation, reason: str) -> None:
        """What a pattern made could not be made legal: all is as it was before the pattern was tried on `op`."""

    def folded(self, op: Operation, effect: Effect) -> None:
        """`op` was folded: it is gone, with constants in its place, or changed itself."""

    def dropped(self, op: Operation) -> None:
        """`op` is about to go, since nothing needs it."""

    def simplified(self, effect: Effect) -> None:
        """What no pattern does was done: equal constants became one, blocks went or were joined."""

    def left(self, op: Operation, what: str, reason: str, *, goes: bool = False) -> None:
        """A pass that works without patterns, or a part of a driver that does, leaves `op`: `what` it did not do with
        that, in a word or two, and why. With `goes` that is said of one which the pass takes away all the same."""

    def settled(self, effect: Effect) -> None:
        """A dialect conversion came to its end. Casts were made between what it converted and what it did not, or what
        stands for them; those that cancel out went."""


class Gate(PatternObserver):
    """Lets a number of steps happen and no more, so that one can see what each of them does. A step is a pattern that
    applies, with all that is made legal after it; a fold; an operation that goes; or a simplification that changes
    something. What happens afterwards is as if nothing applied. None lets all of them happen; without `folds`,
    all but these.
    """

    def __init__(self, most: int | None = None, *, folds: bool = True) -> None:
        self.most = most
        self.folds = folds
        self.count = 0
        """How many steps there were."""
        self.nested = 0
        """How many steps are under way in which others happen."""

    @property
    def is_open(self) -> bool:
        """Whether another step may happen. One that began goes to its end."""
        return self.nested > 0 or self.most is None or self.count < self.most

    def applied(self, pattern: Pattern, op: Operation, effect: Effect) -> None:
        self._step()

    def undone(self, pattern: Pattern, op: Operation, reason: str) -> None:
        self.count -= self.nested == 0

    def folded(self, op: Operation, effect: Effect) -> None:
        self._step()

    def dropped(self, op: Operation) -> None:
        self._step()

    def simplified(self, effect: Effect) -> None:
        self._step()

    def _step(self) -> None:
        # That constants become one cannot be kept from happening, and is no step then.
        self.count += self.nested == 0 and self.is_open


class _Here(local):
    """Who looks on in this thread."""

    watch: Watch | None = None


_HERE: Final = _Here()


@contextmanager
def observed_by(observers: Sequence[PatternObserver]) -> Generator[None, None, None]:
    """Has observers look on at what runs inside."""
    before, _HERE.watch = _HERE.watch, Watch(observers) if observers else None
    try:
        yield
    finally:
        _HERE.watch = before


def watching() -> Watch | None:
    """What tells of patterns, if anybody looks on."""
    return _HERE.watch


def explaining() -> Watch | None:
    """What is told why operations are left, if anybody wants to know that."""
    watch = _HERE.watch
    return watch if watch is not None and watch.wants_reasons else None


_P = ParamSpec("_P")
_T = TypeVar("_T")
_Patterns: TypeAlias = "Callable[[str], Sequence[Pattern]]"
_Rewrite: TypeAlias = "Callable[[Operation, Pattern], str | None]"
_Legalize: TypeAlias = "Callable[[Operation], str | None]"
_ReplaceBy: TypeAlias = "Callable[[Operation, Sequence[Value | Attribute]], bool]"


class Watch:
    """Tells observers of what is done."""

    def __init__(self, observers: Sequence[PatternObserver]) -> None:
        self._observers = observers
        self._gates = [observer for observer in observers if isinstance(observer, Gate)]
        self.wants_reasons = any(type(observer).left is not PatternObserver.left for observer in observers)
        self.effort = Allowance(MOST_OPERATIONS // 8)
        """How much may be worked out, over all, of why something is not done."""
        self._applied: dict[Operation, Pattern] = {}
        """The patterns of which it is not known yet whether what they made can be made legal."""

    def _may_go_on(self) -> bool:
        """Whether something may be done, as far as anybody says."""
        return all(gate.is_open for gate in self._gates)

    def _may_fold(self) -> bool:
        return all(gate.is_open and gate.folds for gate in self._gates)

    @contextmanager
    def _as_one_step(self) -> Generator[None, None, None]:
        """What happens inside belongs to the step that it is done in."""
        for gate in self._gates:
            gate.nested += 1
        try:
            yield
        finally:
            for gate in self._gates:
                gate.nested -= 1

    # Where no patterns are.

    def left(self, op: Operation, what: str, reason: str, *, goes: bool = False) -> None:
        """Says why an operation is left, which is known by then; who asks for reasons makes them for nobody else."""
        for observer in self._observers:
            observer.left(op, what, reason, goes=goes)

    # In the greedy driver.

    def patterns(self, of: _Patterns) -> _Patterns:
        """The patterns, such as tell of themselves."""
        known: dict[Pattern, Pattern] = {}

        def watched(name: str) -> Iterator[Pattern]:
            for pattern in of(name):
                if pattern not in known:
                    known[pattern] = self._pattern(pattern)
                yield known[pattern]

        return lambda name: list(watched(name))

    def _pattern(self, pattern: Pattern) -> Pattern:
        def rewrite(op: Operation, operands: Sequence[Value], rewriter: ListeningRewriter) -> Failure | None:
            if not self._may_go_on():
                return STOPPED
            for observer in self._observers:
                observer.tried(pattern, op)
            with _noting(rewriter) as noted:
                failure = pattern.rewrite(op, operands, rewriter)
            for observer in self._observers:
                if failure is None:
                    observer.applied(pattern, op, noted.effect)
                else:
                    observer.refused(pattern, op, failure.reason)
            return failure

        return replace(pattern, rewrite=rewrite)

    def fold(self, fold: Callable[[Operation], bool], rewriter: ListeningRewriter) -> Callable[[Operation], bool]:
        """Of a function that folds an operation, if it can."""

        def watched(op: Operation) -> bool:
            if not self._may_fold():
                return False
            with _noting(rewriter) as noted:
                has_folded = fold(op)
            for observer in self._observers if has_folded else ():
                observer.folded(op, noted.effect)
            return has_folded

        return watched

    def simplify(
        self, simplify: Callable[_P, _T], rewriter: ListeningRewriter, otherwise: _T | None = None
    ) -> Callable[_P, _T]:
        """Of a function that changes something, but not by patterns; and what it gives where it may not, unless it does
        more than that."""

        def watched(*arguments: _P.args, **named: _P.kwargs) -> _T:
            if otherwise is not None and not self._may_go_on():
                return otherwise
            with _noting(rewriter) as noted:
                result = simplify(*arguments, **named)
            if noted.effect != Effect():
                for observer in self._observers:
                    observer.simplified(noted.effect)
            return result

        return watched

    def erase(self, erase: Callable[[Operation], None]) -> Callable[[Operation], None]:
        """Of a function that erases what nothing needs."""

        def watched(op: Operation) -> None:
            if not self._may_go_on():
                return
            for observer in self._observers:
                observer.dropped(op)
            erase(op)

        return watched

    # In a dialect conversion.

    def rewrite(self, rewrite: _Rewrite, rewriter: ConversionRewriter) -> _Rewrite:
        """Of a function that tries a pattern, and returns the reason if it does not apply."""

        def watched(op: Operation, pattern: Pattern) -> str | None:
            if not self._may_go_on():
                return STOPPED.reason
            for observer in self._observers:
                observer.tried(pattern, op)
            before = rewriter.checkpoint()
            reason = rewrite(op, pattern)
            if reason is None:
                self._applied[op] = pattern
            for observer in self._observers:
                if reason is None:
                    observer.applied(pattern, op, rewriter.effect_since(before))
                else:
                    observer.refused(pattern, op, reason)
            return reason

        return watched

    def legalize(self, legalize: _Legalize) -> _Legalize:
        """Of a function that makes legal what a pattern made of an operation, and returns the reason if it cannot."""

        def watched(op: Operation) -> str | None:
            with self._as_one_step():
                reason = legalize(op)
            pattern = self._applied.pop(op)
            if reason is not None:
                for observer in self._observers:
                    observer.undone(pattern, op, reason)
            return reason

        return watched

    def replace_by(self, replace_by: _ReplaceBy, rewriter: ConversionRewriter) -> _ReplaceBy:
        """Of a function that replaces an operation by what it folds to, if it can."""

        def watched(op: Operation, folded: Sequence[Value | Attribute]) -> bool:
            if not self._may_fold():
                return False
            before = rewriter.checkpoint()
            with self._as_one_step():
                is_replaced = replace_by(op, folded)
            for observer in self._observers if is_replaced else ():
                observer.folded(op, rewriter.effect_since(before))
            return is_replaced

        return watched

    def settle(self, settle: Callable[[ConversionRewriter], _T]) -> Callable[[ConversionRewriter], _T]:
        """Of a function that ends a conversion."""

        def watched(rewriter: ConversionRewriter) -> _T:
            before = set(rewriter.materializations)
            rewriter.take_changes()
            result = settle(rewriter)
            casts = list(rewriter.materializations)
            made = [
                op for op in (*casts, *rewriter.take_changes().created) if op not in before and op.parent is not None
            ]
            gone = [cast for cast in casts if cast in before and cast.parent is None]
            for observer in self._observers if made or gone else ():
                observer.settled(Effect(tuple(made), (), tuple(gone)))
            return result

        return watched


class _Noted:
    """Notes changes for a listener, and hands them on."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._made: dict[Operation, None] = {}
        self._changed: dict[Operation, None] = {}
        self._gone: dict[Operation, None] = {}

    @property
    def effect(self) -> Effect:
        """What was done. What was made and went again is left out."""
        changed = (op for op in self._changed if op not in self._made and op not in self._gone)
        return Effect(tuple(self._made), tuple(changed), tuple(self._gone))

    def inserted(self, op: Operation) -> None:
        self._made[op] = None
        self._listener.inserted(op)

    def modified(self, op: Operation) -> None:
        self._changed[op] = None
        self._listener.modified(op)

    def erased(self, op: Operation) -> None:
        if op in self._made:
            del self._made[op]
        else:
            self._gone[op] = None
        self._listener.erased(op)


@contextmanager
def _noting(rewriter: ListeningRewriter) -> Generator[_Noted, None, None]:
    """Notes what is done inside."""
    listener = rewriter.listener
    rewriter.listener = noted = _Noted(listener)
    try:
        yield noted
    finally:
        rewriter.listener = listener
