"""Of which operations one was made: what a pattern was applied to and took away; where no pattern did it, what comes
from the same place in the source."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fathom.recording.numbers import Known
    from fathom.recording.recording import Journal, Step

_Place: TypeAlias = tuple[int, int]
Parents: TypeAlias = "Mapping[int, tuple[int, ...]]"
"""Which operations one was made of, by their numbers."""


def parents_of(
    steps: Sequence[Step], came: set[int], before: Sequence[int], gone: Sequence[int], known: Mapping[int, Known]
) -> dict[int, tuple[int, ...]]:
    """The parents of what was made by the steps of a pass, some of which went again in the same pass. `came` is what is
    there behind it that was not among the operations `before`, and `gone` what of these is there no more."""
    parents: dict[int, tuple[int, ...]] = {}
    by_itself: list[int] = []
    for step in steps:
        if step.root is None:
            by_itself += step.made
            continue
        made_of = (
            step.root,
            *(number for number in step.gone if number != step.root and _says_more(step, number, known)),
        )
        for number in step.made:
            parents.setdefault(number, made_of)
    if by_itself:
        places = _by_place(gone, known)
        all_places = _by_place(before, known)
        for number in by_itself:
            place = _place(known[number])
            parents.setdefault(number, places.get(place) or all_places.get(place, ()) if place is not None else ())
    # What was made and is gone again is needed where something that stayed was made of it.
    needed = set(came)
    pending = list(came)
    while pending:
        for parent in parents.get(pending.pop(), ()):
            if parent not in needed:
                needed.add(parent)
                pending.append(parent)
    return {number: made_of for number, made_of in parents.items() if number in needed}


def _says_more(step: Step, number: int, known: Mapping[int, Known]) -> bool:
    """Whether what was taken away with the root came from elsewhere in the source."""
    return step.root is not None and known[number].span != known[step.root].span


def _by_place(numbers: Iterable[int], known: Mapping[int, Known]) -> dict[_Place, tuple[int, ...]]:
    places: dict[_Place, list[int]] = {}
    for number in numbers:
        place = _place(known[number])
        if place is not None:
            places.setdefault(place, []).append(number)
    return {place: tuple(same) for place, same in places.items()}


def _place(known: Known) -> _Place | None:
    return (known.span.start, known.span.end) if known.span is not None else None


def children_of(recording: Journal) -> dict[int, list[int]]:
    """What was made of each operation."""
    children: dict[int, list[int]] = {}
    for number, parents in recording.parents.items():
        for parent in parents:
            children.setdefault(parent, []).append(number)
    return children


def ancestors_in(parents: Parents, number: int, where: set[int] | Mapping[int, object]) -> list[int]:
    """The nearest operations that one was made of and that are among some: itself, if it is one of them."""
    found: dict[int, None] = {}
    pending, seen = [number], {number}
    while pending:
        current = pending.pop()
        if current in where:
            found[current] = None
            continue
        for parent in parents.get(current, ()):
            if parent not in seen:
                seen.add(parent)
                pending.append(parent)
    return sorted(found)
