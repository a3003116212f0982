"""Arrays as they came back from a program: their bytes, what they held before, and what changed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from fathom.execution.arrays import kind_of
from fathom.execution.layouts import element_size, is_dense
from fathom.execution.outcome import Array, Change, Changes, Json
from fathom.execution.pieces import value_in_memory
from fathom.execution.scalars import decode_all, nest
from fathom.ir.types import ComplexType, FloatType, IndexType, IntegerType, Type, VectorType
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

_FEW: Final = 4096
"""So many elements are compared without NumPy."""
MOST_CHANGES: Final = 10
"""So many changes are told one by one."""


@record(eq=False)
class Elements:
    """The elements of an array, row after row, as many of them as were read.

    `type` is that of the memref or tensor in the signature, or of the elements behind a pointer. `before` are as many
    bytes, where it was an argument. `is_text` is one that was given as a text, `is_one` a single value. `path` is where
    the argument was given.
    """

    type: Type
    element: Type
    shape: tuple[int, ...]
    data: bytes
    before: bytes | None = None
    deallocated: bool = False
    is_text: bool = False
    is_one: bool = False
    path: str = ""

    @property
    def count(self) -> int:
        """How many there are here."""
        size = element_size(self.element)
        return len(self.data) // size if size else math.prod(self.shape)

    @property
    def missing(self) -> int:
        """How many more the array has."""
        return max(math.prod(self.shape) - self.count, 0)

    def values(self, most: int | None = None) -> list[Json]:
        """The first of them, one by one."""
        size = element_size(self.element)
        if not size:
            return [value_in_memory(b"", self.element)] * min(self.count, _FEW if most is None else most)
        return decoded(self.data if most is None else self.data[: most * size], self.element)

    def to_json(self, most: int) -> Json:
        """What a memref or an array is in an outcome."""
        if self.is_one:
            return value_in_memory(self.data, self.element)
        values = self.values(most)
        value: dict[str, Json] = {"type": str(self.type), "shape": list(self.shape), "data": nest(values, self.shape)}
        if self.is_text and (text := self.text) is not None:
            value["data"] = text
        elif len(values) < math.prod(self.shape):
            value["truncated"] = math.prod(self.shape) - len(values)
        if self.deallocated:
            value["deallocated"] = True
        return value

    @property
    def text(self) -> str | None:
        """The text up to the first zero; None where it is none."""
        return _text(self.data)

    def array(self) -> Array | None:
        """The elements as NumPy has them, if it has such, and all are there; lanes are further dimensions."""
        lanes: tuple[int, ...] = ()
        element = self.element
        if isinstance(element, VectorType) and is_dense(element):
            lanes, element = element.ranked_shape, element.element
        kind = kind_of(element)
        return Array(kind, (*self.shape, *lanes), self.data) if kind is not None and not self.missing else None

    def changes(self, most: int = MOST_CHANGES) -> Changes:
        """Which elements are others than before, by their bits: how many, and the first of them."""
        if self.before is None or self.before == self.data:
            return Changes(self.path, 0, self.count)
        if self.is_text:
            return Changes(self.path, 1, 1, (Change((), _text(self.before) or "", self.text or ""),))
        size = element_size(self.element)
        places = list(_differing(self.before, self.data, size, self.element))
        first = [
            Change(
                _index(place, self.shape),
                decoded(self.before[place * size : (place + 1) * size], self.element)[0],
                decoded(self.data[place * size : (place + 1) * size], self.element)[0],
            )
            for place in places[:most]
        ]
        return Changes(self.path, len(places), self.count, tuple(first))


def decoded(data: bytes, element: Type) -> list[Json]:
    """The values of elements that lie one behind the other."""
    match element:
        case IntegerType() | FloatType() | IndexType() | ComplexType():
            return decode_all(data, element)
        case VectorType() if is_dense(element) and isinstance(element.element, (IntegerType, FloatType, IndexType)):
            lanes = decode_all(data, element.element)
            count = math.prod(element.ranked_shape)
            return [nest(lanes[i : i + count], element.ranked_shape) for i in range(0, len(lanes), count)]
        case _:
            size = element_size(element)
            return [value_in_memory(data[i : i + size], element) for i in range(0, len(data), size)]


def _text(data: bytes) -> str | None:
    try:
        return data.partition(b"\0")[0].decode()
    except UnicodeDecodeError:
        return None


def _differing(before: bytes, after: bytes, size: int, element: Type) -> Iterator[int]:
    """The numbers of elements whose values differ. What is beside a value in its bytes does not count."""
    count = len(after) // size
    if count > _FEW and isinstance(element, (IntegerType, FloatType, IndexType, ComplexType)):
        import numpy as np

        rows = [np.frombuffer(data, np.uint8).reshape(count, size) for data in (before, after)]
        places: list[int] = np.flatnonzero((rows[0] != rows[1]).any(axis=1)).tolist()
    else:
        places = [i for i in range(count) if before[i * size : (i + 1) * size] != after[i * size : (i + 1) * size]]
    whole = isinstance(element, (FloatType, ComplexType)) or kind_of(element) not in (None, "|b1")
    for place in places:
        start, end = place * size, (place + 1) * size
        if whole or decoded(before[start:end], element) != decoded(after[start:end], element):
            yield place


def _index(place: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    index: list[int] = []
    for extent in reversed(shape):
        place, last = divmod(place, max(extent, 1))
        index.insert(0, last)
    return tuple(index)
