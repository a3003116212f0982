"""The observer that records a run.

While a pass runs, it notes steps by the numbers of operations. Behind the pass it compares each operation with what it
was before: what no step accounts for, the pass did by itself. What has not changed is not copied.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Final

from fathom.irdl.interfaces import symbol_name
from fathom.pipeline.observer import Observer
from fathom.recording.ancestry import parents_of
from fathom.recording.history import History
from fathom.recording.recording import PassRecord, Recording, Refusal, Step
from fathom.records import replace
from fathom.rewriting.observers import Gate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fathom.context import Context
    from fathom.ir.operation import Operation, Value
    from fathom.passes.definition import Pass
    from fathom.pipeline.language import Pipeline
    from fathom.recording.history import Compared
    from fathom.recording.numbers import Numbers
    from fathom.recording.recording import Kind
    from fathom.rewriting.observers import Effect
    from fathom.rewriting.pattern import Pattern

MOST_STEPS: Final = 400_000
"""So many steps are kept of a run. Of what comes after, only the stages are known."""


class Watcher(Gate):
    """Notes the steps of a pass, up to the last that may happen."""

    def __init__(self, numbers: Numbers, most: int | None = None, run: int = 0) -> None:
        super().__init__(most)
        self.numbers = numbers
        self.run = run
        self.steps: list[Step] = []
        self.tries = 0
        self.lost = 0
        self.refusals: dict[tuple[int, str], Refusal] = {}
        self.going: set[int] = set()
        """The operations of which something is told though the pass takes them away."""
        self.room = MOST_STEPS

    def refused(self, pattern: Pattern, op: Operation, reason: str) -> None:
        if not self.is_open:
            return
        self.tries += 1
        self._note_refusal(self.numbers[op], pattern.name, reason, pattern)

    def left(self, op: Operation, what: str, reason: str, *, goes: bool = False) -> None:
        if self.is_open:
            self._note_refusal(self.numbers[op], what, reason)
            if goes:
                self.going.add(self.numbers[op])

    def _note_refusal(
        self, number: int, name: str, reason: str, rule: Pattern | None = None, *, undone: bool = False
    ) -> None:
        key = number, name
        known = self.refusals.get(key)
        times = known.times + 1 if known else 1
        self.refusals[key] = Refusal(number, name, reason, times, undone, rule)

    def applied(self, pattern: Pattern, op: Operation, effect: Effect) -> None:
        self.tries += 1
        self._add("pattern", pattern.name, self.numbers[op], effect)
        super().applied(pattern, op, effect)

    def undone(self, pattern: Pattern, op: Operation, reason: str) -> None:
        super().undone(pattern, op, reason)
        number = self.numbers[op]
        for index in range(len(self.steps) - 1, -1, -1):
            step = self.steps[index]
            if step.root == number and step.depth == self.nested and step.pattern == pattern.name:
                del self.steps[index:]
                break
        self._note_refusal(number, pattern.name, reason, pattern, undone=True)

    def folded(self, op: Operation, effect: Effect) -> None:
        self._add("fold", "", self.numbers[op], effect)
        super().folded(op, effect)

    def dropped(self, op: Operation) -> None:
        if self.is_open:
            self._add_step("removal", "", self.numbers[op], (), (), self.numbers.of(op.walk()))
        super().dropped(op)

    def simplified(self, effect: Effect) -> None:
        self._add("simplification", "", None, effect)
        super().simplified(effect)

    def settled(self, effect: Effect) -> None:
        self._add("settling", "", None, effect)

    def _add(self, kind: Kind, pattern: str, root: int | None, effect: Effect) -> None:
        numbers = self.numbers
        made = numbers.of_new(effect.made)
        self._add_step(kind, pattern, root, made, numbers.of(effect.changed), numbers.of(effect.gone))

    def _add_step(
        self,
        kind: Kind,
        pattern: str,
        root: int | None,
        made: tuple[int, ...],
        changed: tuple[int, ...],
        gone: tuple[int, ...],
    ) -> None:
        if len(self.steps) >= self.room:
            self.lost += 1
            return
        # That constants become one cannot be kept from happening when no step may.
        is_step = kind != "settling" and self.is_open
        number = self.count + (self.nested == 0) if is_step else 0
        self.steps.append(Step(self.run, number, self.nested, kind, pattern, root, made, changed, gone))


class Recorder(Watcher, Observer):
    """Records a run of a pipeline on a module, which has not begun."""

    def __init__(self, pipeline: Pipeline, module: Operation, context: Context) -> None:
        history = History(module)
        self.recording = Recording(pipeline, context, history)
        super().__init__(self.recording.numbers)
        self._index_of = {id(use): index for index, use in reversed(list(enumerate(pipeline.passes)))}
        self._before: list[Operation] = []
        self._begun = 0.0
        self.recording.source = self.numbers.of(history.compare(module, -1).now)

    def before_pass(self, use: Pass, op: Operation) -> None:
        recording = self.recording
        self._before = list(op.walk())
        self.run, self.count, self.tries, self.lost = len(recording.runs), 0, 0, 0
        self.steps, self.refusals, self.going, self.room = [], {}, set(), MOST_STEPS - len(recording.steps)
        made = PassRecord(
            use.name, use.spelled_options, self._index_of.get(id(use), 0), self.numbers[op], symbol_name(op)
        )
        made.use, made.before = use, len(self._before)
        made.next_number = self.numbers.next
        recording.runs.append(made)
        self._begun = perf_counter()

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        recording, run = self.recording, self.recording.runs[-1]
        run.seconds = perf_counter() - self._begun
        compared = recording.history.compare(op, self.run)
        now = compared.now
        run.after, run.failed, run.tried, run.lost = len(now), failed, self.tries, self.lost
        run.steps = self.count
        run.has_changed = compared.is_another
        if compared.is_another:
            self._account_for(compared)
        run.first_step = len(recording.steps)
        recording.steps += self.steps
        run.last_step = len(recording.steps)
        if self.refusals:
            here = self.going.union(self.numbers.of(now))
            run.refusals = tuple(refusal for refusal in self.refusals.values() if refusal.op in here)
        self.steps, self.refusals, self._before = [], {}, []

    def _account_for(self, compared: Compared) -> None:
        """Notes what no step accounts for as a step of its own, and what each operation was made of."""
        numbers = self.numbers
        here = set(compared.now)
        came = set(numbers.of(compared.came))
        went = [numbers[op] for op in self._before if op not in here]
        made_by_steps: set[int] = set()
        touched: set[int] = set()
        takers: dict[int, int] = {}
        for index, step in enumerate(self.steps):
            made_by_steps.update(step.made)
            touched.update(step.changed)
            touched.update(step.gone)
            takers.update(dict.fromkeys(step.gone, index))
        by_itself = tuple(sorted(came - made_by_steps))
        gone = tuple(number for number in went if number not in touched)
        changed = [op for op in compared.changed if numbers[op] not in touched]
        rest = self._given_other_operands({op: compared.changed[op] for op in changed}, takers)
        if by_itself or rest or gone:
            self.steps.append(Step(self.run, 0, 0, "pass", "", None, by_itself, rest, gone))
        if came:
            before = numbers.of(self._before)
            self.recording.parents.update(parents_of(self.steps, came, before, went, self.recording.known))

    def _given_other_operands(
        self, changed: Mapping[Operation, Sequence[Value]], takers: Mapping[int, int]
    ) -> tuple[int, ...]:
        """Counts operations that no step changed itself among those that were changed by the step which took away what
        gave them an operand: a conversion does that at its end. Those of which that cannot be said are given back."""
        numbers = self.numbers
        further: dict[int, list[int]] = {}
        rest: list[int] = []
        for op, operands in changed.items():
            definers = (operand.defining_op for operand in operands if operand not in op.operands)
            found = (takers.get(numbers[definer]) for definer in definers if definer is not None)
            taker = next((index for index in found if index is not None), None)
            if taker is None:
                rest.append(numbers[op])
            else:
                further.setdefault(taker, []).append(numbers[op])
        for index, more in further.items():
            step = self.steps[index]
            self.steps[index] = replace(step, changed=(*step.changed, *more))
        return tuple(rest)
