"""Constants that are transposed are other constants.

Source of the rules: `ConstantFold.cpp` of MLIR 22's linalg.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import dense
from fathom.dialects.linalg.canonicalization.structured import STRUCTURED
from fathom.dialects.linalg.structured import dims_of, static_ranges
from fathom.ir.attributes import DenseElementsAttr
from fathom.ir.types import FloatType, IntegerType, TensorType
from fathom.passes.structured.generics import (
    body_of,
    form_of,
    is_alone,
    is_permutation,
    may_go,
    reads,
    works_on_tensors,
    yielded,
)
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Failure, Replacement, replacing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation
    from fathom.rewriting.rewriter import Rewriter


def transposed(op: Operation, rewriter: Rewriter) -> Replacement:
    """What yields its only input, which is a constant that nothing else uses."""
    form = form_of(op)
    if form is None or not works_on_tensors(op) or not form.is_one_to_one:
        return Failure("it has not one input and one output that are tensors")
    (source,), type = form.inputs, op.results[0].type
    if not isinstance(type, TensorType) or not type.has_static_shape or not isinstance(source.type, TensorType):
        return Failure(f"its result has no static shape: {type}")
    if not isinstance(type.element, (IntegerType, FloatType)) or source.type.element != type.element:
        return Failure(f"its elements are no numbers, or of another type than those of its input, {source.type}")
    if not all(map(is_permutation, form.maps)) or reads(op, 1) or not is_alone(body_of(op)):
        return Failure("it does more than to permute the dimensions of its input")
    if list(yielded(op)) != [body_of(op).arguments[0]] or not may_go(source):
        return Failure("it does more than to yield its input, or something else uses that")
    value, ranges = constant_value(source), static_ranges(op)
    if not isinstance(value, DenseElementsAttr) or ranges is None or not value.values:
        return Failure("its input is no constant")
    numbers = [number for number in value.values if isinstance(number, int)]
    if not value.is_splat:
        read, written = (dims_of(map) or [] for map in form.maps)
        numbers = _in_order(numbers, source.type.ranked_shape, read, written, ranges)
    return rewriter.constant(dense(numbers, type), type)


def _in_order(
    numbers: Sequence[int], shape: Sequence[int], read: Sequence[int], written: Sequence[int], ranges: Sequence[int]
) -> list[int]:
    """The elements in the order of the result. Both tensors have a loop for each dimension."""
    steps = dict.fromkeys(read, 1)
    for place in range(len(shape) - 2, -1, -1):
        steps[read[place]] = steps[read[place + 1]] * shape[place + 1]
    counts = product(*(range(ranges[dim]) for dim in written))
    factors = [steps[dim] for dim in written]
    return [numbers[sum(at * by for at, by in zip(place, factors, strict=True))] for place in counts]


PATTERNS: Final = (replacing("", transposed, name="FoldConstantTranspose", trait=STRUCTURED),)
