"""What is another at one stage than at another, operation by operation.

An operation that is there at both stages is the same, or was *moved*, *renamed* (its text differs in names of values
and blocks alone) or *changed*. One that is there at one of them only was *rewritten*, if one that is there at the other
was made of it, or else *added* or *removed*.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Literal, TypeAlias

from fathom.recording.ancestry import ancestors_in
from fathom.recording.stages import without_names
from fathom.records import record
from fathom.slices import paced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.recording.ancestry import Parents
    from fathom.recording.stages import StageText

How: TypeAlias = Literal["moved", "renamed", "changed", "rewritten", "added", "removed"]


@record
class Difference:
    """What became of operations, by their numbers: `before` those at the first stage, `after` those at the second. Of
    one that was changed or renamed, `moved` says that it also stands elsewhere; of one that was added, `made_of` names
    what it was made of and is still there."""

    how: How
    before: tuple[int, ...]
    after: tuple[int, ...]
    moved: bool = False
    made_of: tuple[int, ...] = ()


def differences(parents: Parents, before: StageText, after: StageText) -> list[Difference]:
    """What is another, in the order of the second text; what was removed stands where it stood in the first, behind all
    else."""
    found: list[Difference] = []
    moved = _moved(before, after)
    rewritten: dict[tuple[int, ...], list[int]] = {}
    replaced: set[int] = set()
    for number in paced(after.places):
        if number in before.places:
            if (how := _how(number, before, after, number in moved)) is not None:
                found.append(how)
            continue
        ancestors = ancestors_in(parents, number, before.places)
        lost = tuple(ancestor for ancestor in ancestors if ancestor not in after.places)
        if not lost:
            found.append(Difference("added", (), (number,), made_of=tuple(ancestors)))
        elif lost in rewritten:
            rewritten[lost].append(number)
        else:
            rewritten[lost] = [number]
            replaced.update(lost)
            found.append(Difference("rewritten", lost, ()))
    found = [
        Difference("rewritten", each.before, tuple(rewritten[each.before])) if each.how == "rewritten" else each
        for each in found
    ]
    removed = (number for number in before.places if number not in after.places and number not in replaced)
    return [*found, *(Difference("removed", (number,), ()) for number in removed)]


def _how(number: int, before: StageText, after: StageText, has_moved: bool) -> Difference | None:
    """What became of an operation that is there at both stages; None if nothing did."""
    was, is_now = before.head(number), after.head(number)
    both = (number,)
    if was == is_now:
        return Difference("moved", both, both, moved=True) if has_moved else None
    how: How = "renamed" if without_names(was) == without_names(is_now) else "changed"
    return Difference(how, both, both, moved=has_moved)


def _moved(before: StageText, after: StageText) -> set[int]:
    """The operations that stand in another order, as few of them as may be, or in another operation that was there
    already."""
    places = {number: place for place, number in enumerate(before.places)}
    moved: set[int] = set()
    shared: list[int] = []
    for number in after.places:
        if number not in places:
            continue
        around, was_around = after.places[number].around, before.places[number].around
        if around != was_around and around in before.places and was_around in after.places:
            moved.add(number)
        else:
            shared.append(number)
    return moved.union(shared).difference(_rising(shared, [places[number] for number in shared]))


def _rising(numbers: Sequence[int], places: Sequence[int]) -> list[int]:
    """The most of some numbers whose places rise: patience sorting."""
    tops: list[int] = []
    indices: list[int] = []
    previous: list[int] = []
    for index, place in enumerate(places):
        pile = bisect_left(tops, place)
        previous.append(indices[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(place)
            indices.append(index)
        else:
            tops[pile], indices[pile] = place, index
    rising: list[int] = []
    index = indices[-1] if indices else -1
    while index >= 0:
        rising.append(numbers[index])
        index = previous[index]
    return rising
