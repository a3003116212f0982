"""Between which numbers an integer lies, read as an unsigned number and as a signed one; and what operations say of it.

Both readings are kept, since one may be exact where the other is not: of i8, 100 to 200 is -128 to 127 if it has a
sign. What an operation infers of its results, and of the arguments of its regions, is an aspect of its dialect
(`int_ranges.py`). Source of the rules: `InferIntRangeInterface` and `ConstantIntRanges` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from fathom.ir.types import DYNAMIC, IndexType, IntegerType, ShapedType, element_type, is_too_wide
from fathom.irdl.aspects import Aspect
from fathom.irdl.lazy import Joined
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type

INDEX_WIDTH: Final = 64


class IntRange(NamedTuple):
    """The least and greatest number of so many bits, without and with a sign; all are part of it. Of what is no integer
    the width is 0."""

    width: int
    umin: int
    umax: int
    smin: int
    smax: int

    def union(self, other: IntRange) -> IntRange:
        """What lies in either, and between them."""
        if not self.width or not other.width:
            return self if not self.width else other
        least, most = min(self.umin, other.umin), max(self.umax, other.umax)
        return IntRange(self.width, least, most, min(self.smin, other.smin), max(self.smax, other.smax))

    def intersection(self, other: IntRange) -> IntRange:
        """What lies in both."""
        if not self.width or not other.width:
            return self if not self.width else other
        least, most = max(self.umin, other.umin), min(self.umax, other.umax)
        return IntRange(self.width, least, most, max(self.smin, other.smin), min(self.smax, other.smax))

    @property
    def constant(self) -> int | None:
        """The only number that it has, without a sign."""
        if not self.width:
            return None
        if self.umin == self.umax:
            return self.umin
        return self.smin % (1 << self.width) if self.smin == self.smax else None


NO_INTEGER: Final = IntRange(0, 0, 0, 0, 0)


def signed(number: int, width: int) -> int:
    """A number of so many bits, read with a sign."""
    number %= 1 << width
    return number - (1 << width) if number >> (width - 1) else number


def of_signed(width: int, smin: int, smax: int) -> IntRange:
    """The range whose signed bounds are known."""
    whole = 1 << width
    if (smin < 0) == (smax < 0):
        one, other = smin % whole, smax % whole
        return IntRange(width, min(one, other), max(one, other), smin, smax)
    return IntRange(width, 0, whole - 1, smin, smax)


def of_unsigned(width: int, umin: int, umax: int) -> IntRange:
    """The range whose unsigned bounds are known."""
    half = 1 << (width - 1)
    if (umin < half) == (umax < half):
        one, other = signed(umin, width), signed(umax, width)
        return IntRange(width, umin, umax, min(one, other), max(one, other))
    return IntRange(width, umin, umax, -half, half - 1)


def of_number(width: int, number: int) -> IntRange:
    """The range of one number, with a sign or without."""
    if not width:
        return NO_INTEGER
    unsigned = number % (1 << width)
    return IntRange(width, unsigned, unsigned, signed(number, width), signed(number, width))


def everything(width: int) -> IntRange:
    """All numbers of so many bits."""
    return of_unsigned(width, 0, (1 << width) - 1) if width else NO_INTEGER


def width_of(type: Type) -> int:
    """The bits of an integer or an index, or of the elements of a shaped type; 0 for what is none of these, and for
    more bits than are computed with."""
    element = element_type(type)
    if isinstance(element, IndexType):
        return INDEX_WIDTH
    return element.width if isinstance(element, IntegerType) and not is_too_wide(type) else 0


Infer: TypeAlias = "Callable[[Any, Sequence[Any]], Iterator[tuple[Value, IntRange]]]"
"""What is known of values that an operation defines, given what is of its operands."""


@record(eq=False)
class Inference:
    """What an operation infers. It is asked when something is known of all its operands, or, if it `takes_unknown`,
    before: then there is None for the others. `widens` is whether a value that is handed on by the end of a block may
    not change twice, so that it does not go on for ever."""

    infer: Infer
    takes_unknown: bool = False
    widens: bool = True


INT_RANGES: Final = Aspect[Mapping[str, Inference]]("int_ranges", {}, Joined)


def of_result(range_of: Callable[[Any, Sequence[IntRange]], IntRange | None]) -> Inference:
    """Of an operation with one result, of which a function says the range."""

    def infer(op: Operation, operands: Sequence[IntRange]) -> Iterator[tuple[Value, IntRange]]:
        range_ = range_of(op, operands)
        if range_ is not None:
            yield op.result, range_

    return Inference(infer)


def of_loops(bounds: Callable[[Any], Sequence[tuple[Value, Sequence[int | Value]]]]) -> Inference:
    """Of loops, of which a function says the variables with their bounds and steps (`LoopLikeOpInterface`)."""

    def infer(op: Operation, operands: Sequence[IntRange | None]) -> Iterator[tuple[Value, IntRange]]:
        known = dict(zip(op.operands, operands, strict=True))
        for variable, (lower, upper, step) in bounds(op):
            width = width_of(variable.type)
            least, most = _extreme(lower, width, known)[0], _extreme(upper, width, known)[1]
            if _extreme(step, width, known)[1] < 0:
                least, most = most, least
            else:
                most = signed(most - 1, width)
            if width and most >= least:
                yield variable, of_signed(width, least, most)

    return Inference(infer, takes_unknown=True, widens=False)


def _extreme(bound: int | Value, width: int, known: Mapping[Value, IntRange | None]) -> tuple[int, int]:
    """How small and how great a bound may be."""
    if isinstance(bound, int):
        return bound, bound
    range_ = known.get(bound)
    if range_ is None or not width:
        return -(1 << max(width - 1, 0)), (1 << max(width - 1, 0)) - 1
    return range_.smin, range_.smax


def of_size(sizes: Sequence[int] | None, number: IntRange | None) -> IntRange:
    """The size of a shape, if it has one, in a dimension that is known to be between some."""
    unknown = of_signed(INDEX_WIDTH, 0, (1 << (INDEX_WIDTH - 1)) - 1)
    if sizes is None:
        return unknown
    first, last = (max(0, number.smin), min(len(sizes) - 1, number.smax)) if number is not None else (0, len(sizes) - 1)
    ranges = [unknown if size == DYNAMIC else of_number(INDEX_WIDTH, size) for size in sizes[first : last + 1]]
    return reduce(IntRange.union, ranges) if ranges else unknown


def _size(op: Any, operands: Sequence[IntRange | None]) -> Iterator[tuple[Value, IntRange]]:
    type = op.source.type
    yield op.result, of_size(type.shape if isinstance(type, ShapedType) else None, operands[1])


SIZE: Final = Inference(_size, takes_unknown=True)
"""Of an operation that tells the size of its source in a dimension (`ShapedDimOpInterface`)."""
