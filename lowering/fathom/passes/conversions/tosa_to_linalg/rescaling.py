"""`tosa.rescale`: numbers that stand for others by a scale and a zero point, in those of another type.

Scales are one for all, or one for each element along the last dimension. Source of the rules: *TOSA specification*,
"rescale", and the order of the operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from fathom.dialects.arith.elements import as_signed, dense
from fathom.dialects.tosa.canonicalization import constant_numbers
from fathom.dialects.tosa.values import zero_point
from fathom.ir.affine import AffineDim, AffineMap, identity_map
from fathom.ir.types import I32, IntegerType, TensorType
from fathom.irdl.cases import word
from fathom.passes.arith_expansion.building import unary
from fathom.passes.arithmetic import binary, constant
from fathom.passes.structured import generic
from fathom.passes.tensors import collapsed, dims_where_open, empty, shape_of, tensor_type
from fathom.passes.tosa.constants import rounding_mode
from fathom.passes.tosa.limits import clamp, highest, lowest
from fathom.rewriting.pattern import Failure
from fathom.rewriting.type_converter import CAST

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.rewriter import Rewriter

I8 = IntegerType(8)


Read: TypeAlias = "Callable[[Sequence[Value]], Value]"
"""What there is of something in the loop, which has these arguments."""


class _Inputs:
    """What the loop reads, with its maps."""

    def __init__(self, rewriter: Rewriter, source: Value) -> None:
        self._rewriter = rewriter
        self._rank = len(shape_of(source))
        self.values = [source]
        self.maps = [identity_map(self._rank)]

    def add_numbers(self, numbers: Sequence[int], element: IntegerType) -> Read:
        """A constant: one number for all, or one for each element along the last dimension."""
        if len(numbers) == 1:
            value = constant(self._rewriter, numbers[0], element)
            return lambda arguments: value
        type = TensorType((len(numbers),), element)
        return self._add(self._rewriter.constant(dense(numbers, type), type), each_has_its_own=True)

    def add(self, tensor: Value) -> Read:
        """A tensor of one element for all, or of one for each."""
        return self.add_one(tensor) if shape_of(tensor)[0] == 1 else self._add(tensor, each_has_its_own=True)

    def add_one(self, tensor: Value) -> Read:
        """A tensor of one element."""
        return self._add(collapsed(self._rewriter, tensor, (), []).result, each_has_its_own=False)

    def _add(self, tensor: Value, *, each_has_its_own: bool) -> Read:
        results = (AffineDim(self._rank - 1),) if each_has_its_own else ()
        self.values.append(tensor)
        self.maps.append(AffineMap(self._rank, 0, results))
        index = len(self.values) - 1
        return lambda arguments: arguments[index]


def rescale(op: ops.RescaleOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """See the module."""
    source, type = tensor_type(op.input), tensor_type(op.output)
    mode = word(op, "rounding_mode")
    if mode == "INEXACT_ROUND":
        return Failure("tosa.rescale with rounding mode = 'INEXACT_ROUND' is not currently supported")
    if mode == "DOUBLE_ROUND" and not op.scale32.value:
        return Failure("tosa.rescale requires scale32 for double_round to be true")
    element = type.element
    if not isinstance(source.element, IntegerType) or not isinstance(element, IntegerType):
        return Failure("only support integer type")
    sizes = dims_where_open(rewriter, op.input, type.ranked_shape)
    shifts, multipliers = constant_numbers(op.shift), constant_numbers(op.multiplier)
    inputs = _Inputs(rewriter, op.input)
    if shifts is not None and multipliers is not None:
        # What is shifted further than there are bits is zero.
        multipliers = [0 if shift > 63 else factor for factor, shift in zip(multipliers, shifts, strict=True)]
        shifts = [0 if shift > 63 else shift for shift in shifts]
        mode = mode if any(shift > 31 for shift in shifts) else "SINGLE_ROUND"
    multiplier = inputs.add(op.multiplier) if multipliers is None else inputs.add_numbers(multipliers, I32)
    shift = inputs.add(op.shift) if shifts is None else inputs.add_numbers(shifts, I8)
    source_zero, zero = _source_zero(op), _zero(op)
    read_source_zero = inputs.add_one(op.input_zp) if source_zero is None else None
    read_zero = inputs.add_one(op.output_zp) if zero is None else None
    output = empty(rewriter, type.ranked_shape, element, sizes)
    wide = IntegerType(max(source.element.width, 32))

    def body(arguments: Sequence[Value]) -> Sequence[Value]:
        before = _zero_point(rewriter, source_zero, read_source_zero, arguments, wide)
        after = _zero_point(rewriter, zero, read_zero, arguments, I32)
        scale, amount = multiplier(arguments), shift(arguments)
        value = binary(rewriter, "subi", _widened(rewriter, op, arguments[0]), before)
        properties = {"rounding_mode": rounding_mode(mode)}
        value = rewriter.create("tosa.apply_scale", [value, scale, amount], [I32], properties).result
        value = binary(rewriter, "addi", value, after)
        return [_saturated(rewriter, op, value, element)]

    maps = [*inputs.maps, identity_map(len(shape_of(op.input)))]
    loops = "p" * len(shape_of(op.input))
    rewriter.replace(op, generic(rewriter, inputs.values, [output], maps, loops, body, [type]).results)
    return None


def _source_zero(op: ops.RescaleOp) -> int | None:
    return zero_point(op.input_zp, signed=not op.input_unsigned.value)


def _zero(op: ops.RescaleOp) -> int | None:
    return zero_point(op.output_zp, signed=not op.output_unsigned.value)


def _zero_point(
    rewriter: Rewriter, known: int | None, read: Read | None, arguments: Sequence[Value], type: IntegerType
) -> Value:
    """A zero point in as many bits as it is computed with."""
    if known is not None or read is None:
        return constant(rewriter, known or 0, type)
    value = read(arguments)
    own = value.type
    assert isinstance(own, IntegerType), "a zero point is an integer"
    if own.width >= type.width:
        return value
    if own.signedness == "u":
        return unary(rewriter, "extui", _signless(rewriter, value, own), type)
    return unary(rewriter, "extsi", value, type)


def _signless(rewriter: Rewriter, value: Value, type: IntegerType) -> Value:
    return rewriter.create(CAST, [value], [IntegerType(type.width)]).result


def _widened(rewriter: Rewriter, op: ops.RescaleOp, value: Value) -> Value:
    """An element of the input in 32 bits, if it has fewer."""
    type = value.type
    assert isinstance(type, IntegerType), "an element is an integer"
    if type.signedness == "u":
        value = _signless(rewriter, value, type)
    if type.width >= 32:
        return value
    return unary(rewriter, "extui" if op.input_unsigned.value else "extsi", value, I32)


def _saturated(rewriter: Rewriter, op: ops.RescaleOp, value: Value, type: IntegerType) -> Value:
    """A number in the range of the output, in its bits."""
    low, high = (0, (1 << type.width) - 1) if op.output_unsigned.value else (lowest(type), highest(type))
    limits = [constant(rewriter, as_signed(number, 32), I32) for number in (low, high)]
    value = clamp(rewriter, value, limits[0], limits[1])
    if type.width < 32:
        value = unary(rewriter, "trunci", value, IntegerType(type.width))
    return rewriter.create(CAST, [value], [type]).result if type.signedness == "u" else value
