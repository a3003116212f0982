"""What is recorded of a run: its passes, their steps, and why patterns did not apply."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Literal, TypeAlias

from fathom.recording.numbers import Known, Numbers
from fathom.records import field, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.passes.definition import Pass
    from fathom.pipeline.language import Pipeline
    from fathom.recording.history import Assembled, History
    from fathom.rewriting.pattern import Pattern

Kind: TypeAlias = Literal["pattern", "fold", "removal", "simplification", "settling", "pass"]
"""What a step is: a pattern that applied; a fold; dead code that went; what a driver does by itself, as constants that
become one; the casts at the end of a dialect conversion; or all that a pass did that is none of these."""


@record
class Step:
    """What was done at once, by the numbers of operations: those that it made, changed in place and took away. `run` is
    the index of the pass that did it, in `Recording.runs`, and `root` what a pattern was applied to, or what folded.

    `number` counts the steps that a `Gate` counts, from 1 on; what is done inside of such a step has the number of
    that, and a `depth` above 0. What cannot be replayed by itself, the end of a conversion and what is no step of a
    driver, has the number 0.
    """

    run: int
    number: int
    depth: int
    kind: Kind
    pattern: str
    root: int | None
    made: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()


@record
class Refusal:
    """That a pattern was tried on an operation which stayed, so many times, and the last reason for which it did not
    apply. `undone` says that it did, and was taken back."""

    op: int
    pattern: str
    reason: str
    times: int = 1
    undone: bool = False
    rule: Pattern | None = field(default=None, compare=False, repr=False)
    """The pattern itself."""


@record(frozen=False)
class PassRecord:
    """A pass that ran on an operation: the index of the pass in the pipeline, how many operations there were in that
    before and after, and what was done. `has_changed` says whether anything is another than before."""

    name: str
    options: str
    """Its options, those that are not as by default: `{index-bitwidth=32}`."""
    index: int
    op: int
    symbol: str
    seconds: float = 0.0
    before: int = 0
    after: int = 0
    has_changed: bool = False
    failed: bool = False
    first_step: int = 0
    """The index of its first step in `Recording.steps`; those of the next pass begin where its own end."""
    last_step: int = 0
    steps: int = 0
    """How many steps a `Gate` can tell apart."""
    refusals: tuple[Refusal, ...] = ()
    tried: int = 0
    """How many times a pattern was tried."""
    lost: int = 0
    """How many steps were not kept, since they were too many."""
    next_number: int = 0
    """The number that the first operation got which was made by it."""

    use: Pass | None = None
    """The pass itself, of a run that was recorded here."""


class Journal(ABC):
    """What passes did, step by step, by the numbers of operations: as it was recorded, or as a file tells it. `source`
    has the operations that were there before the first pass; `parents` says which operations one was made of."""

    __slots__ = ()

    source: tuple[int, ...]
    runs: list[PassRecord]
    steps: list[Step]
    parents: dict[int, tuple[int, ...]]

    @property
    @abstractmethod
    def known(self) -> dict[int, Known]:
        """What is known of operations by their numbers."""

    def runs_of(self, index: int) -> list[int]:
        """The runs of a pass, by its index in the pipeline: one for each operation that it ran on."""
        return [number for number, made in enumerate(self.runs) if made.index == index]

    def steps_of(self, run: int) -> Sequence[Step]:
        """What a run of a pass did."""
        made = self.runs[run]
        return self.steps[made.first_step : made.last_step]

    def has_run_at(self, run: int, stage: int) -> bool:
        """Whether a run is one of those that make a stage, which is given as how many passes of the pipeline it is
        behind."""
        return run < 0 or self.runs[run].index < stage


@record(frozen=False, eq=False)
class Recording(Journal):
    """A run of a pipeline that was recorded, of which every stage can be made anew."""

    pipeline: Pipeline
    context: Context
    history: History
    numbers: Numbers = field(default_factory=lambda: Numbers({}))
    source: tuple[int, ...] = ()
    runs: list[PassRecord] = field(default_factory=list[PassRecord])
    steps: list[Step] = field(default_factory=list[Step])
    parents: dict[int, tuple[int, ...]] = field(default_factory=dict[int, "tuple[int, ...]"])

    @property
    def known(self) -> dict[int, Known]:
        """What is known of operations by their numbers."""
        return self.numbers.known

    def at_stage(self, stage: int) -> Assembled:
        """The module behind so many passes of the pipeline, made anew."""
        return self.history.assembled(lambda run: self.has_run_at(run, stage), self.numbers.__getitem__)

    def before_run(self, run: int) -> Assembled:
        """The module as a run of a pass found it, made anew."""
        return self.history.assembled(lambda other: other < run, self.numbers.__getitem__)

    @property
    def last_stage(self) -> int:
        """The stage behind the whole pipeline."""
        return len(self.pipeline.passes)
