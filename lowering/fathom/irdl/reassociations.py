"""Which dimensions of one shape are joined to one of another, and how two such reshapes become one.

A *reassociation* has a group of dimensions, one behind the other, for each dimension of the shape of fewer. Source of
the rules: `mlir/Dialect/Utils/ReshapeOpsUtils.h`, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypeAlias

from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, i64_attr
from fathom.ir.types import DYNAMIC

Groups: TypeAlias = "Sequence[Sequence[int]]"


def groups_of(reassociation: Attribute | None) -> list[list[int]]:
    """The groups of `[[0, 1], [2]]`."""
    elements = reassociation.elements if isinstance(reassociation, ArrayAttr) else ()
    groups = [group.elements if isinstance(group, ArrayAttr) else () for group in elements]
    return [[index.value for index in group if isinstance(index, IntegerAttr)] for group in groups]


def attribute_of(groups: Groups) -> ArrayAttr:
    """`[[0, 1], [2]]`."""
    return ArrayAttr(tuple(ArrayAttr(tuple(map(i64_attr, group))) for group in groups))


def compose(first: Groups, second: Groups) -> list[list[int]] | None:
    """The reassociation of two collapses, or of two expansions, one after the other."""
    inner, outer = (first, second) if len(first) > len(second) else (second, first)
    if len(inner) == len(outer):
        return None
    if not outer:
        return []
    if len(inner) != sum(map(len, outer)):
        return None
    return [[index for place in group for index in inner[place]] for group in outer]


def fits(groups: Groups, expanded: Sequence[int], collapsed: Sequence[int]) -> bool:
    """Whether the sizes of each group have the product that they collapse to; it is not known where one of them is
    not."""
    for group, whole in zip(groups, collapsed, strict=True):
        parts = [expanded[dim] for dim in group]
        if whole != (DYNAMIC if DYNAMIC in parts else prod(parts)):
            return False
    return True


def cover(inner: Groups, outer: Groups) -> list[list[int]] | None:
    """Of an expansion by the one and a collapse by the other: which groups of `inner` each of `outer` consists of. None
    where one of `inner` ends in the midst of one of `outer`."""
    place = 0
    cover_groups: list[list[int]] = []
    for group in outer:
        covered: list[int] = []
        while place < len(inner):
            last = inner[place][-1]
            if last > group[-1]:
                return None
            covered.append(place)
            place += 1
            if last == group[-1]:
                break
        cover_groups.append(covered)
    return cover_groups


def collapse_groups(
    source_groups: Groups, result_groups: Groups, source: Sequence[int], result: Sequence[int]
) -> list[list[int]] | None:
    """The reassociation that collapses `source` to `result`, both reshapes of what stands between them, group by
    group; None where it is not unique."""
    if not source_groups:
        return groups_between(source, result)
    groups: list[list[int]] = []
    for mine, theirs in zip(source_groups, result_groups, strict=False):
        before, after = [source[dim] for dim in mine], [result[dim] for dim in theirs]
        if before.count(DYNAMIC) > 1 and after.count(DYNAMIC) > 1:
            return None
        if len(before) == len(after):
            if before != after:
                return None
            groups += ([dim] for dim in mine)
            continue
        inside = groups_between(before, after)
        if inside is None:
            return None
        groups += ([mine[0] + place for place in group] for group in inside)
    return groups


def groups_between(source: Sequence[int], target: Sequence[int]) -> list[list[int]] | None:
    """The reassociation that collapses one shape to another. None where there is none, or where it can be read in
    several ways that differ in more than dimensions of 1."""
    if len(source) <= len(target):
        return None
    if not target:
        return [] if all(size in (1, DYNAMIC) for size in source) else None
    forward = _ranges(source, target)
    backward = _ranges(source[::-1], target[::-1])
    if forward is None or backward is None:
        return None
    last = len(source) - 1
    mirrored = [(last - end, last - start) for start, end in reversed(backward)]
    for one, other in zip(forward, mirrored, strict=True):
        if any(source[dim] != 1 for dim in _apart(one, other)):
            return None
    return [list(range(start, end + 1)) for start, end in forward]


def _apart(one: tuple[int, int], other: tuple[int, int]) -> list[int]:
    """What is in one of two ranges only."""
    first, second = (set(range(start, end + 1)) for start, end in (one, other))
    return sorted(first ^ second)


def _ranges(source: Sequence[int], target: Sequence[int]) -> list[tuple[int, int]] | None:
    """From the left: for each size of the target the first sizes of the source whose product it is. What is skipped
    belongs to a size before it that is not known."""
    ranges: list[tuple[int, int]] = []
    place, last = 0, len(source) - 1
    for number, size in enumerate(target):
        is_last = number == len(target) - 1
        range = _open_range(source, place, is_last) if size == DYNAMIC else _range(source, place, size, is_last)
        if range is None:
            return None
        if range[0] > place:
            if not ranges or target[number - 1] != DYNAMIC:
                return None
            ranges[-1] = (ranges[-1][0], range[0] - 1)
        place = range[1] + 1
        ranges.append(range)
    return ranges if ranges[-1][1] == last else None


def _open_range(source: Sequence[int], start: int, is_last: bool) -> tuple[int, int] | None:
    """Up to the next size that is not known, or to the end."""
    for end in range(start, len(source)):
        if source[end] == DYNAMIC:
            return start, len(source) - 1 if is_last else end
    return None


def _range(source: Sequence[int], start: int, size: int, is_last: bool) -> tuple[int, int] | None:
    """The next sizes whose product this is; at the end also those of 1 behind them."""
    product, first = 1, start
    for end in range(start, len(source)):
        if source[end] == DYNAMIC:
            product, first = 1, end + 1
            continue
        product *= source[end]
        while product > size and first < end:
            product //= source[first] or 1
            first += 1
        if product != size:
            continue
        while is_last and end + 1 < len(source) and source[end + 1] == 1:
            end += 1
        return first, end
    return None
