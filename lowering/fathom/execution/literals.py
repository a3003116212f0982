"""JSON-like values of arrays of numbers: nested lists, or an object that describes the contents, to shape and bytes.

The objects are `{"shape": [2, 3], "fill": x}`, `{"shape": …, "data": flat or nested list}`,
`{"shape": …, "iota": start}` (0, 1, 2, … in row-major order), `{"shape": …, "random": seed}` and
`{"shape": …, "eye": true}`; a text such as `random(4, 4, seed=7)` stands for one of them (`fills`). The shape may be
left out where the type says it. `"strides"` and `"offset"`, in elements, place the data in memory where the type leaves
that open.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final, TypeGuard

from fathom.execution.outcome import ArgumentProblem, Array, Given
from fathom.execution.scalars import describe, encode, encode_all, spell_shape
from fathom.ir.types import DYNAMIC, ComplexType, Type, VectorType
from fathom.records import record

_KEYS: Final = ("shape", "fill", "data", "iota", "random", "eye", "strides", "offset", "type")
_MADE: Final = ("iota", "random", "eye")
"""What `fills` makes by the functions of these names."""
_CONTENTS: Final = ("fill", "data", *_MADE)
LARGEST: Final = 1 << 40
"""No extent is larger; it keeps sizes in bytes well within 64 bits."""
MOST_DIMENSIONS: Final = 64


@record
class Contents:
    """The elements of an array: row-major bytes, or one element that is repeated if `is_fill`. A vector among them is
    its lanes, one behind the other."""

    shape: tuple[int, ...]
    data: bytes
    is_fill: bool = False
    strides: tuple[int, ...] | None = None
    offset: int | None = None

    @property
    def all_data(self) -> bytes:
        """The bytes of all elements, also of one that is repeated."""
        return self.data * math.prod(self.shape) if self.is_fill else self.data


def read_contents(value: Given, shape: tuple[int, ...] | None, element: Type, path: str) -> Contents:
    """What an argument holds. `shape` is that of the type, None if it has no rank. Raises ArgumentProblem."""
    if isinstance(value, str):
        from fathom.execution.fills import expanded

        described = expanded(value, path)
        value = described if described is not None else value
    if isinstance(value, Mapping):
        contents = _read_object(value, shape, element, path)
    elif isinstance(value, Array):
        contents = _read_array(value, shape, element, path)
    else:
        inferred = infer_shape(value, shape, element, path)
        contents = Contents(inferred, _encode_rows(value, inferred, element, path))
    if len(contents.shape) > MOST_DIMENSIONS:
        raise ArgumentProblem(path, f"at most {MOST_DIMENSIONS} dimensions", f"{len(contents.shape)}")
    return contents


def is_list(value: Given) -> TypeGuard[Sequence[Given]]:
    """Whether a value is a list of values."""
    return isinstance(value, Sequence) and not isinstance(value, str)


def _read_array(value: Array, shape: tuple[int, ...] | None, element: Type, path: str) -> Contents:
    lanes = element.ranked_shape if isinstance(element, VectorType) else ()
    rank = len(value.shape) - len(lanes)
    if rank < 0 or value.shape[rank:] != lanes:
        raise ArgumentProblem(path, f"an array whose last extents are {spell_shape(lanes)}", describe(value))
    from fathom.execution.arrays import elements_of

    own = _match(value.shape[:rank], shape, path)
    lane = element.element if isinstance(element, VectorType) else element
    return Contents(own, elements_of(value, lane, lambda i: place_of(path, value.shape, i)))


def described(value: Mapping[str, Given], shape: tuple[int, ...] | None, path: str) -> tuple[str, Described]:
    """By which key an object says what its elements are, and where they lie: the shape is None where the elements tell
    it. Raises ArgumentProblem."""
    for key in value:
        if key not in _KEYS:
            raise ArgumentProblem(f"{path}.{key[:40]}", f"one of the keys {', '.join(_KEYS[:-1])}", describe(key))
    given = [key for key in _CONTENTS if key in value]
    if len(given) != 1:
        expected = ", ".join(f'"{key}"' for key in _CONTENTS)
        raise ArgumentProblem(path, f"one of {expected}", " and ".join(given) or "none of them")
    known: tuple[int, ...] | None = None
    if "shape" in value:
        known = _match(_integers(value["shape"], f"{path}.shape", lowest=0), shape, f"{path}.shape")
    elif given != ["data"]:
        if shape is None or DYNAMIC in shape:
            expected = f'"shape", as the type leaves it open: {spell_shape(shape)}'
            raise ArgumentProblem(path, expected, "no shape")
        known = shape
    strides = _integers(value["strides"], f"{path}.strides") if "strides" in value else None
    offset = _integer(value["offset"], f"{path}.offset", 0) if "offset" in value else None
    return given[0], Described(known, strides, offset)


@record
class Described:
    """What an object says of an array besides its elements."""

    shape: tuple[int, ...] | None
    strides: tuple[int, ...] | None
    offset: int | None

    def holding(self, shape: tuple[int, ...], data: bytes, path: str, *, is_fill: bool = False) -> Contents:
        """The array with its elements."""
        if self.strides is not None and len(self.strides) != len(shape):
            got = describe(self.strides)
            raise ArgumentProblem(f"{path}.strides", f"{len(shape)} integers", got)
        return Contents(shape, data, is_fill, self.strides, self.offset)


def _read_object(value: Mapping[str, Given], shape: tuple[int, ...] | None, element: Type, path: str) -> Contents:
    key, about = described(value, shape, path)
    here, held = f"{path}.{key}", value[key]
    if about.shape is None or key == "data":
        if isinstance(held, Array):
            inner = _read_array(held, about.shape or shape, element, here)
            return about.holding(inner.shape, inner.data, path)
        own = about.shape if about.shape is not None else infer_shape(held, shape, element, here)
        if is_list(held) and len(own) != 1 and math.prod(own) == len(held) and not any(map(is_list, held)):
            lane = element.element if isinstance(element, VectorType) else element
            return about.holding(own, encode_all(held, lane, lambda i: f"{here}[{i}]"), path)
        return about.holding(own, _encode_rows(held, own, element, here), path)
    if key == "fill":
        return about.holding(about.shape, _encode_fill(held, element, here), path, is_fill=True)
    from fathom.execution import fills

    make = {"iota": fills.iota, "random": fills.random, "eye": fills.eye}[key]
    return about.holding(about.shape, make(held, about.shape, element, here), path)


def _integers(value: Given, path: str, count: int | None = None, lowest: int = -LARGEST) -> tuple[int, ...]:
    expected = f"{'a list of' if count is None else f'{count}'} integers"
    if not is_list(value) or (count is not None and len(value) != count):
        raise ArgumentProblem(path, expected, describe(value))
    return tuple(_integer(extent, f"{path}[{i}]", lowest) for i, extent in enumerate(value))


def _integer(value: Given, path: str, lowest: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= LARGEST:
        raise ArgumentProblem(path, f"an integer from {lowest} to {LARGEST}", describe(value))
    return value


def _match(inferred: tuple[int, ...], shape: tuple[int, ...] | None, path: str) -> tuple[int, ...]:
    """The shape given, if it fits that of the type."""
    if shape is None:
        return inferred
    if len(inferred) != len(shape):
        raise ArgumentProblem(path, f"the rank {len(shape)} of {spell_shape(shape)}", f"{len(inferred)}")
    for i, (extent, wanted) in enumerate(zip(inferred, shape, strict=True)):
        if wanted not in (DYNAMIC, extent):
            raise ArgumentProblem(f"{path}[{i}]", f"{wanted}, from the type's shape {spell_shape(shape)}", f"{extent}")
    return inferred


def infer_shape(value: Given, shape: tuple[int, ...] | None, element: Type, path: str) -> tuple[int, ...]:
    """The shape of nested lists, along their first elements; behind an empty list those of the type, or 0."""
    inner = len(element.ranked_shape) if isinstance(element, VectorType) else int(isinstance(element, ComplexType))
    extents, rank = list[int](), len(shape) if shape is not None else _depth(value) - inner
    for level in range(max(rank, 0)):
        if not is_list(value):
            here = path + "[0]" * level
            raise ArgumentProblem(here, f"a list (dimension {level + 1} of {rank})", describe(value))
        wanted = shape[level] if shape else DYNAMIC
        if wanted not in (DYNAMIC, len(value)):
            raise ArgumentProblem(path + "[0]" * level, f"a list of {wanted}", describe(value))
        extents.append(len(value))
        if not value:
            rest = shape[level + 1 :] if shape else ()
            return (*extents, *(max(extent, 0) for extent in rest))
        value = value[0]
    return tuple(extents)


def _depth(value: Given) -> int:
    depth = 0
    while is_list(value):
        depth += 1
        value = value[0] if value else None
    return depth


def place_of(path: str, shape: Sequence[int], index: int) -> str:
    """The path of the element with this row-major index."""
    suffix = ""
    for extent in reversed(shape):
        index, last = divmod(index, extent)
        suffix = f"[{last}]{suffix}"
    return path + suffix


def _encode_rows(value: Given, shape: tuple[int, ...], element: Type, path: str) -> bytes:
    """The bytes of nested lists, which must be regular."""
    full = shape
    while isinstance(element, VectorType):
        full, element = (*full, *element.ranked_shape), element.element
    rows: list[Given] = [value]
    for level, extent in enumerate(full):
        for i, row in enumerate(rows):
            if not is_list(row) or len(row) != extent:
                raise ArgumentProblem(place_of(path, full[:level], i), f"a list of {extent}", describe(row))
        rows = list(chain.from_iterable(row for row in rows if is_list(row)))
    return encode_all(rows, element, lambda i: place_of(path, full, i))


def _encode_fill(value: Given, element: Type, path: str) -> bytes:
    if not isinstance(element, VectorType):
        return encode(value, element, path)
    if is_list(value):
        return _encode_rows(value, (), element, path)
    return encode(value, element.element, path) * math.prod(element.ranked_shape)
