"""`tosa.reduce_sum` and its kin as `linalg.reduce`; and `tosa.argmax`, which keeps the place of the greatest element.

Source of the rules: *TOSA specification*, "Reduction Operators" and "argmax", and the order of the operations that
mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.structured import selection
from fathom.dialects.tosa.values import Reduction
from fathom.ir.affine import identity_map
from fathom.ir.attributes import i64_attr
from fathom.ir.floats import from_float, largest, nan
from fathom.ir.types import DYNAMIC, I1, INDEX, FloatType, IntegerType, Type
from fathom.irdl.cases import word
from fathom.ops import tosa as ops
from fathom.passes.arith_expansion.building import F32, unary
from fathom.passes.arithmetic import binary, compare, compare_floats, constant, select
from fathom.passes.structured import fill, generic, named, reduce
from fathom.passes.tensors import empty, expanded, ranked, shape_of, tensor_type
from fathom.passes.tosa.limits import highest, lowest
from fathom.records import record, replace
from fathom.rewriting.pattern import Failure
from fathom.rewriting.result_shapes import dim

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.rewriter import Rewriter


@record
class _Join:
    """How elements are joined: the operation of arith for floats and that for integers, and what each begins with, for
    floats a pattern: a number that changes nothing, or the farthest one."""

    floats: str
    integers: str
    first_float: Callable[[str], int]
    first_integer: Callable[[IntegerType], int]

    def first(self, type: Type) -> int | None:
        """What a type begins with; None where it has nothing."""
        if isinstance(type, IntegerType):
            return self.first_integer(type)
        return self.first_float(type.name) if isinstance(type, FloatType) else None


def _zero(_: object) -> int:
    return 0


def _one(_: object) -> int:
    return 1


GREATEST: Final = _Join("maximumf", "maxsi", lambda name: largest(name, negative=True), lowest)
JOINS: Final = {
    "tosa.reduce_all": _Join("", "andi", _one, _one),
    "tosa.reduce_any": _Join("", "ori", _zero, _zero),
    "tosa.reduce_max": GREATEST,
    "tosa.reduce_min": _Join("minimumf", "minsi", largest, highest),
    "tosa.reduce_product": _Join("mulf", "muli", lambda name: from_float(1.0, name), _one),
    "tosa.reduce_sum": _Join("addf", "addi", _zero, _zero),
}


class _Reduced:
    """Makes tensors of the shape that is left without a dimension."""

    def __init__(self, rewriter: Rewriter, source: Value, axis: int, shape: Sequence[int] | None = None) -> None:
        kept = [(index, size) for index, size in enumerate(shape_of(source)) if index != axis]
        self._rewriter = rewriter
        self.shape = [size for _, size in kept] if shape is None else shape
        self._sizes = [dim(rewriter, source, index) for index, size in kept if size == DYNAMIC]

    def empty(self, element: Type) -> Value:
        return empty(self._rewriter, self.shape, element, self._sizes)

    def filled(self, value: int, element: Type) -> Value:
        """With a number, which is made before the tensor; a float is given by its pattern."""
        number = constant(self._rewriter, value, element)
        return fill(self._rewriter, number, self.empty(element))

    def begun(self, value: int, element: Type) -> Value:
        """The same, made in the other order."""
        output = self.empty(element)
        return fill(self._rewriter, constant(self._rewriter, value, element), output)


def reduction(op: Reduction, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The dimension that is reduced is left out, and put back as one of size 1. Sums of `bf16` are made in `f32`."""
    type = ranked(op.result.type)
    if ranked(op.input.type) is None or type is None:
        return Failure("unranked tensors not supported")
    axis, element = op.axis.value, type.element
    sum_type = F32 if isinstance(op, ops.ReduceSumOp) and element == FloatType("bf16") else element
    way = JOINS[op.name]
    first = way.first(sum_type)
    if first is None:
        return Failure("No initial value found for reduction operation")
    reduced = _Reduced(rewriter, op.input, axis)
    start = reduced.begun(first, sum_type)
    join = way.integers if isinstance(element, IntegerType) else way.floats
    if isinstance(element, FloatType) and word(op, "nan_mode") == "IGNORE":
        result = _without_nan(rewriter, op, join, reduced, start)
    else:

        def body(arguments: Sequence[Value]) -> Sequence[Value]:
            value, sum = arguments
            return [
                binary(rewriter, join, value if element == sum_type else unary(rewriter, "extf", value, sum_type), sum)
            ]

        result = reduce(rewriter, [op.input], [start], [axis], body).result
    if element != sum_type:
        result = _narrowed(rewriter, result, reduced, element)
    rewriter.replace(op, [expanded(rewriter, result, type, _groups(len(reduced.shape), axis)).result])
    return None


def _groups(rank: int, axis: int) -> list[list[int]]:
    """Which dimensions each of the fewer ones becomes: one of them is two, of which the one is of size 1."""
    groups = [[index + 1 if index > axis else index] for index in range(rank)]
    if rank:
        place = min(axis, rank - 1)
        groups[place].append(place + 1)
    return groups


def _without_nan(rewriter: Rewriter, op: Reduction, join: str, reduced: _Reduced, start: Value) -> Value:
    """What is no number is passed over, and noted; only where there is nothing else the result is no number."""
    type = tensor_type(op.input).element
    assert isinstance(type, FloatType), "integers are numbers"
    noted = reduced.filled(1, I1)

    def body(arguments: Sequence[Value]) -> Sequence[Value]:
        value, _, sum, was_nan = arguments
        joined = binary(rewriter, join, value, sum)
        is_nan = compare_floats(rewriter, "uno", value, value)
        kept = select(rewriter, is_nan, sum, joined)
        return [kept, binary(rewriter, "andi", was_nan, is_nan)]

    operation = reduce(rewriter, [op.input, op.input], [start, noted], [op.axis.value], body)
    result, is_nan = operation.results
    inputs = [is_nan, reduced.filled(nan(type.name), type), result]
    return named(rewriter, "select", inputs, [reduced.empty(type)]).result


def _narrowed(rewriter: Rewriter, wide: Value, reduced: _Reduced, element: Type) -> Value:
    rank = len(reduced.shape)
    maps = [identity_map(rank)] * 2
    output = reduced.empty(element)
    made = generic(
        rewriter, [wide], [output], maps, "p" * rank, lambda values: [unary(rewriter, "truncf", values[0], element)]
    )
    return made.result


def argmax(op: ops.ArgmaxOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Two results, of which only the place is used. The value is kept beside it."""
    source, type = tensor_type(op.input), tensor_type(op.result)
    if not isinstance(type.element, IntegerType):
        return Failure("tosa.arg_max to linalg.* requires integer-like result type")
    axis, rank, place_type = op.axis.value, len(source.ranked_shape), type.element
    first = GREATEST.first(source.element)
    if first is None:
        return Failure("unsupported tosa.argmax element type")
    reduced = _Reduced(rewriter, op.input, axis, type.ranked_shape)
    starts = [reduced.begun(0, place_type), reduced.begun(first, source.element)]
    kept = selection(rank, [index for index in range(rank) if index != axis])
    loops = "".join("r" if index == axis else "p" for index in range(rank))

    def body(arguments: Sequence[Value]) -> Sequence[Value]:
        value, old_place, old = arguments
        index = rewriter.create("linalg.index", (), [INDEX], {"dim": i64_attr(axis)}).result
        place = unary(rewriter, "index_cast", index, place_type)
        is_greater = _is_greater(rewriter, op, value, old)
        greatest = select(rewriter, is_greater, value, old)
        return [select(rewriter, is_greater, place, old_place), greatest]

    types = [type, replace(type, element=source.element)]
    made = generic(rewriter, [op.input], starts, [identity_map(rank), kept, kept], loops, body, types)
    rewriter.replace(op, [made.results[0]])
    return None


def _is_greater(rewriter: Rewriter, op: ops.ArgmaxOp, value: Value, old: Value) -> Value:
    """What is no number counts as the greatest, unless it is ignored."""
    if isinstance(value.type, IntegerType):
        return compare(rewriter, "sgt", value, old)
    if word(op, "nan_mode") == "IGNORE":
        return compare_floats(rewriter, "ogt", value, old)
    is_greater = compare_floats(rewriter, "ugt", value, old)
    return binary(rewriter, "andi", is_greater, compare_floats(rewriter, "ord", old, old))
