"""Lowerings that are recorded step by step, for who asks what each pass did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.budget import MOST_OPERATIONS
from fathom.ir.dismantle import dismantle
from fathom.ir.printing_flags import SHOWN_FLAGS
from fathom.modernising.in_memory import modernise_in_memory
from fathom.pipeline.lowering import run
from fathom.recording import Recorder, Recording
from fathom.recording.history import Assembled
from fathom.recording.stages import text_between, text_of
from fathom.records import record, replace
from fathom_server.model.locations import locator
from fathom_server.model.lowered import lowered_at_the_end
from fathom_server.model.modules import Module, module_for, module_of_split
from fathom_server.model.pipelines import pipeline
from fathom_server.model.queries import query

if TYPE_CHECKING:
    from fathom.recording.stages import StageText
    from fathom.syntax.tree import Item
    from fathom_server.model.snapshot import Snapshot
    from fathom_server.model.symbols import Unit

KEPT: Final = 2
"""So many recordings are kept: each holds all that its passes made."""


@record(eq=False)
class Recorded:
    """What was recorded of a module; nothing while the module has a problem."""

    module: Module
    recording: Recording | None

    def stage(self, passes: int, *, source_names: bool) -> StageText:
        """The text behind so many passes."""
        recording = self._known
        is_valid = not any(made.failed for made in recording.runs if made.index < passes)
        assembled = self._inner(recording.at_stage(passes))
        return text_of(assembled, replace(SHOWN_FLAGS, source_names=source_names), is_valid=is_valid)

    def step(self, run: int, steps: int, *, source_names: bool) -> StageText:
        """The text when so many steps of a run of a pass have happened."""
        from fathom.recording.replaying import replayed

        assembled = replayed(self._known, run, steps, MOST_OPERATIONS).assembled
        return text_between(self._inner(assembled), replace(SHOWN_FLAGS, source_names=source_names))

    def at_the_end(self) -> Assembled:
        """What the whole pipeline made, anew, without the module around it."""
        return self._inner(self._known.at_stage(self._known.last_stage))

    @property
    def _known(self) -> Recording:
        assert self.recording is not None, "the module has no problem"
        return self.recording

    def _inner(self, assembled: Assembled) -> Assembled:
        """The module in which stands what it is about."""
        return Assembled(replace(self.module, op=assembled.module).inner, assembled.numbers)


def _dismantled(made: Recorded, _key: tuple[object, ...]) -> None:
    dismantle(made.module.op)


@query(keep=KEPT, ends=_dismantled)
def recorded(snapshot: Snapshot, unit: Unit) -> Recorded:
    """A unit on its way through the pipeline, with the symbols beside it that its lowering takes into account."""
    beside = lowered_at_the_end(snapshot, unit, False).module.names
    return _recorded(snapshot, module_for(snapshot, (unit,), False, beside))


@query(keep=KEPT, ends=_dismantled)
def recorded_split(snapshot: Snapshot, split: Item | None) -> Recorded:
    """A split of the document on its way through the pipeline."""
    return _recorded(snapshot, module_of_split(snapshot, split))


def _recorded(snapshot: Snapshot, module: Module) -> Recorded:
    if module.problem is not None or modernise_in_memory(module.op, snapshot.context):
        return Recorded(module, None)
    whole = pipeline(snapshot)
    recorder = Recorder(whole, module.op, snapshot.context)
    verifying = "never" if module.is_apart else "made"
    locate = locator(snapshot, module.layout)
    run(whole, module.op, snapshot.context, observers=[recorder], verifying=verifying, locate=locate)
    return Recorded(module, recorder.recording)
