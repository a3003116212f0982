"""What changed in the tokens of a text since the client was told of them: those of the elements that it had and has no
more give way to those of the elements that came. Of what stands around nothing is looked at but how many tokens it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from typing import Final, Generic, TypeVar

from fathom.records import record
from fathom.slices import paced
from fathom.syntax.sequence import Chunk, ChunkedSequence, Element
from fathom_server.features.semantic_tokens.segments import SIZE, Segment, joined

MOST_TOLD: Final = 4
"""Of so many versions that a client was told of the elements are kept: it is told what has changed since."""

T = TypeVar("T", bound=Element)


@record
class Tokens:
    """The tokens of a text: the numbers of the protocol, with commas between them. `version` names what was told."""

    version: str
    numbers: str


@record
class Replaced:
    """So many numbers from `start` on give way to others."""

    start: int
    removed: int
    numbers: str


@record
class Changes:
    """What changed in the numbers since they were last told."""

    version: str
    replaced: tuple[Replaced, ...]


@record
class Reading(Generic[T]):
    """What tells the tokens of an element, in stretches, and how many tokens the elements of a chunk have; both answer
    at once for what they were asked before."""

    segments: Callable[[T], Sequence[Segment]]
    count: Callable[[Chunk[T]], int]


def note(told: dict[str, ChunkedSequence[T]], version: str, elements: ChunkedSequence[T], most: int = MOST_TOLD) -> str:
    """Notes that the client is told of the tokens of a version, and gives the name of that; the versions before the
    `most` last ones are forgotten."""
    told.pop(version, None)
    told[version] = elements
    while len(told) > most:
        del told[next(iter(told))]
    return version


def replaced(
    former: ChunkedSequence[T], elements: ChunkedSequence[T], place: tuple[int, int, int], reading: Reading[T]
) -> tuple[Replaced, ...]:
    """What makes the numbers of a sequence of those of a former one, from which it differs at a place
    (`ChunkedSequence.difference`): nothing, or one stretch of them."""
    (first, removed, added), of_element = place, reading.segments
    gone = [segment for element in islice(former.from_index(first), removed) for segment in of_element(element)]
    come = [segment for element in islice(elements.from_index(first), added) for segment in of_element(element)]
    before, line = _before(elements, first, reading)
    same = _same(gone, come)
    for segment in gone[:same]:
        before += segment.size
        line = segment.lines - segment.last if segment.size else line + segment.lines
    gone, come = gone[same:], come[same:]
    same = _same(gone[::-1], come[::-1])
    following = gone[len(gone) - same :]
    behind = (segment for element in elements.from_index(first + added) for segment in of_element(element))
    after = _lines_to_first(chain(following, behind))
    old = _texts(gone[: len(gone) - same], line, after)
    new = _texts(come[: len(come) - same], line, after)
    difference = _difference(old, new, before * SIZE)
    return (difference,) if difference is not None else ()


def _before(elements: ChunkedSequence[T], index: int, reading: Reading[T]) -> tuple[int, int]:
    """How many tokens stand before an element, and how many lines before it the last of them does."""
    of_element = reading.segments
    number = elements.chunk_of(index) if index < len(elements) else len(elements.chunks)
    count = sum(chunk.known(reading.count) for chunk in elements.chunks[:number])
    start = elements.starts[number] if number < len(elements.chunks) else len(elements)
    count += sum(segment.size for element in elements[start:index] for segment in of_element(element))
    lines = 0
    for current in (segment for at in range(index - 1, -1, -1) for segment in reversed(of_element(elements[at]))):
        if current.size:
            return count, lines + current.lines - current.last
        lines += current.lines
    return count, lines


def _same(one: Sequence[Segment], other: Sequence[Segment]) -> int:
    """How many stretches are the same at the beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _lines_to_first(segments: Iterable[Segment]) -> int | None:
    """How many lines stand before the first token of stretches; None if there is none."""
    lines = 0
    for segment in paced(segments):
        if segment.size:
            return lines + segment.first
        lines += segment.lines
    return None


def _texts(segments: Sequence[Segment], line: int, after: int | None) -> list[str]:
    """The numbers of stretches, the first of which begins so many lines behind the last token before; and the first one
    of the token that comes so many lines `after` them."""
    whole = joined(segments)
    texts = whole.numbers(line + whole.first).split(",") if whole.size else []
    if after is not None:
        texts.append(str(after + (whole.lines - whole.last if whole.size else line + whole.lines)))
    return texts


def _difference(old: list[str], new: list[str], base: int) -> Replaced | None:
    """Where two lists of numbers differ, which begin at the place `base`; None if they are equal."""
    if old == new:
        return None
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    end = next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)
    return Replaced(base + start, len(old) - start - end, ",".join(new[start : len(new) - end]))
