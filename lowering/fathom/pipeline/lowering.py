"""A lowering: a pipeline on a module, and all that comes of it.

    lowering = run(pipeline, module, context)
    lowering.failed, lowering.diagnostics        what the passes said
    lowering.verdict(source)                     what that comes to; what was left behind, and what would help
    lowering.translated()                        LLVM IR, with what LLVM says of it

A run stops at the first pass that fails. What costs something is found out when it is asked for: who made what, other
pipelines and LLVM IR.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fathom.budget import MOST_OPERATIONS, Allowance, allowing
from fathom.context import Context
from fathom.diagnostics import LEFTOVERS, PIPELINE, TOO_MANY_OPERATIONS, Diagnostic
from fathom.ir.clone import clone
from fathom.ir.operation import Operation
from fathom.ir.values import place_of
from fathom.irdl.build import NotRegistered
from fathom.irdl.faults import CodeFault
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.modernising.in_memory import modernise_in_memory
from fathom.passes.definition import NestingPass, Pass, TranslatingPass
from fathom.pipeline.language import ROOT, Pipeline
from fathom.pipeline.nested import prepare_in
from fathom.pipeline.observer import Observer
from fathom.pipeline.schedule import NOBODY, Demand, scheduled
from fathom.pipeline.segments import segment
from fathom.records import field, record, replace
from fathom.rewriting.observers import PatternObserver, observed_by
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Span
    from fathom.ir.operation_printer import Locator
    from fathom.passes.history import History
    from fathom.pipeline.makers import Makers
    from fathom.pipeline.repair import Trials
    from fathom.pipeline.verdict import Verdict
    from fathom.translation import Translated
    from fathom.translation.tracking import LineOf

MOST_NESTED_RUNS: Final = 16
"""Passes run inside of others no deeper: a schedule may name the pass that applies it."""

Verifying: TypeAlias = Literal["each", "made", "never"]
"""Of a run, what is verified after each pass: the operation that it ran on; what it made, and everything at the end; or
nothing. What is said of what a pass made is the same."""
Source: TypeAlias = "Callable[[], Operation]"
"""Gives the module as it was before the first pass, which nobody changes."""


@record(frozen=False)
class PassRun:
    """That a pass ran on an operation, and for how many seconds; and how many operations for elements it was to have
    made by then."""

    use: Pass
    seconds: float
    asked: int = 0

    @property
    def name(self) -> str:
        return self.use.name


@record(frozen=False)
class Lowering:
    """What became of a module by the passes of a pipeline, which change it in place: the passes that ran, the last of
    which failed if `diagnostics` holds an error that is fatal. `makers` says which pass made what, if the run was asked
    to remember that."""

    pipeline: Pipeline
    module: Operation
    context: Context
    stages: list[PassRun] = field(default_factory=list[PassRun])
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    makers: Makers | None = None
    is_valid: bool = False
    """Whether the module is known to be valid, since passes ran and it was verified behind the last one."""
    locate: Locator | None = None
    """Where operations come from that do not say so."""
    older: Context | None = None
    """That of the source, where this is of an older edition than the module became."""

    @property
    def failed(self) -> bool:
        return any(diagnostic.severity == "error" and diagnostic.fatal for diagnostic in self.diagnostics)

    @property
    def last_pass(self) -> int:
        """The index in the pipeline of the pass that ran last; the number of passes where none has run."""
        last, passes = self.stages[-1].use if self.stages else None, self.pipeline.passes
        return next((index for index, use in enumerate(passes) if use is last), len(passes))

    def of_copy(self, module: Operation) -> Lowering:
        """The same, of a copy of the module."""
        return replace(self, module=module)

    def continued(self, module: Operation, whole: Pipeline, last: int, verifying: Verifying) -> Lowering:
        """The lowering of a copy of the module by the passes of a pipeline up to the index `last`, of which those of
        this one are the first."""
        first = len(self.pipeline.passes)
        after = run(segment(whole, first, last), module, self.context, verifying=verifying, locate=self.locate)
        diagnostics = _settled([*self.diagnostics, *after.diagnostics], module)
        stages = [*self.stages, *after.stages]
        older = self.older or after.older
        return replace(after, pipeline=segment(whole, 0, last), stages=stages, diagnostics=diagnostics, older=older)

    def history(self, source: Source | None = None) -> History:
        """What is known of the run beside what it left. Of one that did not remember who made what, the source is
        lowered again to find it out, if that is given."""
        from fathom.passes.history import History

        makers = self.makers
        if makers is None and source is not None:
            makers = run(self.pipeline, clone(source()), self.older or self.context, remembers=True).makers
        return History(tuple(self.pipeline.passes), makers.indices if makers is not None else {}, self.pipeline.nests)

    def trials(self, source: Source) -> Trials:
        """Other pipelines for the source."""
        from fathom.passes.leftovers import places_left

        return trials(self.pipeline, source, self.older or self.context, lambda: places_left(self.module))

    def verdict(self, source: Source | None = None) -> Verdict:
        """What a lowering that was to reach the LLVM dialect came to. With the source it is looked for what would leave
        less; else no change of the pipeline is advised."""
        from fathom.pipeline.verdict import verdict_of

        return verdict_of(self, source)

    def translated(
        self,
        inner: Operation | None = None,
        *,
        shown: int | None = None,
        locate: Locator | None = None,
        machine_layout: str = "",
        tracked: LineOf | None = None,
        in_parts: bool = False,
    ) -> Translated:
        """LLVM IR, of a module that has come to be all LLVM dialect, or of one inside of it. Of what it does not say it
        is warned. With `shown`, so many characters of each constant are enough. `locate` is that of the lowering if it
        is left out. Sizes are folded by the `machine_layout` where the module has no data layout. Where
        `tracked` tells the lines of offsets of the source, what is made of it can be followed back. It is given
        `in_parts` too if that is asked for."""
        from fathom.translation import translated

        return translated(
            inner or self.module,
            shown=shown,
            context=self.context,
            locate=locate or self.locate,
            machine_layout=machine_layout,
            tracked=tracked,
            in_parts=in_parts,
        )


def _again(context: Context) -> Callable[[Pipeline, Operation], Lowering]:
    """How other pipelines are tried."""
    return lambda pipeline, module: run(pipeline, module, context, remembers=True)


def trials(
    pipeline: Pipeline, source: Source, context: Context, left: Callable[[], Sequence[Span]], *, functions: int = 0
) -> Trials:
    """Other pipelines for a source, of at least so many functions, of which a pipeline left what stands at these
    places."""
    from fathom.pipeline.repair import Trials

    return Trials(pipeline, source, _again(context), left, functions)


def corrected(pipeline: Pipeline, module: Operation, context: Context) -> Pipeline | None:
    """The corrected pipeline for a module, which is not changed; None where no change of passes would help."""
    from fathom.pipeline.repair import Trials

    return Trials(pipeline, lambda: module, _again(context)).corrected


def run(
    pipeline: Pipeline,
    module: Operation,
    context: Context,
    *,
    observers: Sequence[Observer] = (),
    verifying: Verifying = "made",
    remembers: bool = False,
    locate: Locator | None = None,
    most_operations: int = MOST_OPERATIONS,
    depth: int = 0,
    demand: Demand = NOBODY,
) -> Lowering:
    """Runs the passes on `module`, which they change in place. None of them makes more operations than
    `most_operations` for the elements of vectors and the like; where one would have to, it fails at the operation.

    `observers` look on, those that are observers of patterns at these too. Where what a pass made is not valid, by what
    is to be verified, the run stops. A module of an older edition becomes one of MLIR 22 before. With `remembers` it is
    noted which pass made what. `locate` says where operations come from, for passes that show it. `depth` is in how
    many passes that run others this stands. `demand` says which passes others need that stand beside, and hears which
    are needed here.
    """
    lowering = Lowering(pipeline, module, context, locate=locate)
    if pipeline.errors:
        lowering.diagnostics += [Diagnostic(error, code=PIPELINE) for error in pipeline.errors]
        return lowering
    if pipeline.root.anchor not in (*ROOT, module.name):
        message = f"can't run '{pipeline.root.anchor}' pass manager on '{module.name}' op"
        lowering.diagnostics.append(Diagnostic(message, module.span, code=PIPELINE))
        return lowering
    if not pipeline.root.items:
        return lowering
    if context.edition is not None:
        lowering.diagnostics += modernise_in_memory(module, context)
        lowering.older, lowering.context = context, context.newest
        context = context.newest
        if lowering.failed:
            return lowering
    if remembers:
        from fathom.pipeline.makers import Makers

        lowering.makers = Makers(pipeline.passes, module)
        observers = [*observers, lowering.makers]
    after_pass, at_end = _checks(verifying, module, context)
    of_patterns = [observer for observer in observers if isinstance(observer, PatternObserver)]
    allowances: dict[int, Allowance] = {}
    for use, op in scheduled(pipeline.root.items, module, demand):
        checkpoint()
        if (unfit := _unfit(op)) is not None:
            lowering.diagnostics.append(unfit)
            break
        if use.shows_locations and locate is not None:
            _note_locations(op, locate)
        for observer in observers:
            observer.before_pass(use, op)
        allowance = allowances.setdefault(id(use), Allowance(most_operations))
        start = perf_counter()
        with observed_by(of_patterns):
            said = run_pass(use, op, context, allowance, depth)
        lowering.stages.append(PassRun(use, perf_counter() - start, allowance.asked))
        lowering.diagnostics += said
        if not lowering.failed:
            lowering.diagnostics += after_pass(op)
        for observer in reversed(observers):
            observer.after_pass(use, op, failed=lowering.failed)
        if lowering.failed:
            break
    if lowering.stages and not lowering.failed:
        said, lowering.is_valid = at_end()
        lowering.diagnostics += said
    lowering.diagnostics = _settled(lowering.diagnostics, module)
    return lowering


_AfterPass: TypeAlias = "Callable[[Operation], list[Diagnostic]]"
_AtEnd: TypeAlias = "Callable[[], tuple[list[Diagnostic], bool]]"


def _checks(verifying: Verifying, module: Operation, context: Context) -> tuple[_AfterPass, _AtEnd]:
    """What is verified after a pass, of the operation that it ran on, and at the end: with the second comes whether
    nothing at all is wrong."""
    if verifying == "made":
        from fathom.verify.made import Made

        made = Made(module, context)
        return made.after_pass, made.at_end
    if verifying == "never":
        return lambda _op: [], lambda: ([], False)
    from fathom.verify import verify
    from fathom.verify.kinds import SeenKinds

    kinds = SeenKinds(context)

    def verified(op: Operation) -> list[Diagnostic]:
        diagnostics = verify(op, context=context, likeness=kinds)
        kinds.forget_erased()
        return diagnostics

    return verified, lambda: ([], False)


def _unfit(op: Operation) -> Diagnostic | None:
    """That no pass can run on an operation."""
    if op.has(ISOLATED_FROM_ABOVE):
        return None
    unfit = "an operation not marked as 'IsolatedFromAbove'" if op.definition else "an unregistered operation"
    return Diagnostic(f"'{op.name}' op trying to schedule a pass on {unfit}", op.span, code=PIPELINE)


def _note_locations(op: Operation, locate: Locator) -> None:
    for inner in op.walk():
        inner.location = locate(inner)
        for argument in (a for region in inner.regions for block in region.blocks for a in block.arguments):
            argument.location = locate(argument)


def run_pass(use: Pass, op: Operation, context: Context, allowance: Allowance, depth: int = 0) -> list[Diagnostic]:
    """Runs a pass on an operation, which it changes; what it says. It runs inside of so many others."""

    def nested(pipeline: Pipeline, inner: Operation) -> list[Diagnostic]:
        if depth == MOST_NESTED_RUNS:
            return [Diagnostic(f"passes run inside of passes, {depth} deep", inner.span, code=PIPELINE, op=inner)]
        most = allowance.most
        return run(pipeline, inner, context, verifying="each", most_operations=most, depth=depth + 1).diagnostics

    try:
        with allowing(allowance):
            match use:
                case TranslatingPass():
                    diagnostics = use.run_with(op, context, _translate)
                case NestingPass():
                    diagnostics = use.run_with(op, context, prepare_in(context, nested))
                case _:
                    diagnostics = use.run(op, context)
    except NotRegistered as missing:
        message = f"the pass {use.name} makes '{missing.name}', which no dialect here defines"
        return [Diagnostic(message, op.span, code=PIPELINE)]
    except CodeFault as fault:
        return [fault.diagnostic]
    return _without_refused(diagnostics, allowance)


def _translate(op: Operation, context: Context) -> tuple[str | None, Sequence[Diagnostic]]:
    """LLVM IR for what a pass asks about."""
    from fathom.translation import translated

    result = translated(op, complete=True, context=context)
    return result.text, result.told


def _without_refused(diagnostics: list[Diagnostic], allowance: Allowance) -> list[Diagnostic]:
    """What a pass said, and what it was refused instead of what it said of that. Where another way was found in its
    place, the operation is gone."""
    if not allowance.refused:
        return diagnostics
    refused = {op: why for op, why in allowance.refused.items() if isinstance(op, Operation) and op.parent is not None}
    allowance.refused.clear()
    said = [
        Diagnostic(f"'{op.name}' op is not lowered: {why}", op.span, code=TOO_MANY_OPERATIONS, op=op)
        for op, why in refused.items()
    ]
    places = {place_of(op.span) for op in refused if op.span is not None}
    return [
        *said,
        *(
            diagnostic
            for diagnostic in diagnostics
            if diagnostic.op not in refused and place_of(diagnostic.span) not in places
        ),
    ]


def _settled(diagnostics: list[Diagnostic], module: Operation) -> list[Diagnostic]:
    """What passes said, without what they left behind and another one lowered after them."""
    if not any(map(_is_of_leftover, diagnostics)):
        return diagnostics
    left = {place_of(op.span) for op in module.walk() if op.dialect != "llvm"}
    return [
        diagnostic for diagnostic in diagnostics if place_of(diagnostic.span) in left or not _is_of_leftover(diagnostic)
    ]


def _is_of_leftover(diagnostic: Diagnostic) -> bool:
    return diagnostic.code in LEFTOVERS and diagnostic.severity == "warning" and diagnostic.span is not None
