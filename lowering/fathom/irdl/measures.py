"""Terms about what is a number in a type or attribute: ranks, widths, extents, values, and lists of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from math import prod
from typing import Final

from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.ir.floats import to_float
from fathom.irdl.parts import is_kept
from fathom.irdl.terms import Term, Test
from fathom.records import record
from fathom.text.escapes import quote


def _rank(value: object) -> int | None:
    return len(value.shape) if isinstance(value, t.ShapedType) and value.shape is not None else None


def _length(value: object) -> int | None:
    if not isinstance(value, t.ShapedType) or not value.has_static_shape or not value.ranked_shape:
        return None
    return prod(value.ranked_shape)


def _count(value: object) -> int | None:
    if isinstance(value, a.ArrayAttr):
        return len(value.elements)
    return len(value.values) if isinstance(value, a.DenseArrayAttr) else None


def _bits(value: object) -> int | None:
    return value.width if isinstance(value, (t.IntegerType, t.FloatType)) else None


def _integer(value: object) -> int | None:
    return value.value if isinstance(value, a.IntegerAttr) else None


MEASURES: Final[Mapping[str, Callable[[object], int | None]]] = {
    "rank": _rank,
    "number of elements": _length,
    "bit width": _bits,
    "value": _integer,
    "count": _count,
}
"""What of a value is a number; None where it has no such number."""


def _measure(name: str, index: int | None) -> Callable[[object], int | None]:
    if index is None:
        return MEASURES[name]
    if name == "extent":

        def extent(value: object) -> int | None:
            shape = value.shape if isinstance(value, t.ShapedType) else None
            return shape[index] if shape is not None and -len(shape) <= index < len(shape) else None

        return extent

    def element(value: object) -> int | None:
        elements = value.elements if isinstance(value, a.ArrayAttr) else ()
        return _integer(elements[index]) if index < len(elements) else None

    return element


@record
class Within(Term):
    """A number lies between two bounds, each of which counts; None is no bound. With `index` the number is an extent
    of a shape, or an element of an array."""

    measure: str
    low: int | None = None
    high: int | None = None
    index: int | None = None

    def compiled(self) -> Test:
        measure, low, high = _measure(self.measure, self.index), self.low, self.high

        def accepts(value: object) -> bool:
            number = measure(value)
            is_within = number is not None and (low is None or number >= low) and (high is None or number <= high)
            return is_within or is_kept(value)

        return accepts

    def __str__(self) -> str:
        which = "" if self.index is None else f", {self.index}"
        if self.high is None:
            return f"AtLeast<{quote(self.measure)}, {self.low}{which}>"
        if self.low is None:
            return f"AtMost<{quote(self.measure)}, {self.high}{which}>"
        return f"Within<{quote(self.measure)}, {self.low}, {self.high}{which}>"


@record
class Among(Term):
    """A number is one of several, like `Within`."""

    measure: str
    numbers: tuple[int, ...]
    index: int | None = None

    def compiled(self) -> Test:
        measure, numbers = _measure(self.measure, self.index), frozenset(self.numbers)
        return lambda value: measure(value) in numbers or is_kept(value)

    def __str__(self) -> str:
        which = "" if self.index is None else f", {self.index}"
        return f"Among<{quote(self.measure)}, [{', '.join(map(str, self.numbers))}]{which}>"


@record
class OnlyBits(Term):
    """The value of an integer attribute has no bits beyond these."""

    bits: int

    def compiled(self) -> Test:
        others = ~self.bits
        return lambda value: isinstance(value, a.IntegerAttr) and not value.value & others

    def __str__(self) -> str:
        return f"OnlyBits<{self.bits}>"


@record
class Numbers(Term):
    """A dense array whose numbers are all at least `low`, and in order if it is `sorted`, strictly if `strict`."""

    low: int | None = None
    sorted: bool = False
    strict: bool = False

    def compiled(self) -> Test:
        low, is_sorted, strict = self.low, self.sorted, self.strict

        def accepts(value: object) -> bool:
            if not isinstance(value, a.DenseArrayAttr):
                return False
            type = value.element
            numbers = [to_float(n, type.name) for n in value.values] if isinstance(type, t.FloatType) else value.values
            if low is not None and any(number < low for number in numbers):
                return False
            return not is_sorted or all(x < y or (x == y and not strict) for x, y in pairwise(numbers))

        return accepts

    def __str__(self) -> str:
        low = "?" if self.low is None else str(self.low)
        return f"Numbers<{low}, {'strictly sorted' if self.strict else 'sorted' if self.sorted else 'any order'}>"


@record
class PowerOfTwo(Term):
    """An integer attribute whose value is a power of two."""

    def compiled(self) -> Test:
        return lambda value: isinstance(value, a.IntegerAttr) and value.value > 0 and value.value.bit_count() == 1

    def __str__(self) -> str:
        return "PowerOfTwo"


@record
class Shape(Term):
    """A shaped type of exactly this shape."""

    shape: tuple[int, ...]

    def compiled(self) -> Test:
        shape = self.shape
        return lambda value: isinstance(value, t.ShapedType) and value.shape == shape

    def __str__(self) -> str:
        return f"Shape<[{', '.join(map(str, self.shape))}]>"
