"""What tosa's pools compute: of each window the greatest element, or the mean of those that are no padding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.memrefs import element_of, indices_of, place_in
from fathom.interpreting.numbers import FLOAT, INTEGER, rounded
from fathom.interpreting.values import Array, Datum, NotUnderstood, bits_of, signed
from fathom.ir.types import I32, FloatType, IntegerType
from fathom.irdl.cases import word

if TYPE_CHECKING:
    from fathom.ops import tosa as ops


def _windows(op: ops.MaxPool2dOp | ops.AvgPool2dOp, array: Array, of: Callable[[list[Any]], Datum]) -> Array:
    """What is made of the elements of each window, in the layout NHWC; padding is no element."""
    kernel, stride, (top, bottom, left, right) = op.kernel.values, op.stride.values, op.pad.values
    count, height, width, channels = array.shape
    rows = (height + top + bottom - kernel[0]) // stride[0] + 1
    columns = (width + left + right - kernel[1]) // stride[1] + 1
    shape = (count, rows, columns, channels)
    made: list[Datum] = []
    for batch, row, column, channel in indices_of(shape):
        places = [
            (batch, y, x, channel)
            for y in _inside(row * stride[0] - top, kernel[0], height)
            for x in _inside(column * stride[1] - left, kernel[1], width)
        ]
        if not places:
            raise NotUnderstood(f"'{op.name}' with a window of padding alone")
        made.append(of([array.items[place_in(array.shape, place)] for place in places]))
    return Array(shape, tuple(made))


def _inside(first: int, size: int, extent: int) -> Sequence[int]:
    return range(max(first, 0), min(first + size, extent))


def _greatest(op: ops.MaxPool2dOp, operands: list[Any], _: Frame) -> Datum:
    element = element_of(op.input)
    if isinstance(element, FloatType):
        greater = FLOAT["maxnum" if word(op, "nan_mode") == "IGNORE" else "maximum"]
        return _windows(op, operands[0], lambda items: reduce(greater, items))
    bits, of = bits_of(element), INTEGER["maxs"]
    return _windows(op, operands[0], lambda items: reduce(lambda a, b: of(a, b, bits) % (1 << bits), items))


def _mean(op: ops.AvgPool2dOp, operands: list[Any], _: Frame) -> Datum:
    element = element_of(op.input)
    if isinstance(element, IntegerType):
        return _mean_of_integers(op, operands, element)
    if not isinstance(element, FloatType) or op.acc_type.type != element:
        raise NotUnderstood(f"'{op.name}' of {element}")
    name = element.name

    def mean(items: list[float]) -> float:
        total = reduce(lambda a, b: rounded(a + b, name), items, 0.0)
        return rounded(total / len(items), name)

    return _windows(op, operands[0], mean)


def _in_32_bits(number: int) -> int:
    """What is left of a number."""
    return signed(number % (1 << 32), 32)


def _mean_of_integers(op: ops.AvgPool2dOp, operands: list[Any], element: IntegerType) -> Datum:
    """The quotient is a product with a reciprocal of 30 bits, as tosa wants it; less one zero point, plus the other."""
    if op.acc_type.type != I32 or element.signedness == "u":
        raise NotUnderstood(f"'{op.name}' of {element}")
    image, *points = operands
    bits = element.width
    before, after = (signed(point.items[0], bits) for point in points)
    most = (1 << bits - 1) - 1

    def mean(items: list[int]) -> int:
        total = _in_32_bits(sum(signed(item, bits) for item in items) - len(items) * before)
        power = (len(items) - 1).bit_length()
        multiplier, shift = ((1 << 30) + 1 << power) // len(items), 30 + power
        quotient = _in_32_bits((total * multiplier + (1 << shift - 1)) >> shift)
        return min(max(_in_32_bits(quotient + after), -most - 1), most) % (1 << bits)

    return _windows(op, image, mean)


INTERPRETATION: Final[Mapping[str, Interpret]] = {"tosa.avg_pool2d": _mean, "tosa.max_pool2d": _greatest}
