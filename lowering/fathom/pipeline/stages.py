"""Running a pipeline on a module, stage by stage; a run stops at the first pass that fails.

Source of the rules: *Pass Infrastructure*, "Operation Pass" and "Pass Manager".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

from fathom.context import Context
from fathom.diagnostics import PIPELINE, Diagnostic
from fathom.ir.operation import Operation
from fathom.irdl.build import NotRegistered
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.passes.definition import ANY, Pass
from fathom.pipeline.instrumentation import Instrumentation
from fathom.pipeline.language import ROOT, Nest, Pipeline
from fathom.records import field, record
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation_printer import Locator


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
    """The stages that ran, the last of which failed if `diagnostics` holds an error."""

    stages: list[PassRun] = field(default_factory=list[PassRun])
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])

    @property
    def ran(self) -> frozenset[str]:
        """The names of the passes that ran."""
        return frozenset(stage.name for stage in self.stages)

    @property
    def failed(self) -> bool:
        return any(diagnostic.severity == "error" for diagnostic in self.diagnostics)


def run(
    pipeline: Pipeline,
    module: Operation,
    context: Context,
    *,
    texts: bool = False,
    instrumentation: Sequence[Instrumentation] = (),
    verify_each: bool = False,
    locate: Locator | None = None,
) -> PipelineResult:
    """Runs the passes on `module`, which they change in place.

    `locate` says where operations come from, for passes that show it. `texts` keeps the module's text after each stage;
    `instrumentation` looks on at each pass; `verify_each` verifies the operation that a pass ran on, and stops where it
    is not valid.
    """
    result = PipelineResult()
    if pipeline.errors:
        result.diagnostics += [Diagnostic(error, code=PIPELINE) for error in pipeline.errors]
        return result
    if pipeline.root.anchor not in (*ROOT, module.name):
        message = f"can't run '{pipeline.root.anchor}' pass manager on '{module.name}' op"
        result.diagnostics.append(Diagnostic(message, module.span, code=PIPELINE))
        return result

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
        if verify_each and not result.failed:
            from fathom.verify import verify

            result.diagnostics += verify(op, context=context)
        for each in reversed(instrumentation):
            each.after_pass(use, op, failed=result.failed)

    _run_nest(pipeline.root, module, context, result, (start, finish))
    return result


_Hooks: TypeAlias = tuple[Callable[[Pass, Operation], None], Callable[[Pass, Operation, PassRun], None]]
"""What is called before a pass, and after it."""


def _run_nest(nest: Nest, op: Operation, context: Context, result: PipelineResult, hooks: _Hooks) -> None:
    for item in nest.items:
        if isinstance(item, Pass):
            _run_pass(item, op, context, result, hooks)
        else:
            for target in _anchored(item.anchor, op):
                _run_nest(item, target, context, result, hooks)
        if result.failed:
            return


def _anchored(anchor: str, op: Operation) -> list[Operation]:
    inner = [child for region in op.regions for block in region.blocks for child in block]
    return [child for child in inner if child.name == anchor or (anchor == ANY and child.has(ISOLATED_FROM_ABOVE))]


def _run_pass(use: Pass, op: Operation, context: Context, result: PipelineResult, hooks: _Hooks) -> None:
    begin, finish = hooks
    checkpoint()
    begin(use, op)
    start = perf_counter()
    try:
        found = use.run(op, context)
    except NotRegistered as missing:
        message = f"the pass {use.name} makes '{missing.name}', which no dialect here defines"
        found = [Diagnostic(message, op.span, code=PIPELINE)]
    stage = PassRun(use, perf_counter() - start)
    result.diagnostics += found
    result.stages.append(stage)
    finish(use, op, stage)
