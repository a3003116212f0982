"""What to change in a text, where the same thing was printed before and is printed after: a merge of three, token by
token.

    written   llvm.load   %p : !p                    as a person wrote it
    before    llvm.load %p : !llvm.ptr<f32>          as it is printed in its edition
    after     llvm.load %p : !llvm.ptr -> f32        as it is printed today

What `before` and `after` have in common stays as it is written, with its spaces, line breaks and comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from fathom.formatting.change import Change
from fathom.modernising.places import REGION, Token

MOST: Final = 2_000
"""Of more tokens that differ it is not looked up which of them do."""


def merged(
    source: str, written: Sequence[Token], before: Sequence[Token], after: Sequence[Token], printed: str
) -> list[Change] | None:
    """The changes of the source in which `written` stands; `after` stands in the text `printed`. None where they have
    not the same regions."""
    parts = [_between_regions(tokens) for tokens in (written, before, after)]
    if len({len(part) for part in parts}) != 1:
        return None
    changes: list[Change] = []
    for mine, old, new in zip(*parts, strict=True):
        changes += _merged(source, mine, old, new, printed)
    return changes


def replaced(source: str, written: Sequence[Token], after: Sequence[Token], printed: str) -> list[Change] | None:
    """The changes that put what is printed in the place of all that is written, but for regions."""
    mine, new = _between_regions(written), _between_regions(after)
    if len(mine) != len(new):
        return None
    changes: list[Change] = []
    for one, other in zip(mine, new, strict=True):
        changes += _hunk(source, one, (0, len(one)), other, (0, len(other)), printed)
    return changes


def _between_regions(tokens: Sequence[Token]) -> list[list[Token]]:
    """The tokens before, between and behind regions, each time with those of the regions beside them."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.text == REGION:
            parts[-1].append(token)
            parts.append([token])
        else:
            parts[-1].append(token)
    return parts


def _merged(
    source: str, written: Sequence[Token], before: Sequence[Token], after: Sequence[Token], printed: str
) -> Iterator[Change]:
    places = _matching(written, before)
    for old, new in _hunks(before, after, places):
        start, end = old
        first = places[start - 1] + 1 if start else 0
        last = places[end] if end < len(before) else len(written)
        yield from _hunk(source, written, (first, last), after, new, printed)


def _matching(written: Sequence[Token], before: Sequence[Token]) -> dict[int, int]:
    """Which token of what is written is which of what is printed, by the index of the latter."""
    mine, theirs = [token.text for token in written], [token.text for token in before]
    front = _common(mine, theirs)
    back = _common(mine[front:][::-1], theirs[front:][::-1])
    places = {at: at for at in range(front)}
    places |= {len(theirs) - 1 - at: len(mine) - 1 - at for at in range(back)}
    inner, others = mine[front : len(mine) - back], theirs[front : len(theirs) - back]
    if max(len(inner), len(others)) <= MOST:
        for _, at, at_end, other, end in SequenceMatcher(None, inner, others, autojunk=False).get_opcodes():
            # As many in the place of others are the same ones, written otherwise, as numbers may be.
            if at_end - at == end - other:
                places |= {front + other + step: front + at + step for step in range(end - other)}
    return places


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _hunks(
    before: Sequence[Token], after: Sequence[Token], places: dict[int, int]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Where `before` and `after` differ, each time with so much around it that what stands beside it is written as it
    is printed."""
    old, new = [token.text for token in before], [token.text for token in after]
    if max(len(old), len(new)) > MOST:
        blocks = [(len(old), len(new), 0)]
    else:
        blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    kept = [(at + step, other + step) for at, other, count in blocks for step in range(count) if (at + step) in places]
    differs = {at for at, _ in _gaps(blocks)}
    last = (-1, -1)
    for at, other in [*kept, (len(old), len(new))]:
        start, begin = last[0] + 1, last[1] + 1
        # What is only written otherwise than it is printed is no difference.
        if (start, begin) != (at, other) and any(gap in differs for gap in range(start, at + 1)):
            yield (start, at), (begin, other)
        last = at, other


def _gaps(blocks: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """The places of the one text, and of the other, at which something differs."""
    last, begin = 0, 0
    for at, other, count in blocks:
        if at > last or other > begin:
            yield from ((place, begin) for place in range(last, max(at, last + 1)))
        last, begin = at + count, other + count


def _hunk(
    source: str,
    written: Sequence[Token],
    old: tuple[int, int],
    after: Sequence[Token],
    new: tuple[int, int],
    printed: str,
) -> Iterator[Change]:
    """The change that puts some tokens in the place of others, with the space around them as it is printed, unless a
    line breaks there, or a comment stands."""
    (first, last), (begin, end) = old, new
    while first < last and begin < end and written[first].text == after[begin].text:
        first, begin = first + 1, begin + 1
    while first < last and begin < end and written[last - 1].text == after[end - 1].text:
        last, end = last - 1, end - 1
    if first == last and begin == end:
        return
    left = written[first - 1].end if first else written[0].start
    right = written[last].start if last < len(written) else written[-1].end
    text = printed[after[begin].start : after[end - 1].end] if begin < end else ""
    if first == last:
        gap = source[left:right]
        if "\n" in gap:
            yield Change(left, left, _space(printed, after, begin) + text)
        else:
            yield Change(left, right, _space(printed, after, begin) + text + _space(printed, after, end))
        return
    before, behind = source[left : written[first].start], source[written[last - 1].end : right]
    if not text:
        broken = next((gap for gap in (before, behind) if "\n" in gap), None)
        yield Change(left, right, broken if broken is not None else _space(printed, after, begin))
        return
    before = _kept(before, _space(printed, after, begin))
    behind = _kept(behind, _space(printed, after, end))
    yield Change(left, right, before + text + behind)


def _kept(gap: str, wanted: str) -> str:
    """What stands between tokens: as it is, where it is as much as is printed there, or goes over lines."""
    return gap if "\n" in gap or bool(gap) == bool(wanted) else wanted


def _space(printed: str, after: Sequence[Token], index: int) -> str:
    """What stands before a token of a printed text."""
    return printed[after[index - 1].end : after[index].start] if 0 < index < len(after) else ""
