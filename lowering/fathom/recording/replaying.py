"""A pass step by step: what a module is like when the first steps of a pass have happened, and no more.

The pass runs again on a copy of the module that it found, with a `Gate`. It does the same again, so operations have the
numbers that they have in the recording; those that are made when the gate is closed, such as the casts between what a
conversion came to and what it did not, have numbers of their own, below 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.budget import MOST_ON_COMMAND_LINE, Allowance
from fathom.ir.printing_flags import SHOWN_FLAGS
from fathom.pipeline.lowering import run_pass
from fathom.recording.history import Assembled
from fathom.recording.numbers import Numbers
from fathom.recording.recorder import Watcher
from fathom.recording.stages import text_between
from fathom.records import record, replace
from fathom.rewriting.observers import observed_by

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.recording.recording import Recording, Step
    from fathom.recording.stages import StageText


@record(eq=False)
class Replayed:
    """A module behind some steps of a pass, and these steps, with what is done when no more may happen."""

    assembled: Assembled
    steps: tuple[Step, ...]


def replayed(
    recording: Recording, run: int, steps: int | None, most_operations: int = MOST_ON_COMMAND_LINE
) -> Replayed:
    """What a run of a pass comes to with so many of its steps; None for all of them. With 0 the module is as the pass
    left it where it could do nothing that is a step: for one that has none, all that it does."""
    found = recording.before_run(run)
    made = recording.runs[run]
    op = next(op for op, number in found.numbers.items() if number == made.op)
    numbers = _Replayed({}, found.numbers, made.next_number)
    watcher = Watcher(numbers, steps, run)
    numbers.watcher = watcher
    with observed_by([watcher]):
        assert made.use is not None, "the run was recorded here"
        run_pass(made.use, op, recording.context, Allowance(most_operations))
    module = found.module
    here = {inner: numbers[inner] for inner in module.walk()}
    return Replayed(Assembled(module, here), tuple(watcher.steps))


def replayed_text(recording: Recording, run: int, steps: int | None, *, source_names: bool = False) -> StageText:
    """The text of that."""
    flags = replace(SHOWN_FLAGS, source_names=source_names)
    return text_between(replayed(recording, run, steps).assembled, flags)


class _Replayed(Numbers):
    """Numbers as in the recording while the gate is open."""

    watcher: Watcher | None = None

    def __getitem__(self, op: Operation) -> int:
        watcher = self.watcher
        if watcher is None or op in self._numbers or watcher.is_open or watcher.most is None:
            return super().__getitem__(op)
        self.below -= 1
        number = self._numbers[op] = self.below
        return number

    below = 0
