"""What the pass computes of constants.

Source of the rules: *TOSA specification*, "transpose", "reciprocal" and "Reduction Operators", and what mlir-opt 22
computes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.arith.elements import as_signed, normal
from fathom.dialects.arith.elements import dense as dense_of
from fathom.ir.attributes import DenseElementsAttr, DenseResourceAttr
from fathom.ir.float_arithmetic import divide
from fathom.ir.floats import from_float
from fathom.ir.packed import code_of, element_size, unpack
from fathom.ir.types import FloatType, IndexType, IntegerType
from fathom.ops.tosa import ConstOp
from fathom.passes.tensors import ranked
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, defined_by, replacing

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import TensorType
    from fathom.ops import tosa as ops
    from fathom.rewriting.pattern import Replacement
    from fathom.rewriting.rewriter import Rewriter

    Elements: TypeAlias = "Sequence[int | tuple[int, int]]"
    Reduction: TypeAlias = (
        "ops.ReduceAllOp | ops.ReduceAnyOp | ops.ReduceMaxOp | ops.ReduceMinOp | ops.ReduceProductOp | ops.ReduceSumOp"
    )


def patterns(*, of_shared: bool) -> list[Pattern]:
    """All of them; `of_shared` is said of constants that are reduced and have other uses as well."""
    return [
        replacing("tosa.reciprocal", _reciprocal, name="TosaFoldConstantReciprocal"),
        replacing("tosa.transpose", _transposed, name="TosaFoldConstantTranspose"),
        *(
            replacing(name, partial(_reduced, join=join, of_shared=of_shared), name="ReduceConstantOptimization")
            for name, join in _JOINS.items()
        ),
    ]


def _constant(rewriter: Rewriter, elements: Attribute, type: TensorType) -> Operation:
    return rewriter.create("tosa.const", (), [type], {"values": elements})


def _has_one_use(value: Value) -> bool:
    return sum(list(user.operands).count(value) for user in value.uses) == 1


# ---- reciprocals


def _reciprocal(op: ops.ReciprocalOp, rewriter: Rewriter) -> Replacement:
    """Where that takes no more memory."""
    source = defined_by(op.input1, ConstOp)
    attribute = source.values if source is not None else None
    element = attribute.type.element if isinstance(attribute, DenseElementsAttr) else None
    if not isinstance(attribute, DenseElementsAttr) or not isinstance(element, FloatType):
        return Failure("the input is no constant of floats")
    if not attribute.is_splat and not _has_one_use(op.input1):
        return Failure("others use the constant")
    type, one = ranked(attribute.type), from_float(1.0, element.name)
    if type is None:
        return NO_MATCH
    values = [divide(one, value, element.name) for value in attribute.values if isinstance(value, int)]
    return _constant(rewriter, _dense(values, type), type)


# ---- transpositions


def _transposed(op: ops.TransposeOp, rewriter: Rewriter) -> Replacement:
    """Where nothing else uses the constant."""
    source, type = ranked(op.input1.type), ranked(op.output.type)
    if source is None or type is None or not isinstance(type.element, (IntegerType, IndexType, FloatType)):
        return NO_MATCH
    elements = _elements(constant_value(op.input1))
    if elements is None or len(op.input1.uses) != 1:
        return NO_MATCH
    order = op.perms.values
    shape = tuple(source.ranked_shape[place] for place in order)
    if type.ranked_shape != shape:
        return Failure("the shape of the result is not known")
    if len(elements) > 1:
        elements = [elements[place] for place in _places(source.ranked_shape, order)]
    return _constant(rewriter, _dense(elements, type), type)


def _elements(attribute: Attribute | None) -> Elements | None:
    """The elements of a constant, one for all of a splat."""
    if isinstance(attribute, DenseElementsAttr):
        return attribute.values
    if not isinstance(attribute, DenseResourceAttr) or attribute.blob is None:
        return None
    element = attribute.type.element
    if code_of(element) is None:
        return None
    raw = bytes.fromhex(attribute.blob.digits())[_ALIGNMENT:]
    known = len(raw) == element_size(element) * prod(attribute.type.ranked_shape)
    return unpack(raw, element) if known else None


_ALIGNMENT: Final = 4
"""The bytes before the elements of a resource."""


def _places(shape: Sequence[int], order: Sequence[int]) -> list[int]:
    """Where the elements of a result stand in what is transposed, in their order."""
    places = [0]
    for axis in order:
        stride = prod(shape[axis + 1 :])
        places = [place + step * stride for place in places for step in range(shape[axis])]
    return places


def _dense(elements: Elements, type: TensorType) -> DenseElementsAttr:
    """The elements, as a splat when all are equal."""
    is_same = len(elements) > 0 and all(element == elements[0] for element in elements)
    return DenseElementsAttr(tuple(elements[:1] if is_same else elements), type)


# ---- reductions


def _reduced(op: Reduction, rewriter: Rewriter, *, join: Callable[[int, int], int], of_shared: bool) -> Replacement:
    """Of integers."""
    source, type = defined_by(op.input, ConstOp), ranked(op.output.type)
    if source is None or type is None or not type.has_static_shape:
        return NO_MATCH
    if not of_shared and not _has_one_use(op.input):
        return Failure("others use the constant")
    values = _elements(source.values)
    element, shape, axis = type.element, ranked(op.input.type), op.axis.value
    if values is None or shape is None or not isinstance(element, IntegerType):
        return NO_MATCH
    if axis >= len(shape.ranked_shape) or 0 in shape.ranked_shape:
        return Failure("nothing is reduced")
    numbers = [as_signed(value, element.width) for value in values if isinstance(value, int)]
    extent, inner = shape.ranked_shape[axis], prod(shape.ranked_shape[axis + 1 :])

    def joined(a: int, b: int) -> int:
        return as_signed(normal(join(a, b), element), element.width)

    if len(numbers) == 1:
        sums = [_repeated(joined, numbers[0], extent)]
    else:
        sums = [
            reduce(joined, numbers[first : first + extent * inner : inner])
            for start in range(0, len(numbers), extent * inner)
            for first in range(start, start + inner)
        ]
    return _constant(rewriter, dense_of([normal(total, element) for total in sums], type), type)


def _repeated(join: Callable[[int, int], int], number: int, times: int) -> int:
    """What so many equal numbers are joined to, in a step for each bit of how many they are."""
    result = number
    for bit in f"{times:b}"[1:]:
        result = join(result, result)
        if bit == "1":
            result = join(result, number)
    return result


_JOINS: Final[dict[str, Callable[[int, int], int]]] = {
    "tosa.reduce_all": lambda a, b: a & b,
    "tosa.reduce_any": lambda a, b: a | b,
    "tosa.reduce_max": max,
    "tosa.reduce_min": min,
    "tosa.reduce_product": lambda a, b: a * b,
    "tosa.reduce_sum": lambda a, b: a + b,
}
