"""A value of an interpreted program in a few characters: a scalar in full; an array by its shape, the range of its
elements, and the first of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, prod
from typing import Final

from fathom.execution.outcome import Json, UnsupportedSignature
from fathom.execution.scalars import decode_all
from fathom.execution.spelled import of_values, spell, spell_array
from fathom.interpreting.memory import Memory, bytes_of, size_of
from fathom.interpreting.memrefs import indices_of, row_major
from fathom.interpreting.values import Array, Datum, MemRef, NotUnderstood
from fathom.ir.types import ComplexType, FloatType, IndexType, IntegerType, ShapedType, Type, VectorType
from fathom.programs.behaviour import UNDEFINED
from fathom.programs.told import Told

SHORT: Final = 48
"""An array whose elements take no more characters is told in full."""
LOOKED_AT: Final = 1 << 19
"""So many elements are looked at, over all values."""
_FIRST: Final = 64
"""So many are, of an array that is longer than what is left of these."""
_UNKNOWN: Final = "?"
_NUMBERS: Final = (IntegerType, IndexType, FloatType, ComplexType)


class Telling:
    """Tells values of two machines that did the same: what is not the same for both is not defined."""

    def __init__(self, memory: Memory, other: Memory) -> None:
        self._memory = memory
        self._other = other
        self._left = LOOKED_AT

    def of(self, type: Type, value: Datum, other: Datum | None) -> Told | None:
        """A value, by what it was for both; None for what is not told, such as an address."""
        try:
            if isinstance(type, _NUMBERS):
                (only,) = _same(_numbers([value], type), _numbers([other], type))
                return Told(_spelled(only))
            return self._of_array(type, value, other) if isinstance(type, ShapedType) else None
        except (NotUnderstood, UnsupportedSignature):
            return None

    def _of_array(self, type: ShapedType, value: Datum, other: Datum | None) -> Told | None:
        shape = _shape(value)
        if shape is None:
            return None
        element = type.element
        lanes = element.ranked_shape if isinstance(element, VectorType) else ()
        number = element.element if isinstance(element, VectorType) else element
        whole = (*shape, *lanes)
        if not isinstance(number, _NUMBERS):
            return None
        if _shape(other) != shape:
            return Told(_UNKNOWN)
        count = prod(whole)
        looked_at = count if count <= self._left else min(count, _FIRST)
        self._left -= looked_at
        items = self._items(value, element, self._memory, looked_at)
        if items is None:
            return Told(f"{_spelled_type(whole, number)}, freed")
        if other is not value or self._other is not self._memory:
            items = _same(items, self._items(other, element, self._other, looked_at) or [])
        return _array(type, whole, number, items)

    def _items(self, value: Datum | None, element: Type, memory: Memory, count: int) -> list[Json] | None:
        """The first elements, those of vectors one by one; None where they are not kept any more."""
        if isinstance(value, Array):
            return _numbers(value.items[:count], element)
        if not isinstance(value, MemRef):
            return None
        size = size_of(element)
        number = element.element if isinstance(element, VectorType) else element
        start = value.aligned + value.offset * size
        if value.strides == row_major(value.sizes):
            data = memory.peek(start, min(prod(value.sizes), count) * size)
            return decode_all(data, number) if data is not None else None
        data = b""
        for place, at in enumerate(indices_of(value.sizes)):
            if place >= count:
                break
            part = memory.peek(start + sum(i * s for i, s in zip(at, value.strides, strict=True)) * size, size)
            if part is None:
                return None
            data += part
        return decode_all(data, number)


def _shape(value: Datum | None) -> tuple[int, ...] | None:
    return value.shape if isinstance(value, Array) else value.sizes if isinstance(value, MemRef) else None


def _numbers(items: Sequence[Datum | None], type: Type) -> list[Json]:
    return decode_all(b"".join(bytes_of(item, type) for item in items if item is not None), type)


def _same(one: Sequence[Json], other: Sequence[Json]) -> list[Json]:
    """What both have, and else what is not defined."""
    if one == other:
        return list(one)
    padded = [*other, *[UNDEFINED] * (len(one) - len(other))]
    return [a if a == b else UNDEFINED for a, b in zip(one, padded, strict=False)]


def _spelled(value: Json) -> str:
    return _UNKNOWN if value is UNDEFINED else spell(value)


def _spelled_type(shape: Sequence[int], element: Type) -> str:
    return "x".join([*map(str, shape), str(element)])


def _array(type: Type, shape: tuple[int, ...], element: Type, items: list[Json]) -> Told:
    count = prod(shape)
    if not shape:
        return Told(_spelled(items[0]) if items else _UNKNOWN)
    if not count:
        return Told(_spelled_type(shape, element))
    if all(item is UNDEFINED for item in items):
        return Told(f"{_spelled_type(shape, element)} of {_UNKNOWN}")
    # Of many elements no more are written than are shown.
    if count == len(items) <= SHORT:
        full = _nested(items, shape)
        if len(full) <= SHORT:
            return Told(f"{_spelled_type(shape, element)} {full}")
    begun = _nested(items[: min(len(items), SHORT)], shape)
    begun = begun.rstrip("]") if len(begun) <= SHORT else begun[:SHORT].rpartition(", ")[0] or begun[:SHORT]
    around = _range(items) if len(items) == count else ""
    short = f"{_spelled_type(shape, element)}{around and f' of {around}'}"
    is_one = count == len(items) and all(item == items[0] for item in items)
    return Told(short if is_one else f"{short}: {begun}, …", f"{type}\n{_at_length(items, shape, element)}")


def _nested(items: Sequence[Json], shape: tuple[int, ...]) -> str:
    """The first elements as nested lists."""
    words = [_spelled(item) for item in items]
    text = words[0] if words else ""
    sizes = [prod(shape[at:]) for at in range(1, len(shape))]
    text = "[" * len(shape) + text
    for place, word in enumerate(words[1:], 1):
        closed = sum(place % size == 0 for size in sizes if size)
        text += f"{']' * closed}, {'[' * closed}{word}"
    return text + "]" * len(shape)


def _range(items: Sequence[Json]) -> str:
    """Between which numbers the elements lie, those that are some."""
    numbers = [item for item in items if isinstance(item, (int, float)) and not isinstance(item, bool)]
    numbers = [item for item in numbers if isfinite(item)]
    if len(numbers) < len(items) and not numbers:
        first = items[0]
        return _spelled(first) if all(item == first for item in items) else ""
    low, high = min(numbers), max(numbers)
    return spell(low) if low == high and len(numbers) == len(items) else f"{spell(low)} to {spell(high)}"


def _at_length(items: list[Json], shape: tuple[int, ...], element: Type) -> str:
    """The elements as NumPy prints them, or one after the other where some are not known."""
    if any(item is UNDEFINED for item in items):
        return _nested(items[:_FIRST], shape) + (" …" if len(items) > _FIRST else "")
    if len(items) < prod(shape):
        return f"{spell(items)[:-1]}, …"
    return spell_array(of_values(items, element).reshape(shape))
