"""The traits that relate the types of all operands and results, worded as MLIR words them.

Source of the rules: *Traits*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fathom.ir.operation import Operation
from fathom.ir.types import DYNAMIC, FloatType, ShapedType, TensorType, Type, UnknownType, VectorType, element_type


def _types(op: Operation) -> list[Type]:
    return [*(operand.type for operand in op.operands), *(result.type for result in op.results)]


def compatible(one: Sequence[int] | None, other: Sequence[int] | None) -> bool:
    """Whether two shapes can be the same: an extent, or a shape, that is not known agrees with any."""
    if one is None or other is None:
        return True
    return len(one) == len(other) and all(m == n or DYNAMIC in (m, n) for m, n in zip(one, other, strict=True))


def have_compatible_shapes(a: Type, b: Type) -> bool:
    """Whether the shapes can be the same at run time: an extent that is not known agrees with any."""
    if isinstance(a, UnknownType) or isinstance(b, UnknownType):
        return True  # A dialect may have shaped types of its own.
    if not isinstance(a, ShapedType) or not isinstance(b, ShapedType):
        return not isinstance(a, ShapedType) and not isinstance(b, ShapedType)
    return compatible(a.shape, b.shape)


def have_one_shape(types: Sequence[Type]) -> bool:
    """Whether all shapes can be the same at run time, and all or none of them are those of scalable vectors."""
    scalable = {isinstance(type, VectorType) and any(type.scalable) for type in types}
    if len(scalable) > 1 or not all(have_compatible_shapes(type, types[0]) for type in types):
        return False
    shapes = [type.shape for type in types if isinstance(type, ShapedType) and type.shape is not None]
    return all(len({*extents} - {DYNAMIC}) <= 1 for extents in zip(*shapes, strict=False))


def _lacking(op: Operation, *, results: bool = False) -> str | None:
    """What is said of an operation without any operand, or without any result where those count too."""
    if not op.operands:
        return "expected 1 or more operands, but found 0"
    return "expected 1 or more results" if results and not op.results else None


def same_operands_and_result_type(op: Operation) -> str | None:
    """What breaks `SameOperandsAndResultType`, in MLIR's words."""
    if (lacking := _lacking(op, results=True)) is not None:
        return lacking
    first = op.results[0].type
    for type in _types(op):
        if type == first:
            continue
        if element_type(type) != element_type(first) or not have_compatible_shapes(type, first):
            return "requires the same type for all operands and results"
        if isinstance(type, TensorType) and isinstance(first, TensorType) and type.encoding != first.encoding:
            return "requires the same encoding for all operands and results"
    return None


def same_type_operands(op: Operation) -> str | None:
    """What breaks `SameTypeOperands`, in MLIR's words."""
    types = [operand.type for operand in op.operands]
    return None if all(type == types[0] for type in types) else "requires all operands to have the same type"


def same_operands_and_result_shape(op: Operation) -> str | None:
    """What breaks `SameOperandsAndResultShape`, in MLIR's words."""
    if (lacking := _lacking(op, results=True)) is not None:
        return lacking
    return None if have_one_shape(_types(op)) else "requires the same shape for all operands and results"


def elementwise(op: Operation) -> str | None:
    """What breaks `Elementwise`, in MLIR's words."""
    operands = _mappable([operand.type for operand in op.operands])
    results = _mappable([result.type for result in op.results])
    if not operands and not results:
        return None
    if operands and not results:
        return "if an operand is non-scalar, then there must be at least one non-scalar result"
    if results and not operands:
        return "if a result is non-scalar, then at least one operand must be non-scalar"
    if len(results) != len(op.results):
        return "if an operand is non-scalar, then all results must be non-scalar"
    types = [*operands, *results]
    # A tensor without a rank is a class of its own.
    if len({(type.__class__, type.shape is None) for type in types}) > 1 or not have_one_shape(types):
        return "all non-scalar operands/results must have the same shape and base type"
    return None


def _mappable(types: Sequence[Type]) -> list[VectorType | TensorType]:
    return [type for type in types if isinstance(type, (VectorType, TensorType))]


def same_operands_shape(op: Operation) -> str | None:
    """What breaks `SameOperandsShape`, in MLIR's words."""
    types = [operand.type for operand in op.operands]
    if not types or all(have_compatible_shapes(type, types[0]) for type in types):
        return _lacking(op)
    return "requires the same shape for all operands"


def same_operands_element_type(op: Operation) -> str | None:
    """What breaks `SameOperandsElementType`, in MLIR's words."""
    types = [element_type(operand.type) for operand in op.operands]
    is_one = all(type == types[0] for type in types)
    return _lacking(op) if is_one else "requires the same element type for all operands"


def same_operands_and_result_element_type(op: Operation) -> str | None:
    """What breaks `SameOperandsAndResultElementType`, in MLIR's words."""
    if (lacking := _lacking(op, results=True)) is not None:
        return lacking
    types = [element_type(type) for type in _types(op)]
    is_one = all(type == types[0] for type in types)
    return None if is_one else "requires the same element type for all operands and results"


def same_operands_and_result_rank(op: Operation) -> str | None:
    """What breaks `SameOperandsAndResultRank`, in MLIR's words."""
    operands = _ranks(operand.type for operand in op.operands)
    if len(set(operands)) > 1:
        return "operands don't have matching ranks"
    results = _ranks(result.type for result in op.results)
    return None if len({*operands, *results}) < 2 else "result type has different rank than operands"


def _ranks(types: Iterable[Type]) -> list[int]:
    return [len(t.shape) for t in types if isinstance(t, ShapedType) and t.shape is not None]


def results_broadcastable_shape(op: Operation) -> str | None:
    """What breaks `ResultsBroadcastableShape`, in MLIR's words."""
    operands = _ranked_shapes(operand.type for operand in op.operands)
    if not operands:
        return None
    joined: tuple[int, ...] = ()
    for shape in operands:
        broadcast = broadcast_shape(joined, shape)
        if broadcast is None:
            return "operands don't have broadcast-compatible shapes"
        joined = broadcast
    for shape in _ranked_shapes(result.type for result in op.results):
        suffix = shape[-len(joined) :] if joined else ()
        agrees = len(suffix) == len(joined) and all(
            m == n or DYNAMIC in (m, n) for m, n in zip(suffix, joined, strict=True)
        )
        if not agrees:
            shown, wanted = _spelt(shape), _spelt(joined)
            return f"result type '{shown}' not broadcast compatible with broadcasted operands's shapes '{wanted}'"
    return None


def broadcast_shape(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...] | None:
    """The shape that two shapes are broadcast to, their last extents against each other; None where they cannot be."""
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    extents = list(longer)
    for index in range(1, len(shorter) + 1):
        joined = _broadcast(longer[-index], shorter[-index])
        if joined is None:
            return None
        extents[-index] = joined
    return tuple(extents)


def _broadcast(one: int, other: int) -> int | None:
    """What two extents are broadcast to. One that is not known is taken to agree with any other."""
    if one == other or other == 1:
        return one
    if one == 1 or one == DYNAMIC:
        return other
    return one if other == DYNAMIC else None


def _ranked_shapes(types: Iterable[Type]) -> list[tuple[int, ...]]:
    return [type.shape for type in types if isinstance(type, TensorType) and type.shape is not None]


def _spelt(shape: Sequence[int]) -> str:
    return "x".join("?" if extent == DYNAMIC else str(extent) for extent in shape)


def results_are_float_like(op: Operation) -> str | None:
    """What breaks `ResultsAreFloatLike`, in MLIR's words."""
    is_float = all(isinstance(element_type(result.type), FloatType) for result in op.results)
    return None if is_float else "requires a floating point type"
