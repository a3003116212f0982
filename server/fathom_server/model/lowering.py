"""What becomes of an item on its way through the pipeline. Every stage is made of the nearest one before it."""

from __future__ import annotations

from typing import Final

from fathom.diagnostics import LOWERING, Diagnostic, alone
from fathom.execution.outcome import Check
from fathom.ir.operation import Span
from fathom.pipeline import Pipeline, PipelineResult, run
from fathom.pipeline.segments import segment
from fathom.pipeline.stages import settled
from fathom.records import record, replace
from fathom.syntax.events import OpenEvent
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import Chunk
from fathom.syntax.tree import Item
from fathom_server.model.elaboration import diagnostics
from fathom_server.model.modules import Module, ask_what_is_needed, module_for, module_of_split
from fathom_server.model.queries import fact, query
from fathom_server.model.snapshot import Snapshot

KEPT: Final = 64
"""So many stages of items are kept."""
KEPT_CHECKED: Final = 4
"""So many items are kept as they are run."""
KEPT_STALLS: Final = 1024
"""So many items are known by what is left behind of them."""


LONG: Final = 400
"""To lower an item of more lines than this takes longer than a key may; it is done in the process beside the server."""


def takes_long(item: Item) -> bool:
    """Whether an item is to be lowered in the process beside the server."""
    return item.line_count > LONG


@record
class Lowered:
    """A module after some passes of the pipeline, and what they said. It is not to be changed.

    While `module.problem` is set no pass has run; if one failed, `result` says so, and none ran after it.
    """

    module: Module
    result: PipelineResult

    @property
    def stops(self) -> bool:
        """Whether no further pass can run."""
        return self.module.problem is not None or self.result.failed

    def stalls(self) -> list[Diagnostic]:
        """What keeps the module from being all LLVM dialect: a diagnostic for each operation, with its cause."""
        from fathom.passes.leftovers import left_behind

        left = [] if self.result.failed else left_behind(self.module.op, self.result.asked)
        if not self.result.failed and not left:
            return []
        # A pass that met the operation knows more of the cause than what can be seen of it at the end.
        found: dict[Span | None, Diagnostic] = {}
        for diagnostic in (*self.result.diagnostics, *left):
            found.setdefault(diagnostic.span, diagnostic)
        return list(found.values())


@fact
def pipeline(snapshot: Snapshot) -> Pipeline:
    """The pipeline in force."""
    return snapshot.settings.pipeline


@query(keep=KEPT)
def lowered(snapshot: Snapshot, item: Item, passes: int, bodies: bool) -> Lowered:
    """An item, with declarations of what it uses or with `bodies` the whole of that, after the first `passes` passes.

    Its spans count from the beginning of the item.
    """
    for done in range(passes - 1, -1, -1):
        before = lowered.remembered(snapshot, item, done, bodies)
        if before is not None:
            return _continued(snapshot, before, done, passes)
    return begun(snapshot, module_for(snapshot, (item,), bodies), passes)


@query(keep=2)
def split_lowered(snapshot: Snapshot, split: Item | None, passes: int) -> Lowered:
    """A split of the document, by the line that begins it, after the first `passes` passes."""
    for done in range(passes - 1, -1, -1):
        before = split_lowered.remembered(snapshot, split, done)
        if before is not None:
            return _continued(snapshot, before, done, passes)
    return begun(snapshot, module_of_split(snapshot, split), passes)


def lowered_at_the_end(snapshot: Snapshot, item: Item, bodies: bool) -> Lowered:
    """An item after the whole pipeline."""
    return lowered(snapshot, item, len(pipeline(snapshot).passes), bodies)


@record
class Checked:
    """An item, with all that it uses, after the whole pipeline; and the checks in it, whose spans count as those of the
    module."""

    lowered: Lowered
    checks: tuple[Check, ...]


@query(keep=KEPT_CHECKED)
def lowered_with_checks(snapshot: Snapshot, item: Item) -> Checked:
    """An item to be run, which looks at what its operations take for granted."""
    from fathom.execution.checks import add_checks

    module = module_for(snapshot, (item,), True)
    checks = add_checks(module.op, snapshot.context) if module.problem is None else ()
    if not checks:
        return Checked(lowered_at_the_end(snapshot, item, True), ())
    return Checked(begun(snapshot, module, len(pipeline(snapshot).passes)), checks)


def begun(snapshot: Snapshot, module: Module, passes: int) -> Lowered:
    """A new module, which is nobody else's, after the first `passes` passes."""
    if module.problem is not None:
        return Lowered(module, PipelineResult())
    return Lowered(module, _run(snapshot, module, 0, passes))


def _continued(snapshot: Snapshot, before: Lowered, done: int, passes: int) -> Lowered:
    if before.stops:
        return before
    module = before.module.copy()
    after = _run(snapshot, module, done, passes)
    stages = [*before.result.stages, *after.stages]
    diagnostics = settled([*before.result.diagnostics, *after.diagnostics], module.op)
    return Lowered(module, PipelineResult(stages, diagnostics, [*before.result.idle, *after.idle]))


def _run(snapshot: Snapshot, module: Module, first: int, last: int) -> PipelineResult:
    return run(segment(pipeline(snapshot), first, last), module.op, snapshot.context)


def ask_basis(snapshot: Snapshot, item: Item) -> None:
    """Asks for all that the lowering of an item follows from, at little cost: for what is learned of it from
    elsewhere."""
    pipeline(snapshot)
    is_reported(snapshot)
    ask_what_is_needed(snapshot, item)


# ---- what is left behind


@fact
def is_reported(snapshot: Snapshot) -> bool:
    """Whether the settings ask for what is left behind."""
    return snapshot.settings.lowering_diagnostics


@query(keep=KEPT_STALLS)
def stalled(snapshot: Snapshot, item: Item) -> tuple[Diagnostic, ...]:
    """What the pipeline would leave behind of an item, and why, as warnings whose spans count from its beginning.

    Nothing while the item or what it uses has errors, and nothing when the settings ask for none.
    """
    if not is_reported(snapshot) or not _has_function(item):
        return ()
    if any(d.severity == "error" for d in diagnostics(snapshot, item)):
        return ()
    made = lowered_at_the_end(snapshot, item, False)
    if made.module.problem is not None:
        return ()
    return tuple(
        replace(alone(d), severity="warning", code=d.code or LOWERING)
        for d in made.stalls()
        if d.span is not None and 0 <= d.span.start < item.length
    )


def _has_function(item: Item) -> bool:
    return any(item.pieces.known(_opens_function))


def _opens_function(chunk: Chunk[Piece]) -> bool:
    events = (event for piece in chunk.elements for event in piece.shape.events)
    return any(isinstance(event, OpenEvent) and event.open.is_function for event in events)
