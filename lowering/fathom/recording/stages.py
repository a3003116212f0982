"""The text of a stage, and where in it each operation stands.

A stage is given as how many passes of the pipeline it is behind: 0 is the source.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from fathom.ir.operation import Span
from fathom.ir.printer import print_with_map
from fathom.ir.printing_flags import SHOWN_FLAGS
from fathom.records import record, replace
from fathom.slices import paced
from fathom.verify.printing import flags_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation
    from fathom.ir.printing_flags import PrintingFlags
    from fathom.recording.history import Assembled
    from fathom.recording.recording import Recording

_NAMES: Final = re.compile(r"[%^][\w$.-]+(?:[#:]\d+)?")
"""The names of values and blocks, which the printer makes up."""


@record(eq=False)
class Place:
    """Where an operation stands in a text: all of it, and its head, which ends where its first region begins. `around`
    is the number of the operation that it stands in."""

    whole: Span
    head: Span
    around: int | None


@record(eq=False)
class StageText:
    """A stage as text, with the places of its operations by their numbers, in the order of the text."""

    text: str
    places: dict[int, Place]

    def head(self, number: int) -> str:
        """The text of an operation up to its first region."""
        head = self.places[number].head
        return self.text[head.start : head.end]

    def at(self, offset: int) -> int | None:
        """The innermost operation whose text an offset is in."""
        numbers = list(self.places)
        starts = [self.places[number].whole.start for number in numbers]
        index = bisect_right(starts, offset) - 1
        number = numbers[index] if index >= 0 else None
        while number is not None and self.places[number].whole.end <= offset:
            number = self.places[number].around
        return number

    def by_lines(self) -> list[int | None]:
        """For each line the innermost operation whose text its first character is in."""
        lines: list[int | None] = []
        around: list[int] = []
        places = iter(self.places.items())
        following = next(places, None)
        offset = 0
        for line in paced(self.text.splitlines(keepends=True)):
            first = offset + len(line) - len(line.lstrip())
            while following is not None and following[1].whole.start <= first:
                while around and self.places[around[-1]].whole.end <= following[1].whole.start:
                    around.pop()
                around.append(following[0])
                following = next(places, None)
            while around and self.places[around[-1]].whole.end <= first:
                around.pop()
            lines.append(around[-1] if around and line.strip() else None)
            offset += len(line)
        return lines


def stage_text(
    recording: Recording, stage: int, *, flags: PrintingFlags = SHOWN_FLAGS, source_names: bool = False
) -> StageText:
    """The text of a stage. With `source_names` values have the names that they, or what they came of, had in the
    source."""
    is_valid = not any(run.failed for run in recording.runs if run.index < stage)
    return text_of(recording.at_stage(stage), replace(flags, source_names=source_names), is_valid=is_valid)


def text_of(assembled: Assembled, flags: PrintingFlags, *, is_valid: bool) -> StageText:
    """A module as text; in the generic form where it is not known to be valid, and is not."""
    flags = flags if is_valid else flags_for(assembled.module, flags)
    return _placed(assembled, *print_with_map(assembled.module, flags))


def text_between(assembled: Assembled, flags: PrintingFlags) -> StageText:
    """A module in the midst of a pass as text. It need not be valid as a whole, since a function may be of another
    dialect than what returns from it; only where an operation cannot be written in its own form are all in the generic
    one."""
    try:
        return _placed(assembled, *print_with_map(assembled.module, flags))
    except Exception:  # Own code writes operations, and may count on what a definition says of them.
        return text_of(assembled, flags, is_valid=False)


def _placed(assembled: Assembled, text: str, ranges: Sequence[tuple[Operation, int, int]]) -> StageText:
    places: dict[int, Place] = {}
    around: list[Operation] = []
    numbers = assembled.numbers
    for op, start, end in paced(ranges):
        while around and not _is_in(op, around[-1]):
            around.pop()
        head = end
        if op.regions:
            line_end = text.find("\n", start)
            head = min(end, line_end if line_end >= 0 else end)
        if op in numbers:
            places[numbers[op]] = Place(Span(start, end), Span(start, head), numbers[around[-1]] if around else None)
            around.append(op)
    return StageText(text, places)


def _is_in(op: Operation, outer: Operation) -> bool:
    return op.parent_op is outer


def without_names(text: str) -> str:
    """A text in which names that the printer makes up are all the same."""
    return _NAMES.sub(lambda name: name[0][0], text)
