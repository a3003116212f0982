"""Whether what is recorded of a pass is what it does: `python -m tests.recording.replays [--operations N]`.

Passes run on the pieces of MLIR's own tests, with `--only` of those in files whose path contains the text, and are
recorded. Each pass is replayed whole, which must give the text of its stage; and up to steps that are chosen by a fixed
seed, the last of which must be what the recording says, on the same operation. It ends when so many operations had
their pattern replayed, and prints what differs.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from typing import TYPE_CHECKING, Final

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.printing_flags import SHOWN_FLAGS
from fathom.recording.replaying import replayed
from fathom.recording.stages import text_of
from fathom.records import record, replace
from fathom.verify import verify
from tests.recording.told import recorded
from tests.suite.answers import split
from tests.suite.editor import suite_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.recording import Recording, Step

PASSES: Final = ("--canonicalize", "--lower-to-llvm")
_FLAGS: Final = replace(SHOWN_FLAGS, generic=True)
MOST: Final = 20_000
"""Longer pieces are left out."""
_EACH: Final = 4
"""So many steps of a pass are replayed."""


@record
class Checked:
    """On how many operations a pattern, a fold or a removal was replayed, and what differed."""

    operations: int
    faults: tuple[str, ...]


def checked(text: str, flags: str | Sequence[str], random: Random, each: int = _EACH) -> Checked:
    """Replays passes on a text, which is lowered as far as that goes."""
    recording = recorded(text, flags)
    operations = 0
    faults: list[str] = []
    for index, run in enumerate(recording.runs):
        if run.failed or run.lost:
            continue
        if not _text(recording, index, None) == _text(recording, index, 10**9) == _behind(recording, index):
            faults.append(f"{run.name} on its own gives another text")
        steps = [step for step in recording.steps_of(index) if step.number and not step.depth and step.root is not None]
        for step in random.sample(steps, min(each, len(steps))):
            operations += 1
            again = _last(replayed(recording, index, step.number).steps)
            if _essence(again) != _essence(step):
                faults.append(f"{run.name}, step {step.number}: {_essence(step)} is {_essence(again)}")
    return Checked(operations, tuple(faults))


def is_valid(text: str) -> bool:
    """Whether nothing is wrong with a text."""
    context = default_context()
    loaded = load(text, context)
    found = loaded.diagnostics or verify(loaded.module, context=context)
    return not any(diagnostic.severity == "error" for diagnostic in found)


def _text(recording: Recording, index: int, steps: int | None) -> str:
    return text_of(replayed(recording, index, steps).assembled, _FLAGS, is_valid=True).text


def _behind(recording: Recording, index: int) -> str:
    return text_of(recording.before_run(index + 1), _FLAGS, is_valid=True).text


def _last(steps: Sequence[Step]) -> Step | None:
    """The last step that may happen by itself."""
    return next((step for step in reversed(steps) if step.number and not step.depth), None)


def _essence(step: Step | None) -> object:
    """What a step is: what a conversion changed when it ended is counted in a recording only."""
    return (step.kind, step.pattern, step.root, step.made, step.gone) if step is not None else None


def main() -> None:
    parser = argparse.ArgumentParser(description="replays what is recorded of passes")
    parser.add_argument("--operations", type=int, default=2000)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    random, operations, pieces, faults = Random(29), 0, 0, 0
    texts = list(suite_texts(arguments.only).items())
    random.shuffle(texts)
    for piece in (piece for name, text in texts for piece in split(name, text)):
        if operations >= arguments.operations:
            break
        if len(piece.text) > MOST or not is_valid(piece.text):
            continue
        done = checked(piece.text, PASSES, random)
        operations, pieces, faults = operations + done.operations, pieces + 1, faults + len(done.faults)
        for fault in done.faults:
            print(f"{piece.file}, piece {piece.number}: {fault}")
    print(f"{operations} operations in {pieces} pieces: {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
