"""A pipeline pass by pass, with a copy of the module before each, and how a pass can go wrong by itself: an error, a
module that is not valid, an exception, no end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fathom.budget import MOST_ON_COMMAND_LINE, Allowance
from fathom.ir.clone import clone
from fathom.pipeline.lowering import run_pass
from fathom.pipeline.schedule import scheduled
from fathom.records import record
from fathom.rewriting.observers import PatternObserver, observed_by
from fathom.verify import verify

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Pass
    from fathom.pipeline.language import Pipeline

Path: TypeAlias = "tuple[tuple[int, int, int], ...]"
"""Where an operation is nested: for each one around it the numbers of the region, the block and the place in that."""
Trouble: TypeAlias = Literal["error", "invalid", "crash", "endless"]
"""What went wrong with a pass: it says an error, what it made is not valid, it raised an exception, or it does not come
to an end."""
MOST_SECONDS: Final = 30.0
"""A pass that takes longer on one operation is taken for one that does not end."""


@record(eq=False)
class Stage:
    """A pass that runs as the one numbered `number`, from 1 on, on the operation at `path` in the module. `before` is
    the module as it was."""

    number: int
    use: Pass
    path: Path
    before: Operation

    @property
    def name(self) -> str:
        """The name of the pass."""
        return self.use.name


@record(eq=False)
class Went:
    """What became of a module by a pass: the trouble with it, in words; None where there is none. `module` is what the
    pass left, `messages` all that is wrong."""

    module: Operation
    trouble: Trouble | None = None
    messages: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        """The first thing that is wrong."""
        return next(iter(self.messages), "")

    def says(self, words: str) -> bool:
        """Whether this is among what is wrong."""
        return words in self.messages


class TooLong(BaseException):
    """A pass takes too long. It is no error, and passes those who catch errors."""


@contextmanager
def within(seconds: float) -> Generator[None, None, None]:
    """Raises TooLong inside when the time is over; where signals cannot be had, as in other threads, never."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def stages(pipeline: Pipeline, module: Operation, context: Context) -> Iterator[tuple[Stage, Went]]:
    """The passes of a pipeline on a module, which they change, each with what it made; up to the first with trouble."""
    for number, (use, op) in enumerate(scheduled(pipeline.root.items, module), 1):
        stage = Stage(number, use, _path_of(op, module), clone(module))
        went = _run(use, op, module, context)
        yield stage, went
        if went.trouble is not None:
            return


def applied(stage: Stage, context: Context, observers: Sequence[PatternObserver] = ()) -> Went:
    """What a pass makes of a copy of the module before it. `observers` look on."""
    module = clone(stage.before)
    with observed_by(observers):
        return _run(stage.use, _at(module, stage.path), module, context)


def _run(use: Pass, op: Operation, module: Operation, context: Context) -> Went:
    try:
        with within(MOST_SECONDS):
            said = run_pass(use, op, context, Allowance(MOST_ON_COMMAND_LINE))
    except TooLong:
        return Went(module, "endless", (f"it does not end within {MOST_SECONDS:g} seconds",))
    except Exception as fault:  # Whatever it is, the pass is to blame.
        return Went(module, "crash", (f"{type(fault).__name__}: {fault}",))
    errors = [told.message for told in said if told.severity == "error" and told.fatal]
    wrong = [told.message for told in verify(module, context=context) if told.severity == "error"]
    trouble: Trouble | None = "error" if errors else "invalid" if wrong else None
    return Went(module, trouble, (*errors, *wrong))


def _path_of(op: Operation, root: Operation) -> Path:
    """Where an operation is nested in another."""
    steps: list[tuple[int, int, int]] = []
    while op is not root and (block := op.parent) is not None and (region := block.parent) is not None:
        around = region.parent
        assert around is not None, "it is nested in the other"
        place = next(number for number, other in enumerate(block) if other is op)
        number = next(number for number, other in enumerate(region.blocks) if other is block)
        steps.append((around.regions.index(region), number, place))
        op = around
    return tuple(reversed(steps))


def _at(root: Operation, path: Path) -> Operation:
    """The operation at a place."""
    for region, block, place in path:
        inside = list(root.regions[region].blocks)[block]
        root = next(op for number, op in enumerate(inside) if number == place)
    return root
