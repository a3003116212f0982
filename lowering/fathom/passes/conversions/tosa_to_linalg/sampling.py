"""The element of an image that is resized, of those of the image before: `resizing` says when.

Along each of its two axes a place is `(i * d + offset) / n`, for a scale of `n / d`: a whole number, and what is left
of it, as a fraction of `n` or as a float. Source of the rules: *TOSA specification*, "resize", and the order of the
operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.types import I32, INDEX, FloatType, IntegerType
from fathom.passes.arith_expansion.building import unary
from fathom.passes.arithmetic import binary, compare, compare_floats, constant, select
from fathom.passes.conversions.tosa_to_linalg.movements import loop_index
from fathom.passes.tensors import extract, shape_of
from fathom.passes.tosa.constants import real
from fathom.passes.tosa.limits import clamp
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


@record
class Image:
    """The tensor, the elements of the result, and how it is resized."""

    source: Value
    element: FloatType | IntegerType
    scale: Sequence[int]
    offset: Sequence[int]
    border: Sequence[int]
    nearest: bool


@record
class _Axis:
    """What is known along rows or columns: how many there are, the last of them, and the scale's numerator; then the
    place of an element, and how far it lies behind that."""

    extent: int
    last: Value
    numerator: Value
    place: Value
    rest: Value


class _Sampler:
    """Makes the operations of the loop's body."""

    def __init__(self, rewriter: Rewriter, image: Image) -> None:
        self._rewriter = rewriter
        self._image = image
        self._type = image.element
        self._batch, y, x, self._channel = (loop_index(rewriter, loop) for loop in range(4))
        self._zero = constant(rewriter, 0, I32)
        self._float_zero = constant(rewriter, 0, self._type)
        extents = shape_of(image.source)[1:3]
        lasts = [self._number(extent - 1) for extent in extents]
        places = [unary(rewriter, "index_cast", axis_place, I32) for axis_place in (y, x)]
        n_y, d_y, n_x, d_x = map(self._number, image.scale)
        offsets = [self._number(number) for number in image.offset]
        for number in image.border:
            self._number(number)
        scales = ((n_y, d_y), (n_x, d_x))
        self._axes = [
            self._axis(extent, last, place, scale, offset)
            for extent, last, place, scale, offset in zip(extents, lasts, places, scales, offsets, strict=True)
        ]

    def _number(self, value: int) -> Value:
        return constant(self._rewriter, value, I32)

    def _axis(self, extent: int, last: Value, place: Value, scale: tuple[Value, Value], offset: Value) -> _Axis:
        numerator, denominator = scale
        if extent == 1:
            rest = self._float_zero if isinstance(self._type, FloatType) else self._zero
            return _Axis(extent, last, numerator, self._zero, rest)
        rewriter = self._rewriter
        scaled = binary(rewriter, "addi", binary(rewriter, "muli", place, denominator), offset)
        if isinstance(self._type, FloatType):
            whole = binary(rewriter, "floordivsi", scaled, numerator)
            rest = unary(rewriter, "sitofp", binary(rewriter, "remsi", scaled, numerator), self._type)
            rest = binary(rewriter, "divf", rest, unary(rewriter, "uitofp", numerator, self._type))
        else:
            whole = binary(rewriter, "divsi", scaled, numerator)
            rest = binary(rewriter, "subi", scaled, binary(rewriter, "muli", whole, numerator))
        return _Axis(extent, last, numerator, whole, rest)

    def _pixel(self, y: Value, x: Value) -> Value:
        return extract(self._rewriter, self._image.source, [self._batch, y, x, self._channel])

    def _inside(self, place: Value, last: Value) -> Value:
        return clamp(self._rewriter, place, self._zero, last)

    # The nearest element.

    def nearest(self) -> Value:
        one = self._number(1)
        return self._pixel(*(self._nearest_place(axis, one) for axis in self._axes))

    def _nearest_place(self, axis: _Axis, one: Value) -> Value:
        """The next place where it lies half of the way or more behind this one."""
        rewriter = self._rewriter
        if axis.extent == 1:
            return constant(rewriter, 0)
        if isinstance(self._type, FloatType):
            is_behind = compare_floats(rewriter, "oge", axis.rest, real(rewriter, 0.5, self._type))
        else:
            is_behind = compare(rewriter, "sge", binary(rewriter, "shli", axis.rest, one), axis.numerator)
        place = binary(rewriter, "addi", axis.place, select(rewriter, is_behind, one, self._zero))
        return unary(rewriter, "index_cast", self._inside(place, axis.last), INDEX)

    # Between four elements.

    def between(self) -> Value:
        """What lies between two of one row, in two rows; and between these."""
        one = self._number(1)
        rows, columns = [self._around(axis, one) for axis in self._axes]
        pixels = [[self._pixel(row, column) for column in columns] for row in rows]
        y, x = self._axes
        if isinstance(self._type, FloatType):
            whole = real(self._rewriter, 1.0, self._type)
            top, bottom = (self._weigh_floats(row, x, whole) for row in pixels)
            return self._weigh_floats([top, bottom], y, whole)
        pixels = [[unary(self._rewriter, "extsi", pixel, self._type) for pixel in row] for row in pixels]
        (x_rest, y_rest), (y_scale, x_scale) = self._extended(x.rest, y.rest), self._extended(y.numerator, x.numerator)
        top, bottom = (self._weigh(row, x_rest, x_scale, x.extent) for row in pixels)
        return self._weigh([top, bottom], y_rest, y_scale, y.extent)

    def _around(self, axis: _Axis, one: Value) -> list[Value]:
        """This place and the next one, both inside of the image."""
        after = binary(self._rewriter, "addi", axis.place, one)
        places = [self._inside(value, axis.last) for value in (axis.place, after)]
        return [unary(self._rewriter, "index_cast", place, INDEX) for place in places]

    def _weigh_floats(self, values: Sequence[Value], axis: _Axis, whole: Value) -> Value:
        if axis.extent == 1:
            return values[0]
        rewriter = self._rewriter
        first = binary(rewriter, "mulf", values[0], binary(rewriter, "subf", whole, axis.rest))
        return binary(rewriter, "addf", first, binary(rewriter, "mulf", values[1], axis.rest))

    def _extended(self, *values: Value) -> list[Value]:
        """In as many bits as the result has, if that has more."""
        if self._type.width <= I32.width:
            return list(values)
        return [unary(self._rewriter, "extsi", value, self._type) for value in values]

    def _weigh(self, values: Sequence[Value], rest: Value, scale: Value, extent: int) -> Value:
        rewriter = self._rewriter
        if extent == 1:
            return binary(rewriter, "muli", values[0], scale)
        first = binary(rewriter, "muli", values[0], binary(rewriter, "subi", scale, rest))
        return binary(rewriter, "addi", first, binary(rewriter, "muli", values[1], rest))


def sample(rewriter: Rewriter, image: Image) -> Value:
    """The element at the place of the loop."""
    sampler = _Sampler(rewriter, image)
    return sampler.nearest() if image.nearest else sampler.between()
