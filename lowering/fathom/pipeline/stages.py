"""Running a pipeline on a module, stage by stage; a run stops at the first pass that fails.

Source of the rules: *Pass Infrastructure*, "Operation Pass" and "Pass Manager".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Literal, TypeAlias

from fathom.budget import MOST_OPERATIONS, Allowance, allowing
from fathom.context import Context
from fathom.diagnostics import LEFTOVERS, PIPELINE, TOO_MANY_OPERATIONS, Diagnostic
from fathom.ir.operation import Operation
from fathom.ir.values import place_of
from fathom.irdl.build import NotRegistered
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.passes.definition import ANY, Pass
from fathom.pipeline.instrumentation import Instrumentation
from fathom.pipeline.language import ROOT, AsNeeded, Item, Nest, Pipeline
from fathom.records import field, record
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation_printer import Locator
    from fathom.passes.definition import Held
    from fathom.verify.kinds import Kinds
    from fathom.verify.made import Made


Verifying: TypeAlias = Literal["each", "made", "never"]
"""Of a run, what is verified after each pass: the operation that it ran on; what it made, and everything at the end; or
nothing. What is said of what a pass made is the same."""


@record(frozen=False)
class PassRun:
    """What one pass did. `text` is the module after it, if the run was asked for texts; `seconds` is the time it
    took."""

    use: Pass
    seconds: float
    text: str | None = None

    @property
    def name(self) -> str:
        return self.use.name


@record(frozen=False)
class PipelineResult:
    """The stages that ran, the last of which failed if `diagnostics` holds an error that is fatal."""

    stages: list[PassRun] = field(default_factory=list[PassRun])
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])

    @property
    def failed(self) -> bool:
        return any(diagnostic.severity == "error" and diagnostic.fatal for diagnostic in self.diagnostics)


def run(
    pipeline: Pipeline,
    module: Operation,
    context: Context,
    *,
    texts: bool = False,
    instrumentation: Sequence[Instrumentation] = (),
    verifying: Verifying = "made",
    locate: Locator | None = None,
    most_operations: int = MOST_OPERATIONS,
) -> PipelineResult:
    """Runs the passes on `module`, which they change in place. None of them makes more operations than
    `most_operations` for the elements of vectors and the like; where one would have to, it fails at the operation.

    `locate` says where operations come from, for passes that show it. `texts` keeps the module's text after each stage;
    `instrumentation` looks on at each pass. Where what a pass made is not valid, by what is to be verified, it stops.
    """
    result = PipelineResult()
    if pipeline.errors:
        result.diagnostics += [Diagnostic(error, code=PIPELINE) for error in pipeline.errors]
        return result
    if pipeline.root.anchor not in (*ROOT, module.name):
        message = f"can't run '{pipeline.root.anchor}' pass manager on '{module.name}' op"
        result.diagnostics.append(Diagnostic(message, module.span, code=PIPELINE))
        return result
    made = _made(module, context) if verifying == "made" and pipeline.root.items else None
    kinds = _kinds(context) if verifying == "each" and pipeline.root.items else None

    def start(use: Pass, op: Operation) -> None:
        if use.shows_locations and locate is not None:
            for each in op.walk():
                each.location = locate(each)
                for argument in (a for region in each.regions for block in region.blocks for a in block.arguments):
                    argument.location = locate(argument)
        for each in instrumentation:
            each.before_pass(use, op)

    def finish(use: Pass, op: Operation, stage: PassRun) -> None:
        if texts:
            from fathom.ir.printer import print_module
            from fathom.verify import flags_for

            stage.text = print_module(module, flags_for(module, context=context))
        if kinds is not None and not result.failed:
            from fathom.verify import verify

            result.diagnostics += verify(op, context=context, likeness=kinds)
            kinds.forget_erased()
        elif made is not None and not result.failed:
            result.diagnostics += made.after_pass(op)
        for each in reversed(instrumentation):
            each.after_pass(use, op, failed=result.failed)

    allowances: dict[int, Allowance] = {}

    def allow(use: Pass) -> Allowance:
        return allowances.setdefault(id(use), Allowance(most_operations))

    _run_all(pipeline.root.items, module, context, result, (start, finish, allow))
    if made is not None and result.stages and not result.failed:
        result.diagnostics += made.at_end()
    result.diagnostics = settled(result.diagnostics, module)
    return result


def _made(module: Operation, context: Context) -> Made:
    from fathom.verify.made import Made

    return Made(module, context)


def _kinds(context: Context) -> Kinds:
    from fathom.verify.kinds import Kinds

    return Kinds(context)


def settled(diagnostics: list[Diagnostic], module: Operation) -> list[Diagnostic]:
    """What passes said, without what they left behind and another one lowered after them."""
    if not any(map(_is_of_leftover, diagnostics)):
        return diagnostics
    left = {place_of(op.span) for op in module.walk() if op.dialect != "llvm"}
    return [each for each in diagnostics if place_of(each.span) in left or not _is_of_leftover(each)]


def _is_of_leftover(diagnostic: Diagnostic) -> bool:
    return diagnostic.code in LEFTOVERS and diagnostic.severity == "warning" and diagnostic.span is not None


_Hooks: TypeAlias = tuple[
    Callable[[Pass, Operation], None], Callable[[Pass, Operation, PassRun], None], Callable[[Pass], Allowance]
]
"""What is called before a pass, and after it; and what may be made by one."""


def _run_all(items: Sequence[Item], op: Operation, context: Context, result: PipelineResult, hooks: _Hooks) -> None:
    for item in _merged(items):
        if isinstance(item, AsNeeded):
            _run_as_needed(item.items, op, context, result, hooks)
        elif isinstance(item, Nest):
            for target in _anchored(item.anchor, op):
                _run_all(item.items, target, context, result, hooks)
        else:
            _run_pass(item, op, context, result, hooks)
        if result.failed:
            return


def _run_as_needed(
    items: Sequence[Item], op: Operation, context: Context, result: PipelineResult, hooks: _Hooks
) -> None:
    """Runs the passes for which there is anything to do; it is looked up what there is, and again when one has run."""
    held = _held(op)
    for item in items:
        if not _is_needed(item, held):
            continue
        if isinstance(item, Pass):
            _run_pass(item, op, context, result, hooks)
        else:
            for target in _anchored(item.anchor, op) if isinstance(item, Nest) else (op,):
                _run_as_needed(item.items, target, context, result, hooks)
        if result.failed:
            return
        held = _held(op)


def _is_needed(item: Item, held: Held) -> bool:
    return item.is_for(held) if isinstance(item, Pass) else any(_is_needed(each, held) for each in item.items)


def _held(op: Operation) -> Held:
    found: dict[str, list[Operation]] = {}
    for each in op.walk():
        found.setdefault(each.name, []).append(each)
    return found


def _merged(items: Sequence[Item]) -> list[Item]:
    """Neighbours that run on the same operations are one: each goes through all of their passes before the next."""
    found: list[Item] = []
    for item in items:
        last = found[-1] if found else None
        if isinstance(item, Nest) and isinstance(last, Nest) and item.anchor == last.anchor:
            found[-1] = Nest(item.anchor, (*last.items, *item.items))
        else:
            found.append(item)
    return found


def _anchored(anchor: str, op: Operation) -> list[Operation]:
    inner = [child for region in op.regions for block in region.blocks for child in block]
    return [child for child in inner if child.name == anchor or (anchor == ANY and child.has(ISOLATED_FROM_ABOVE))]


def _run_pass(use: Pass, op: Operation, context: Context, result: PipelineResult, hooks: _Hooks) -> None:
    begin, finish, allow = hooks
    checkpoint()
    if not op.has(ISOLATED_FROM_ABOVE):
        unfit = "an operation not marked as 'IsolatedFromAbove'" if op.definition else "an unregistered operation"
        message = f"'{op.name}' op trying to schedule a pass on {unfit}"
        result.diagnostics.append(Diagnostic(message, op.span, code=PIPELINE))
        return
    begin(use, op)
    start = perf_counter()
    allowance = allow(use)
    try:
        with allowing(allowance):
            found = use.run(op, context)
        found = _without_refused(found, allowance)
    except NotRegistered as missing:
        message = f"the pass {use.name} makes '{missing.name}', which no dialect here defines"
        found = [Diagnostic(message, op.span, code=PIPELINE)]
    stage = PassRun(use, perf_counter() - start)
    result.diagnostics += found
    result.stages.append(stage)
    finish(use, op, stage)


def _without_refused(found: list[Diagnostic], allowance: Allowance) -> list[Diagnostic]:
    """What a pass said, and what it was refused instead of what it said of that. Where another way was found in its
    place, the operation is gone."""
    if not allowance.refused:
        return found
    refused = {op: why for op, why in allowance.refused.items() if isinstance(op, Operation) and op.parent is not None}
    allowance.refused.clear()
    said = [
        Diagnostic(f"'{op.name}' op is not lowered: {why}", op.span, code=TOO_MANY_OPERATIONS, op=op)
        for op, why in refused.items()
    ]
    places = {place_of(op.span) for op in refused if op.span is not None}
    return [*said, *(each for each in found if each.op not in refused and place_of(each.span) not in places)]
