"""Short forms for the operations on vectors that rewrites are made of; each inserts and returns its result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import flags, rank, vector_of, vector_type, without_first
from fathom.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, i64_attr
from fathom.ir.types import DYNAMIC, I64, Type, VectorType
from fathom.irdl.type_functions import is_float
from fathom.passes.arithmetic import binary, constant
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

SCALABLE: Final = Failure("how many parts a scalable dimension has is not known")


def part_type(type: VectorType, count: int) -> Type:
    """What stands at a position of so many numbers: a vector, or an element."""
    return without_first(type, count) if count < rank(type) else type.element


def extract(rewriter: Rewriter, source: Value, *position: int | Value) -> Value:
    """`vector.extract %source[1, %i]`."""
    values, properties = _position(position)
    type = part_type(vector_type(source), len(position))
    return rewriter.create("vector.extract", [source, *values], [type], properties).result


def insert(rewriter: Rewriter, value: Value, dest: Value, *position: int | Value) -> Value:
    """`vector.insert %value, %dest[1, %i]`."""
    values, properties = _position(position)
    return rewriter.create("vector.insert", [value, dest, *values], [dest.type], properties).result


def _position(position: Sequence[int | Value]) -> tuple[list[Value], dict[str, Attribute]]:
    """The operands and the property that say a position."""
    numbers = tuple(index if isinstance(index, int) else DYNAMIC for index in position)
    return [index for index in position if not isinstance(index, int)], {
        "static_position": DenseArrayAttr(I64, numbers)
    }


def broadcast(rewriter: Rewriter, value: Value, type: Type) -> Value:
    """`vector.broadcast`."""
    return rewriter.create("vector.broadcast", [value], [type]).result


def shape_cast(rewriter: Rewriter, value: Value, type: Type) -> Value:
    """`vector.shape_cast`."""
    return rewriter.create("vector.shape_cast", [value], [type]).result


def shuffle(rewriter: Rewriter, first: Value, second: Value, mask: Sequence[int]) -> Value:
    """`vector.shuffle`."""
    type = vector_type(first)
    result = vector_of([len(mask), *type.ranked_shape[1:]], type.element)
    properties = {"mask": DenseArrayAttr(I64, tuple(mask))}
    return rewriter.create("vector.shuffle", [first, second], [result], properties).result


def transpose(rewriter: Rewriter, value: Value, permutation: Sequence[int] = (1, 0)) -> Value:
    """`vector.transpose`."""
    type = vector_type(value)
    shape, scalable = type.ranked_shape, flags(type)
    result = vector_of([shape[i] for i in permutation], type.element, [scalable[i] for i in permutation])
    properties = {"permutation": DenseArrayAttr(I64, tuple(permutation))}
    return rewriter.create("vector.transpose", [value], [result], properties).result


def extract_slice(rewriter: Rewriter, source: Value, offsets: Sequence[int], sizes: Sequence[int]) -> Value:
    """`vector.extract_strided_slice`; the strides are 1."""
    type = vector_type(source)
    result = vector_of([*sizes, *type.ranked_shape[len(sizes) :]], type.element, flags(type))
    properties: dict[str, Attribute] = {
        "offsets": numbers(offsets),
        "sizes": numbers(sizes),
        "strides": numbers([1] * len(sizes)),
    }
    return rewriter.create("vector.extract_strided_slice", [source], [result], properties).result


def insert_slice(rewriter: Rewriter, value: Value, dest: Value, offsets: Sequence[int]) -> Value:
    """`vector.insert_strided_slice`; the strides are 1."""
    properties: dict[str, Attribute] = {
        "offsets": numbers(offsets),
        "strides": numbers([1] * rank(value.type)),
    }
    return rewriter.create("vector.insert_strided_slice", [value, dest], [dest.type], properties).result


def numbers(values: Iterable[int]) -> ArrayAttr:
    """`[1, 2]`, as 64-bit integers."""
    return ArrayAttr(tuple(map(i64_attr, values)))


def poison(rewriter: Rewriter, type: Type) -> Value:
    """`ub.poison`."""
    return rewriter.create("ub.poison", (), [type]).result


# ---- arithmetic


def multiply(rewriter: Rewriter, lhs: Value, rhs: Value) -> Value:
    """The product, of integers or floats."""
    return binary(rewriter, "mulf" if is_float(lhs.type) else "muli", lhs, rhs)


def add(rewriter: Rewriter, lhs: Value, rhs: Value) -> Value:
    """The sum, of integers or floats."""
    return binary(rewriter, "addf" if is_float(lhs.type) else "addi", lhs, rhs)


# ---- part by part


def positions(shape: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """The positions in a shape, in order."""
    return product(*map(range, shape))


def first_fixed(type: VectorType, kept: int) -> list[int]:
    """The sizes of the dimensions before the last `kept`, up to the first that is scalable."""
    outer = list(zip(type.ranked_shape, flags(type), strict=True))[: max(rank(type) - kept, 0)]
    count = next((i for i, (_, scalable) in enumerate(outer) if scalable), len(outer))
    return [size for size, _ in islice(outer, count)]


def repeated_zero(rewriter: Rewriter, type: VectorType) -> Value:
    """A vector of zeros, as the `vector.broadcast` of a constant."""
    return broadcast(rewriter, constant(rewriter, 0, type.element), type)


def for_each_row(
    op: Operation,
    rewriter: Rewriter,
    make: Callable[[VectorType, int], Value],
    first: Callable[[Rewriter, VectorType], Value] = poison,
) -> Failure | None:
    """Replaces `op` by the vector of what `make(type of a row, its number)` makes for each row of its result; they are
    put into what `first` gives."""
    type = op.result.type
    if not isinstance(type, VectorType) or rank(type) < 2:
        return Failure("the vector has one dimension")
    if flags(type)[0]:
        return SCALABLE
    refused = too_many_operations(op, 3 * type.ranked_shape[0], 3 * prod(type.ranked_shape[:-1]))
    if refused is not None:
        return refused
    made = first(rewriter, type)
    row = without_first(type, 1)
    for number in range(type.ranked_shape[0]):
        made = insert(rewriter, make(row, number), made, number)
    rewriter.replace(op, [made])
    return None
