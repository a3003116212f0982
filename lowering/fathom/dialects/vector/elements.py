"""Elements and parts of vectors, and vectors made of them.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects.vector.common import (
    count_of,
    flags,
    is_position,
    rank,
    vector,
    vector_of,
    vector_type,
    without_first,
)
from fathom.ir.attributes import Attribute, DenseArrayAttr
from fathom.ir.property_values import numbers_of
from fathom.ir.types import DYNAMIC, Type, VectorType
from fathom.irdl.checking import bare, check_inferred, incompatible
from fathom.irdl.code import OpCode
from fathom.irdl.definition import Problem, TypeRule
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import vector as ops

MOST_ELEMENTS: Final = 100_000
"""How many results an operation is given that has one for each element of a vector."""

MADE: Final = "shaped type 'dest' matches 'elements' element count and types"
"""What must hold for the elements of which a vector is made."""

# ---- extract and insert


@verifies("vector.extract")
def _verify_extract(op: ops.ExtractOp) -> Complaint:
    source, given, position = vector_type(op.source), op.result.type, op.static_position.values
    if isinstance(given, VectorType) and not given.shape:
        return bare("expected a scalar instead of a 0-d vector as the result type")
    if position.count(DYNAMIC) != len(op.dynamic_position):
        missing = "kDynamic marker but no corresponding dynamic position"
        cause = "this can only happen due to an incorrect fold/rewrite"
        return f"mismatch between dynamic and static positions ({missing}) -- {cause}"
    if len(position) > rank(source):
        return "expected position attribute of rank no greater than vector rank"
    if problems := _check_positions(position, source, "vector dimension or poison (-1)"):
        return problems
    inferred = without_first(source, len(position)) if len(position) < rank(source) else source.element
    is_compatible = given == inferred or _is_one_of(given, inferred) or _is_one_of(inferred, given)
    return None if is_compatible else incompatible([inferred], [given])


def _is_one_of(type: Type, element: Type) -> bool:
    """Whether a type is a vector of one element of the other type."""
    return isinstance(type, VectorType) and type.shape == (1,) and type.element == element


def _check_positions(position: Sequence[int], type: VectorType, what: str) -> Complaint:
    for index, (number, extent) in enumerate(zip(position, type.ranked_shape, strict=False)):
        if number != DYNAMIC and not is_position(number, extent):
            smaller = f"to be a non-negative integer smaller than the corresponding {what}"
            return f"expected position attribute #{index + 1} {smaller}"
    return None


@verifies("vector.insert")
def _verify_insert(op: ops.InsertOp) -> Complaint:
    source, target, position = op.valueToStore.type, vector_type(op.dest), op.static_position.values
    if isinstance(source, VectorType) and not source.shape:
        return bare("expected a scalar instead of a 0-d vector as the source operand")
    if len(position) > rank(target):
        return "expected position attribute of rank no greater than dest vector rank"
    if isinstance(source, VectorType) and rank(source) + len(position) != rank(target):
        return "expected position attribute rank + source rank to match dest vector rank"
    if not isinstance(source, VectorType) and len(position) != rank(target):
        return "expected position attribute rank to match the dest vector rank"
    return _check_positions(position, target, "dest vector dimension")


# ---- strided slices


@verifies("vector.insert_strided_slice")
def _verify_insert_slice(op: ops.InsertStridedSliceOp) -> Complaint:
    source, target = vector_type(op.valueToStore), vector_type(op.dest)
    offsets, strides = numbers_of(op.offsets), numbers_of(op.strides)
    if len(offsets) != rank(target):
        return "expected offsets of same size as destination vector rank"
    if len(strides) != rank(source):
        return "expected strides of same size as source vector rank"
    if rank(source) > rank(target):
        return "expected source rank to be no greater than destination rank"
    lead, shape = rank(target) - rank(source), target.ranked_shape
    sizes = [0] * lead + list(source.ranked_shape)
    if problem := _check_slice(offsets, sizes, strides, shape, "offsets, source vector shape"):
        return problem
    return _check_scalable(source, vector_of(shape[lead:], target.element, flags(target)[lead:]))


def _check_slice(
    offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int], shape: Sequence[int], summed: str
) -> Complaint:
    """A slice lies within a shape."""
    return (
        _confined(offsets, shape, "offsets")
        or (None if all(stride == 1 for stride in strides) else "expected strides to be confined to [1, 2)")
        or _confined_sums(offsets, sizes, shape, summed)
    )


def _check_scalable(part: VectorType, whole: VectorType) -> Complaint:
    """Scalable dimensions are put in or taken out as a whole."""
    dims = zip(part.ranked_shape, whole.ranked_shape, flags(part), flags(whole), strict=True)
    for index, (size, extent, flag, expected) in enumerate(dims):
        if flag != expected:
            return f"mismatching scalable flags (at source vector idx={index})"
        if flag and size != extent:
            base = f"the corresponding base size from the input vector ({size} vs {extent})"
            return f"expected size at idx={index} to match {base}"
    return None


@verifies("vector.extract_strided_slice")
def _verify_extract_slice(op: ops.ExtractStridedSliceOp) -> Complaint:
    source, (offsets, sizes, strides) = vector_type(op.source), map(numbers_of, (op.offsets, op.sizes, op.strides))
    if not len(offsets) == len(sizes) == len(strides):
        return "expected offsets, sizes and strides attributes of same size"
    shape = source.ranked_shape
    if len(offsets) > len(shape):
        return "expected offsets attribute of rank no greater than vector rank"
    problem = (
        _confined(offsets, shape, "offsets")
        or _confined(sizes, [extent + 1 for extent in shape], "sizes", least=1)
        or _check_slice(offsets, sizes, strides, shape, "offsets, sizes")
    )
    if problem:
        return problem
    expected = vector_of([*sizes, *shape[len(sizes) :]], source.element, flags(source))
    if op.result.type != expected:
        return Problem(f"expected result type to be '{expected}'", types=(op.result.type, expected))
    return _check_scalable(expected, source)


def _confined(numbers: Sequence[int], bounds: Sequence[int], name: str, least: int = 0) -> Complaint:
    """Each number is less than the bound of its dimension."""
    for index, (number, bound) in enumerate(zip(numbers, bounds, strict=False)):
        if not least <= number < bound:
            return f"expected {name} dimension {index} to be confined to [{least}, {bound})"
    return None


def _confined_sums(offsets: Sequence[int], sizes: Sequence[int], shape: Sequence[int], names: str) -> Complaint:
    for index, (offset, size, extent) in enumerate(zip(offsets, sizes, shape, strict=False)):
        if not 0 <= offset + size <= extent:
            return f"expected sum({names}) dimension {index} to be confined to [1, {extent + 1})"
    return None


# ---- all elements


def elements_match(op: ops.FromElementsOp | ops.ToElementsOp) -> bool:
    """Whether there is a value for each element of the vector, of its type."""
    whole, values = (op.dest, op.elements) if isinstance(op, ops.FromElementsOp) else (op.source, op.results)
    type = vector(whole.type)
    return type is None or (count_of(type) == len(values) and all(value.type == type.element for value in values))


def _elements(types: list[Type]) -> list[Type] | None:
    """A type for each element of a vector."""
    type = vector(types[0]) if types else None
    if type is None or type.scalable or count_of(type) > MOST_ELEMENTS:
        return None
    return [type.element] * count_of(type)


# ---- shuffle


def _shuffled(types: list[Type], masks: list[Attribute]) -> list[Type] | None:
    """The vector that a mask picks from one of a type and another."""
    type, mask = vector(types[0]) if types else None, masks[0]
    if type is None or not isinstance(mask, DenseArrayAttr):
        return None
    return [vector_of([max(1, len(mask.values)), *type.ranked_shape[1:]], type.element)]


@verifies("vector.shuffle")
def _verify_shuffle(op: ops.ShuffleOp) -> Complaint:
    first, second, result = vector_type(op.v1), vector_type(op.v2), vector_type(op.vector)
    mask = op.mask.values
    of_scalars = rank(first) == 0 and rank(second) == 0 and rank(result) == 1
    if not of_scalars and not rank(first) == rank(second) == rank(result):
        return "rank mismatch"
    if not of_scalars and not first.ranked_shape[1:] == second.ranked_shape[1:] == result.ranked_shape[1:]:
        return "dimension mismatch"
    if not mask:
        return "invalid mask length"
    if len(mask) != result.ranked_shape[0]:
        return "mask length mismatch"
    total = sum(type.ranked_shape[0] if type.shape else 1 for type in (first, second))
    for index, number in enumerate(mask):
        if not is_position(number, total):
            return f"mask index #{index + 1} out of range"
    return check_inferred(_shuffled([first], [op.mask]) or [result], [result])


# ---- interleaving


def interleaved(type: Type) -> Type | None:
    """The vector of the elements of two vectors in turn."""
    if not isinstance(type, VectorType):
        return None
    if not type.shape:
        return vector_of((2,), type.element)
    shape = type.ranked_shape
    return VectorType((*shape[:-1], 2 * shape[-1]), type.element, type.scalable)


def deinterleaved(type: Type) -> Type | None:
    """The vector of every second element."""
    if not isinstance(type, VectorType) or not type.shape:
        return None
    shape = type.ranked_shape
    return VectorType((*shape[:-1], shape[-1] // 2), type.element, type.scalable)


def is_even(op: ops.DeinterleaveOp) -> bool:
    """Whether the last dimension has an even number of elements."""
    type = vector(op.source.type)
    return type is None or not type.shape or type.ranked_shape[-1] % 2 == 0


CODE: Final = {
    "shuffle": OpCode(rules=(TypeRule("vector", ("v1", "mask"), _shuffled, ""),)),
    "to_elements": OpCode(rules=(TypeRule("elements", ("source",), _elements, ""),)),
    "from_elements": OpCode(rules=(TypeRule("elements", ("dest",), _elements, MADE),)),
}
