"""The way of an operation below the LLVM dialect: LLVM IR, which LLVM optimises, assembly, an object file.

Each line of these leads to the operation of the LLVM dialect that it comes from, as far as LLVM gives it a location.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.llvm.codegen.sizes import bytes_of_code, count_of_instructions
from fathom.llvm.process import begin, is_up
from fathom.records import record
from fathom_server.features.stages import CODE, LLVM_IR, OF_LLVM, stage_called
from fathom_server.features.told import LifeStep, StageSize, Who
from fathom_server.model.below import Followed, followed, followed_split
from fathom_server.model.code import code_for, how_made, to_make
from fathom_server.model.modules import splits
from fathom_server.model.scoping import find, unit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

    from fathom.llvm.codegen.wanted import Form
    from fathom_server.features.told import Asked
    from fathom_server.model.snapshot import Snapshot

_STEPS: Final = {
    LLVM_IR: "translation to LLVM IR",
    "llvm-optimized": "LLVM's optimisation",
    "assembly": "LLVM's code",
    "object": "the object file",
}
_NOWHERE: Final = "LLVM gives no line a location of it: it is gone, or part of what comes from elsewhere"
_MOST: Final = 200
"""So many lines are told of one operation."""


@record
class Below:
    """The text of a stage, and for each line the numbers of the operations that it comes from; or the `problem` that
    there is none."""

    text: str = ""
    numbers: tuple[tuple[int, ...], ...] = ()
    problem: str = ""


def below(snapshot: Snapshot, asked: Asked, stage: str) -> Below:
    """A stage below the LLVM dialect of what is asked about."""
    made = _followed(snapshot, asked)
    if made.shown is None or made.tracked is None:
        return Below(problem=made.problem)
    if stage == LLVM_IR:
        spans = made.shown.line_spans
        return Below(made.shown.text, tuple((span.start,) if span is not None else () for span in spans))
    code = code_for(made.tracked, how_made(snapshot).wanted, CODE[stage])
    if code.error is not None:
        return Below(problem=code.error.message)
    return Below(code.text, tuple(tuple(span.start for span in spans) for spans in code.sources))


def lines_below(snapshot: Snapshot, asked: Asked, numbers: AbstractSet[int]) -> Iterator[LifeStep]:
    """What operations of the LLVM dialect become, stage by stage, up to the first that there is not."""
    if not numbers:
        return
    before: tuple[str, ...] = ()
    for stage in OF_LLVM:
        shown = below(snapshot, asked, stage)
        who = Who(_STEPS[stage], "", "translation" if stage == LLVM_IR else "llvm", "", stage)
        if shown.problem:
            yield LifeStep(who, before, (), shown.problem)
            return
        lines = zip(shown.text.split("\n"), shown.numbers, strict=False)
        after = tuple(" ".join(line.split()) for line, of in lines if not numbers.isdisjoint(of))
        note = f"and {len(after) - _MOST} more lines" if len(after) > _MOST else "" if after else _NOWHERE
        yield LifeStep(who, before, after[:_MOST], note)
        before = after[:_MOST]


def sizes(snapshot: Snapshot, asked: Asked) -> Iterator[StageSize]:
    """How big each stage is."""
    for stage in OF_LLVM:
        title, shown = stage_called(snapshot, stage).title, below(snapshot, asked, stage)
        if shown.problem:
            yield StageSize(stage, title, problem=shown.problem)
            continue
        form = CODE.get(stage, "ir")
        size = bytes_of_code(shown.text) if form == "disassembly" else 0
        yield StageSize(stage, title, count_of_instructions(shown.text, form), shown.text.count("\n"), size)


def ahead(snapshot: Snapshot, asked: Asked) -> Callable[[], None] | None:
    """What has LLVM make what is asked about, which may be done in any thread; None if that is made."""
    forms: list[Form] = [*CODE.values()]
    if asked.stage is not None and not asked.in_stage:
        forms = [CODE[asked.stage.id]] if asked.stage.id in CODE else []
    if not forms:
        return None
    if not is_up():
        return begin
    made = _followed(snapshot, asked)
    if made.tracked is None:
        return None
    wanted, translation = how_made(snapshot).wanted, made.tracked
    to_do = [make for form in forms if (make := to_make(translation, wanted, form)) is not None]

    def make_all() -> None:
        for make in to_do:
            make()

    return make_all if to_do else None


def _followed(snapshot: Snapshot, asked: Asked) -> Followed:
    if asked.function is None:
        return followed_split(snapshot, next(iter(splits(snapshot)), None))
    symbol = find(snapshot, asked.function)
    if symbol is None or symbol.is_open:
        return Followed(problem=f"there is no function @{asked.function}")
    return followed(snapshot, unit_of(symbol))
