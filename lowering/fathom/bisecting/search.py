"""The search: the function is called at each stage of a pipeline, the first pass is named after which it does something
else, then the first of its steps, and the text is made as small as still shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.bisecting.stages import Stage, Trouble, Went, stages
from fathom.bisecting.steps import Step, first_step
from fathom.bisecting.ways import Call, by_lowering
from fathom.execution import Limits, RunOutcome, Worker
from fathom.inputs.loading import Loading
from fathom.ir.clone import clone
from fathom.irdl.interfaces import symbol_name
from fathom.messages.source import Source
from fathom.pipeline.defaults import whole_lowering
from fathom.programs.behaviour import Behaviour
from fathom.programs.interpreted import by_interpreting
from fathom.programs.preparing import Part, Unprepared, cut
from fathom.records import record
from fathom.reducing import Bounds, Reduced, reduce

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.execution import Json
    from fathom.ir.operation import Operation
    from fathom.pipeline.language import Pipeline
    from fathom.reducing.outline import Node


MUCH_MORE: Final = 100
FEW_STEPS: Final = 10_000
"""A program that takes so many times the operations of the source, and these besides, is taken not to end."""


@record(eq=False)
class Question:
    """What is looked for: what the function `entry` does with `arguments`, by `pipeline` (None: lower-to-llvm).

    `expected` are its results, if somebody knows them; else the source says what is right. Numbers with a fraction may
    differ by `tolerance`. `bounds` are those of the reduction; None for no reduction.
    """

    entry: str
    arguments: Sequence[Json]
    pipeline: Pipeline | None = None
    expected: tuple[Json, ...] | None = None
    tolerance: float = 0.0
    limits: Limits = Limits()
    libraries: Sequence[str] = ()
    bounds: Bounds | None = Bounds(tests=400, seconds=120.0)


@record(eq=False)
class Guilty:
    """The pass after which the function does something else, or with which something is wrong by itself: `trouble`, in
    the words of `message`. `before` and `after` are what it did."""

    stage: Stage
    before: Behaviour
    after: Behaviour
    trouble: Trouble | None = None
    message: str = ""


@record(eq=False)
class Found:
    """What came of a search: what the function does at the source and after each pass that ran, by name; the guilty
    pass, if there is one, the first of its steps that makes the difference, and the smallest text that was found."""

    reference: Behaviour
    after: tuple[tuple[str, Behaviour], ...]
    guilty: Guilty | None = None
    step: Step | None = None
    reduced: Reduced | None = None


def bisect(source: Source, question: Question, context: Context) -> Found | Unprepared:
    """Looks for the pass that breaks a function. What stands in the way of running it at all is an `Unprepared`."""
    part = cut(source, question.entry, Loading(context=context))
    if isinstance(part, Unprepared):
        return part
    with Worker() as worker:
        search = _Search(question, Call(question.arguments, worker, question.limits, question.libraries), context)
        found = search.guilty_in(part)
        if found.guilty is None:
            return found
        step = search.step_of(found.guilty, part)
        reduced = search.reduced(source, found.guilty) if question.bounds is not None else None
        return Found(found.reference, found.after, found.guilty, step, reduced)


class _Search:
    def __init__(self, question: Question, call: Call, context: Context) -> None:
        self.question = question
        self.call = call
        self.context = context
        self._most_steps: int | None = None
        self.pipeline = question.pipeline or whole_lowering(context.find_pass)

    def behaviour(self, module: Operation, part: Part) -> Behaviour:
        """What the function does at a stage, by the way that fewest passes have part in."""
        if all(op.dialect in ("llvm", "builtin") for op in module.walk()):
            return by_lowering(module, part, self.call)
        interpreted = by_interpreting(module, part, self.call.arguments, self._most_steps)
        return interpreted if interpreted.is_known else by_lowering(module, part, self.call)

    def guilty_in(self, part: Part) -> Found:
        """The first pass after which the function does something else."""
        module = clone(part.module)
        reference = self._reference(module, part)
        if reference.steps:
            self._most_steps = MUCH_MORE * reference.steps + FEW_STEPS
        known: list[tuple[str, Behaviour]] = []
        before = reference
        for stage, went in stages(self.pipeline, module, self.context):
            after = self.behaviour(module, part) if went.trouble is None else before
            known.append((stage.name, after))
            if went.trouble is not None or not after.agrees_with(reference, self.question.tolerance):
                guilty = Guilty(stage, before, after, went.trouble, went.message)
                return Found(reference, tuple(known), guilty)
            before = after if after.is_known else before
        return Found(reference, tuple(known))

    def _reference(self, module: Operation, part: Part) -> Behaviour:
        at_source = self.behaviour(module, part)
        if self.question.expected is None:
            return at_source
        said = at_source.outcome
        return Behaviour(RunOutcome(None, self.question.expected, said.arguments, stdout=said.stdout), "expected")

    def step_of(self, guilty: Guilty, part: Part) -> Step | None:
        """The first step of the guilty pass that makes the difference."""

        def is_wrong(went: Went) -> bool | None:
            if guilty.trouble is not None:
                return went.says(guilty.message)
            if went.trouble is not None:
                return None
            after = self.behaviour(went.module, part)
            return None if not after.is_known else not after.agrees_with(guilty.before, self.question.tolerance)

        return first_step(guilty.stage, self.context, is_wrong)

    def reduced(self, source: Source, guilty: Guilty) -> Reduced | None:
        """The smallest text in which the pass still changes what the function does, or has the same trouble."""

        def shows(text: str) -> bool:
            part = cut(Source(source.name, text), self.question.entry, Loading(context=self.context))
            return isinstance(part, Part) and self._shows(part, guilty)

        def is_entry(node: Node) -> bool:
            return symbol_name(node.op) == guilty_entry

        guilty_entry = self.question.entry.rpartition("@")[2].rpartition(":")[2]
        return reduce(source.text, shows, self.context, self.question.bounds, keeps=is_entry)

    def _shows(self, part: Part, guilty: Guilty) -> bool:
        """Whether the guilty pass is guilty of a part as well."""
        module = clone(part.module)
        for stage, went in stages(self.pipeline, module, self.context):
            if stage.name != guilty.stage.name:
                if went.trouble is not None:
                    return False
                continue
            if guilty.trouble is not None or went.trouble is not None:
                if went.trouble is not None:
                    return went.trouble == guilty.trouble
                continue
            before, after = self.behaviour(stage.before, part), self.behaviour(module, part)
            if not (before.is_known and after.is_known):
                return False
            has_failed = guilty.before.outcome.failure is not None
            if (before.outcome.failure is not None) == has_failed and not before.agrees_with(
                after, self.question.tolerance
            ):
                return True
        return False
