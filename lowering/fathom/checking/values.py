"""Whether the values of a run are those that a claim expects, and in words where they are not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final, TypeGuard

from fathom.execution.callable import in_memory
from fathom.execution.literals import place_of, read_contents
from fathom.execution.nearness import is_near
from fathom.execution.outcome import Json
from fathom.execution.pieces import in_words, pieces_of, value_in_words
from fathom.execution.scalars import decode_all, nest
from fathom.ir.types import MemRefType, Type, VectorType

SHOWN: Final = 60
"""Values of more characters are not shown whole."""
_MOST_SHOWN: Final = 3
"""So many of the elements that differ are named."""


def difference(value: Json, expected: Json, type: Type, tolerance: float | None, path: str) -> str | None:
    """What is not as expected of a value of a run, behind "it gives"; None if all is. `path` names the value in a
    complaint about what is expected.

    Expected values are written like arguments, and stand for what they would be in the type: an `i8` that is expected
    to be 255 is -1. Raises ArgumentProblem where they are none of the type.
    """
    passed = in_memory(type)
    if isinstance(passed, (MemRefType, VectorType)):
        contents = read_contents(expected, passed.shape, passed.element, path)
        shape = _shape_of(value, passed)
        if shape != contents.shape:
            return f"a shape of {_shape(shape)}, not {_shape(contents.shape)}"
        if isinstance(value, Mapping) and "truncated" in value:
            return f"more elements than are compared, {math.prod(shape)}"
        wanted = nest(decode_all(contents.all_data, passed.element), shape)
    else:
        wanted = value_in_words(in_words(pieces_of(expected, type, path)), type)
    given, extents = _elements(value)
    right, _ = _elements(wanted)
    pairs = enumerate(zip(given, right, strict=True))
    wrong = [place for place, (one, other) in pairs if not _same(one, other, tolerance)]
    if not wrong:
        return None
    return _told(
        value, wanted, [(place_of("", extents, place), given[place], right[place]) for place in wrong], len(given)
    )


def _shape_of(value: Json, type: MemRefType | VectorType) -> tuple[int, ...]:
    """The shape of a value of a run."""
    match value:
        case {"shape": [*extents]}:
            return tuple(extent for extent in extents if isinstance(extent, int))
        case _:
            return type.ranked_shape


def _elements(value: Json) -> tuple[list[Json], tuple[int, ...]]:
    """The numbers in a value, and their shape."""
    if isinstance(value, Mapping):
        value = value["data"]
    shape: list[int] = []
    rows: list[Json] = [value]
    while rows and all(map(_is_list, rows)):
        shape.append(len(rows[0]) if _is_list(rows[0]) else 0)
        rows = [each for row in rows if _is_list(row) for each in row]
    return rows, tuple(shape)


def _is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _same(one: Json, other: Json, tolerance: float | None) -> bool:
    """Whether two numbers are equal, or near enough. What is no number is equal to what is none."""
    if one == other or tolerance is None or not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
        return one == other
    return is_near(one, other, tolerance)


def _told(value: Json, wanted: Json, wrong: Sequence[tuple[str, Json, Json]], count: int) -> str:
    short, right = spelled(value), spelled(wanted)
    if len(short) <= SHOWN and len(right) <= SHOWN:
        return f"{short}, not {right}"
    named = ", ".join(
        f"{spelled(one)} at {place}, not {spelled(other)}" for place, one, other in islice(wrong, _MOST_SHOWN)
    )
    return f"{named}; {len(wrong)} of {count} elements differ"


def spelled(value: Json) -> str:
    """A value as it is written in a claim."""
    if isinstance(value, Mapping):
        return spelled(value["data"])
    if _is_list(value):
        return f"[{', '.join(map(spelled, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _shape(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "a single value"
