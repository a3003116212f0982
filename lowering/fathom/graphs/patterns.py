"""Which elements of an array the iterations of a nest touch, how often, and in which order.

The elements are a grid: the last dimension is its columns, the others are its rows, in the order of memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice, product
from math import prod
from typing import Final, TypeAlias

from fathom.graphs.iterations import Point, Space
from fathom.ir.types import DYNAMIC
from fathom.records import record

MOST_ROWS: Final = 32
MOST_COLUMNS: Final = 32
"""So many rows and columns of an array are drawn."""
MOST_TOUCHES: Final = 1 << 14
"""So many touches are gone through."""

Index: TypeAlias = "Callable[[Point], int | None]"


@record
class Pattern:
    """A part of the grid of an array: the indices of each row but the last one, and of columns from `column` on. Of
    each element, row by row, the number of the iteration that touches it `first`, from 0 on, -1 for none, and how many
    `times` it is touched."""

    rows: tuple[tuple[int, ...], ...]
    column: int
    columns: int
    first: tuple[int, ...]
    times: tuple[int, ...]


@record
class Touched:
    """What the iterations touch: a pattern, if there is any element to show; how many elements all in all; the least
    and the most times that one of these is touched; how many touches are outside of the array; and how many iterations
    this is about, all if it `is_whole`."""

    pattern: Pattern | None
    elements: int
    least: int
    most: int
    outside: int
    iterations: int
    is_whole: bool


def touched(space: Space, indices: Sequence[Index], shape: Sequence[int], extent: Sequence[int]) -> Touched:
    """What iterations touch of an array of a shape, whose sizes may be DYNAMIC, at the places that `indices` give."""
    first: dict[Point, int] = {}
    times: dict[Point, int] = {}
    outside = 0
    box = [range(size) for size in (*(1,) * (len(shape) - len(extent)), *extent)]
    parts = list(islice(product(*box), MOST_TOUCHES))
    points = space.points[: max(1, MOST_TOUCHES // len(parts))]
    for number, point in enumerate(points):
        place = [index(point) for index in indices]
        if any(each is None for each in place):
            continue
        for part in parts:
            element = tuple((at or 0) + by for at, by in zip(place, part, strict=True))
            if any(at < 0 or (at >= size and size != DYNAMIC) for at, size in zip(element, shape, strict=True)):
                outside += 1
                continue
            first.setdefault(element, number)
            times[element] = times.get(element, 0) + 1
    is_whole = space.is_whole and len(points) == len(space.points) and len(parts) == prod(extent)
    counts = times.values()
    least, most = min(counts, default=0), max(counts, default=0)
    return Touched(_pattern(first, times, shape), len(times), least, most, outside, len(points), is_whole)


def _pattern(first: dict[Point, int], times: dict[Point, int], shape: Sequence[int]) -> Pattern | None:
    if not first:
        return None
    rows, columns = _rows(first, shape), _columns(first, shape)
    places = [(*row, *((column,) if shape else ())) for row in rows for column in columns]
    return Pattern(
        tuple(rows),
        columns.start,
        len(columns),
        tuple(first.get(place, -1) for place in places),
        tuple(times.get(place, 0) for place in places),
    )


def _rows(first: dict[Point, int], shape: Sequence[int]) -> list[Point]:
    """The rows that are drawn: all of them, or those that are touched."""
    sizes = shape[:-1]
    if DYNAMIC not in sizes and prod(sizes) <= MOST_ROWS:
        return list(product(*(range(size) for size in sizes)))
    return sorted({element[:-1] for element in first})[:MOST_ROWS]


def _columns(first: dict[Point, int], shape: Sequence[int]) -> range:
    if not shape:
        return range(1)
    if shape[-1] != DYNAMIC and shape[-1] <= MOST_COLUMNS:
        return range(shape[-1])
    touched = [element[-1] for element in first]
    return range(min(touched), min(max(touched) + 1, min(touched) + MOST_COLUMNS))


def pattern_fields(pattern: Pattern) -> dict[str, object]:
    """A pattern as JSON has it."""
    return {
        "rows": [list(row) for row in pattern.rows],
        "column": pattern.column,
        "columns": pattern.columns,
        "first": list(pattern.first),
        "times": list(pattern.times),
    }


def grid(pattern: Pattern) -> list[str]:
    """The grid as lines of text: of each element the number of the iteration that touches it first, `.` for none."""
    cells = [str(number) if number >= 0 else "." for number in pattern.first]
    heads = [f"[{', '.join(map(str, row))}]" if row else "" for row in pattern.rows]
    wide = max(map(len, [*cells, str(pattern.column + pattern.columns - 1)]))
    margin = max(map(len, heads))
    numbers = " ".join(f"{pattern.column + column:>{wide}}" for column in range(pattern.columns))
    lines = [f"{'':{margin}} | {numbers}"]
    for number, head in enumerate(heads):
        row = cells[number * pattern.columns : (number + 1) * pattern.columns]
        lines.append(f"{head:{margin}} | {' '.join(f'{cell:>{wide}}' for cell in row)}".rstrip())
    return lines
