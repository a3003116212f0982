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
    numbers_of,
    rank,
    vector,
    vector_of,
    without_first,
)
from fathom.ir.attributes import Attribute, DenseArrayAttr
from fathom.ir.operation import Operation
from fathom.ir.types import DYNAMIC, Type, VectorType
from fathom.irdl.checking import check_inferred, incompatible
from fathom.irdl.code import OpCode
from fathom.irdl.definition import Problem, TypeRule
from fathom.irdl.verifying import Complaint, verifies

MOST_ELEMENTS: Final = 100_000
"""How many results an operation is given that has one for each element of a vector."""

MADE: Final = "shaped type 'dest' matches 'elements' element count and types"
"""What must hold for the elements of which a vector is made."""

# ---- extract and insert


@verifies("vector.extract")
def _verify_extract(op: Operation) -> Complaint:
    source, found = vector(op.one_of("source").type), op.result.type
    if source is None:
        return None
    position = numbers_of(op, "static_position")
    if isinstance(found, VectorType) and not found.shape:
        return Problem("expected a scalar instead of a 0-d vector as the result type", bare=True)
    if position.count(DYNAMIC) != len(op.all_of("dynamic_position")):
        missing = "kDynamic marker but no corresponding dynamic position"
        cause = "this can only happen due to an incorrect fold/rewrite"
        return f"mismatch between dynamic and static positions ({missing}) -- {cause}"
    if len(position) > rank(source):
        return "expected position attribute of rank no greater than vector rank"
    if problems := _check_positions(position, source, "vector dimension or poison (-1)"):
        return problems
    inferred = without_first(source, len(position)) if len(position) < rank(source) else source.element
    is_compatible = found == inferred or _is_one_of(found, inferred) or _is_one_of(inferred, found)
    return None if is_compatible else incompatible([inferred], [found])


def _is_one_of(type: Type, element: Type) -> bool:
    """Whether a type is a vector of one element of the other type."""
    return isinstance(type, VectorType) and type.shape == (1,) and type.element == element


def _check_positions(position: Sequence[int], type: VectorType, what: str) -> Complaint:
    for index, (each, extent) in enumerate(zip(position, type.ranked_shape, strict=False)):
        if each != DYNAMIC and not is_position(each, extent):
            smaller = f"to be a non-negative integer smaller than the corresponding {what}"
            return f"expected position attribute #{index + 1} {smaller}"
    return None


@verifies("vector.insert")
def _verify_insert(op: Operation) -> Complaint:
    source, target = op.one_of("valueToStore").type, vector(op.one_of("dest").type)
    if target is None:
        return None
    if isinstance(source, VectorType) and not source.shape:
        return Problem("expected a scalar instead of a 0-d vector as the source operand", bare=True)
    position = numbers_of(op, "static_position")
    if len(position) > rank(target):
        return "expected position attribute of rank no greater than dest vector rank"
    if isinstance(source, VectorType) and rank(source) + len(position) != rank(target):
        return "expected position attribute rank + source rank to match dest vector rank"
    if not isinstance(source, VectorType) and len(position) != rank(target):
        return "expected position attribute rank to match the dest vector rank"
    return _check_positions(position, target, "dest vector dimension")


# ---- strided slices


@verifies("vector.insert_strided_slice")
def _verify_insert_slice(op: Operation) -> Complaint:
    source, target = vector(op.one_of("valueToStore").type), vector(op.one_of("dest").type)
    if source is None or target is None:
        return None
    offsets, strides = numbers_of(op, "offsets"), numbers_of(op, "strides")
    if len(offsets) != rank(target):
        return "expected offsets of same size as destination vector rank"
    if len(strides) != rank(source):
        return "expected strides of same size as source vector rank"
    if rank(source) > rank(target):
        return "expected source rank to be no greater than destination rank"
    lead = rank(target) - rank(source)
    sizes = [0] * lead + list(source.ranked_shape)
    shape = target.ranked_shape
    return (
        _confined(offsets, shape, "offsets")
        or _confined_strides(strides)
        or _confined_sums(offsets, sizes, shape, "offsets, source vector shape")
        or _check_scalable(source, target, lead)
    )


def _check_scalable(source: VectorType, target: VectorType, lead: int) -> Complaint:
    """Scalable dimensions are inserted as a whole."""
    for index, flag in enumerate(flags(source)):
        if flag != flags(target)[index + lead]:
            return f"mismatching scalable flags (at source vector idx={index})"
        found, size = source.ranked_shape[index], target.ranked_shape[index + lead]
        if flag and found != size:
            return _base_size(index, found, size)
    return None


def _base_size(index: int, found: int, size: int) -> Complaint:
    base = f"the corresponding base size from the input vector ({found} vs {size})"
    return f"expected size at idx={index} to match {base}"


@verifies("vector.extract_strided_slice")
def _verify_extract_slice(op: Operation) -> Complaint:
    source = vector(op.one_of("source").type)
    if source is None:
        return None
    groups = {name: numbers_of(op, name) for name in ("offsets", "sizes", "strides")}
    offsets, sizes, strides = groups.values()
    if not len(offsets) == len(sizes) == len(strides):
        return "expected offsets, sizes and strides attributes of same size"
    shape = source.ranked_shape
    for name, numbers in groups.items():
        if len(numbers) > len(shape):
            return f"expected {name} attribute of rank no greater than vector rank"
    problems = (
        _confined(offsets, shape, "offsets")
        or _confined(sizes, [extent + 1 for extent in shape], "sizes", least=1)
        or _confined_strides(strides)
        or _confined_sums(offsets, sizes, shape, "offsets, sizes")
    )
    if problems:
        return problems
    expected = vector_of([*sizes, *shape[len(sizes) :]], source.element, flags(source))
    if op.result.type != expected:
        return Problem(f"expected result type to be '{expected}'", types=(op.result.type, expected))
    for index, size in enumerate(sizes):
        if flags(source)[index] and shape[index] != size:
            return _base_size(index, size, shape[index])
    return None


def _confined(numbers: Sequence[int], bounds: Sequence[int], name: str, least: int = 0) -> Complaint:
    """Each number is less than the bound of its dimension."""
    for index, (number, bound) in enumerate(zip(numbers, bounds, strict=False)):
        if not least <= number < bound:
            return f"expected {name} dimension {index} to be confined to [{least}, {bound})"
    return None


def _confined_strides(strides: Sequence[int]) -> Complaint:
    return None if all(stride == 1 for stride in strides) else "expected strides to be confined to [1, 2)"


def _confined_sums(offsets: Sequence[int], sizes: Sequence[int], shape: Sequence[int], names: str) -> Complaint:
    for index, (offset, size, extent) in enumerate(zip(offsets, sizes, shape, strict=False)):
        if not 0 <= offset + size <= extent:
            return f"expected sum({names}) dimension {index} to be confined to [1, {extent + 1})"
    return None


# ---- all elements


def elements_match(name: str, op: Operation) -> bool:
    """Whether there is a value for each element of the vector in the group `name`, of its type."""
    type = vector((op.results[0] if name == "dest" else op.operands[0]).type)
    values = op.operands if name == "dest" else op.results
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
def _verify_shuffle(op: Operation) -> Complaint:
    first, second, result = vector(op.operands[0].type), vector(op.operands[1].type), vector(op.result.type)
    if first is None or second is None or result is None:
        return None
    mask = numbers_of(op, "mask")
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
    for index, each in enumerate(mask):
        if not is_position(each, total):
            return f"mask index #{index + 1} out of range"
    return check_inferred(_shuffled([first], [op.properties["mask"]]) or [result], [result])


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


def is_even(op: Operation) -> bool:
    """Whether the last dimension has an even number of elements."""
    type = vector(op.operands[0].type)
    return type is None or not type.shape or type.ranked_shape[-1] % 2 == 0


CODE: Final = {
    "shuffle": OpCode(rules=(TypeRule("vector", ("v1", "mask"), _shuffled, ""),)),
    "to_elements": OpCode(rules=(TypeRule("elements", ("source",), _elements, ""),)),
    "from_elements": OpCode(rules=(TypeRule("elements", ("dest",), _elements, MADE),)),
}
