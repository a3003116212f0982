"""What is asked of what each pass did, and what is answered, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.ir.operation import Span
    from fathom.recording.differences import Difference
    from fathom.recording.reasons import Reason
    from fathom.recording.stages import StageText
    from fathom.recording.telling import Row
    from fathom.text.encodings import Encoding
    from fathom_server.features.stages import PreviewStage


@record
class Asked:
    """What is asked: about a function, or the document if that is None; at an offset of the document, or of the text of
    a stage if `in_stage` says so; at a stage, compared with another one, up to a step of a run. `source_names` keeps
    the names that values have in the source."""

    function: str | None = None
    stage: PreviewStage | None = None
    other: PreviewStage | None = None
    place: tuple[int, int] | None = None
    """A line and a column in the text of the stage, which is counted in `units`; or an offset of the document, and
    0."""
    units: Encoding = "utf-32"
    in_stage: bool = False
    run: int = 0
    step: int = 0
    source_names: bool = False
    tool: str | None = None
    """The tool of other people that it is about."""


@record
class Text:
    """A text of a stage, or in the midst of a pass."""

    stage: str
    text: str


@record
class Change:
    """What became of operations, with the places of their heads in both texts."""

    difference: Difference
    before: tuple[Span, ...]
    after: tuple[Span, ...]


def changes_of(found: Iterable[Difference], before: StageText, after: StageText) -> tuple[Change, ...]:
    """Differences of two texts, with their places."""
    return tuple(
        Change(
            each,
            tuple(before.places[number].head for number in each.before),
            tuple(after.places[number].head for number in each.after),
        )
        for each in found
    )


@record
class Who:
    """Who took a step: the pass, the pattern if it was one, and the place in the document of what it was taken on.
    `title` says it in words."""

    title: str
    pass_name: str
    kind: str
    pattern: str
    stage: str
    source: Span | None = None
    operation: str = ""


@record
class LifeStep:
    """A step in the life of an operation, with the texts of what it was and what it became. A `note` says why nothing
    is known of that."""

    who: Who
    before: tuple[str, ...]
    after: tuple[str, ...]
    note: str = ""


@record
class StageSize:
    """How big a stage below the LLVM dialect is: its instructions, its lines, and of an object file the bytes of its
    code; or the `problem` that there is none."""

    stage: str
    title: str
    instructions: int = 0
    lines: int = 0
    size: int = 0
    problem: str = ""


@record
class ListedStep:
    """A step of a pass: which run of the pass, which number in that, in how many others it was taken."""

    who: Who
    run: int
    number: int
    depth: int


@record
class PassReasons:
    """Why a pass left an operation."""

    pass_name: str
    stage: str
    note: str
    reasons: tuple[Reason, ...]


@record
class Told:
    """The answer to a question; `problem` says why there is none."""

    asked: Asked
    problem: str | None = None
    passes: tuple[tuple[str, Row], ...] = ()
    texts: tuple[Text, ...] = ()
    changes: tuple[Change, ...] = ()
    lines: tuple[Who | None, ...] = ()
    life: tuple[LifeStep, ...] = ()
    steps: tuple[ListedStep, ...] = ()
    operation: str = ""
    reasons: tuple[PassReasons, ...] = ()
    below: tuple[StageSize, ...] = ()
