"""What operations of the dialect `test` say of the integers that they make; one shows what is known of its operand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import IntegerType, element_type
from fathom.rewriting.int_ranges import Inference, IntRange, of_result, signed, width_of
from fathom.rewriting.range_arithmetic import NSW, NUW, add

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value

BOUNDS: Final = ("umin", "umax", "smin", "smax")


def _stated(op: Operation, width: int) -> IntRange:
    values = [attribute.value for name in BOUNDS if isinstance(attribute := op.properties.get(name), IntegerAttr)]
    umin, umax, smin, smax = values
    whole = 1 << width
    return IntRange(width, umin % whole, umax % whole, signed(smin, width), signed(smax, width))


def _of_region(op: Operation, _: Sequence[IntRange]) -> Iterator[tuple[Value, IntRange]]:
    (argument,) = op.regions[0].arguments
    yield argument, _stated(op, width_of(argument.type))


def _reflect(op: Operation, operands: Sequence[IntRange]) -> IntRange:
    known, element = operands[0], element_type(op.result.type)
    for name, number in zip(BOUNDS, known[1:], strict=True):
        has_sign = name[0]
        type = IntegerType(element.width, has_sign) if isinstance(element, IntegerType) else element
        value = number if isinstance(element, IntegerType) else signed(number, known.width)
        op.properties[name] = IntegerAttr(value, type)
    return known


def _increment(_: Operation, operands: Sequence[IntRange]) -> IntRange:
    one = IntRange(operands[0].width, 1, 1, 1, 1)
    return add([operands[0], one], NSW | NUW)


INT_RANGES: Final = {
    "test.with_bounds": of_result(lambda op, _: _stated(op, width_of(op.result.type))),
    "test.with_bounds_region": Inference(_of_region),
    "test.increment": of_result(_increment),
    "test.reflect_bounds": of_result(_reflect),
}
