"""What tosa's operations compute, of those that do the same for each element, that reduce or that rearrange."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

from fathom.dialects.tosa import interpreted_pools as pools
from fathom.interpreting import elementwise as each
from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.memrefs import element_of, indices_of, place_in, transposed
from fathom.interpreting.numbers import FLOAT, INTEGER, compare_integers, rounded
from fathom.interpreting.values import Array, Datum, NotUnderstood, bits_of, of_attribute
from fathom.ir.types import FloatType, Type

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ops import tosa as ops


def _spread(arrays: list[Array]) -> list[Array]:
    """Arrays of one rank, of which those with the size 1 in a dimension are repeated there."""
    shape = tuple(max(sizes) for sizes in zip(*(array.shape for array in arrays), strict=True))
    return [array if array.shape == shape else _repeated(array, shape) for array in arrays]


def _repeated(array: Array, shape: tuple[int, ...]) -> Array:
    items: list[Datum] = []
    for place in indices_of(shape):
        at = [min(one, size - 1) for one, size in zip(place, array.shape, strict=True)]
        items.append(array.items[place_in(array.shape, at)])
    return Array(shape, tuple(items))


def _combined(integer: str, of_float: str, type: Type) -> Callable[[Any, Any], Datum]:
    if isinstance(type, FloatType):
        if not of_float:
            raise NotUnderstood(f"such an operation on {type}")
        name, function = type.name, FLOAT[of_float]
        return lambda a, b: rounded(function(a, b), name)
    bits, of = bits_of(type), INTEGER[integer]
    return lambda a, b: of(a, b, bits) % (1 << bits)


def _pointwise(integer: str, of_float: str = "") -> Interpret:
    def interpret(op: Operation, operands: list[Any], _: Frame) -> Datum:
        return each.binary(_combined(integer, of_float, element_of(op.operands[0])), _spread(operands))

    return interpret


def _compared(predicate: int, of_float: int) -> Interpret:
    def interpret(op: Operation, operands: list[Any], _: Frame) -> Datum:
        type = element_of(op.operands[0])
        arrays = _spread(operands)
        if isinstance(type, FloatType):
            return each.compared_floats(of_float, list(arrays))
        bits = bits_of(type)
        return each.binary(lambda a, b: compare_integers(predicate, a, b, bits), arrays)

    return interpret


def _reduced(integer: str, of_float: str) -> Interpret:
    def interpret(op: ops.ReduceSumOp, operands: list[Any], _: Frame) -> Datum:
        (array,), axis = operands, op.axis.value
        combine = _combined(integer, of_float, element_of(op.operands[0]))
        shape = tuple(1 if dim == axis else size for dim, size in enumerate(array.shape))
        items = [
            reduce(
                combine,
                (
                    array.items[place_in(array.shape, [at if dim == axis else here for dim, here in enumerate(place)])]
                    for at in range(array.shape[axis])
                ),
            )
            for place in indices_of(shape)
        ]
        return Array(shape, tuple(items))

    return interpret


def _transposed(op: ops.TransposeOp, operands: list[Any], _: Frame) -> Datum:
    return transposed(operands[0], op.perms.values)


def _constant(op: ops.ConstOp, _: list[Any], __: Frame) -> Datum:
    return of_attribute(op.values)


def _chosen(op: ops.SelectOp, operands: list[Any], _: Frame) -> Datum:
    del op
    return each.ternary(lambda which, a, b: a if which else b, _spread(operands))


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    **pools.INTERPRETATION,
    "tosa.add": _pointwise("add", "add"),
    "tosa.bitwise_and": _pointwise("and"),
    "tosa.bitwise_or": _pointwise("or"),
    "tosa.bitwise_xor": _pointwise("xor"),
    "tosa.const": _constant,
    "tosa.equal": _compared(0, 1),
    "tosa.greater": _compared(4, 2),
    "tosa.greater_equal": _compared(5, 3),
    "tosa.identity": each.same,
    "tosa.intdiv": _pointwise("divs"),
    "tosa.logical_and": _pointwise("and"),
    "tosa.logical_or": _pointwise("or"),
    "tosa.logical_xor": _pointwise("xor"),
    "tosa.maximum": _pointwise("maxs", "maximum"),
    "tosa.minimum": _pointwise("mins", "minimum"),
    "tosa.reduce_max": _reduced("maxs", "maximum"),
    "tosa.reduce_min": _reduced("mins", "minimum"),
    "tosa.reduce_product": _reduced("mul", "mul"),
    "tosa.reduce_sum": _reduced("add", "add"),
    "tosa.select": _chosen,
    "tosa.sub": _pointwise("sub", "sub"),
    "tosa.transpose": _transposed,
}
