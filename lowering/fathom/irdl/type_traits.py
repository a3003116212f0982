"""The traits that relate the types of all operands and results, worded as MLIR words them.

Source of the rules: *Traits*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fathom.ir.operation import Operation
from fathom.ir.types import DYNAMIC, FloatType, ShapedType, TensorType, Type, UnknownType, VectorType, element_type


def _types(op: Operation) -> list[Type]:
    return [*(operand.type for operand in op.operands), *(result.type for result in op.results)]


def have_compatible_shapes(a: Type, b: Type) -> bool:
    """Whether the shapes can be the same at run time: an extent that is not known agrees with any."""
    if isinstance(a, UnknownType) or isinstance(b, UnknownType):
        return True  # A dialect may have shaped types of its own.
    if not isinstance(a, ShapedType) or not isinstance(b, ShapedType):
        return not isinstance(a, ShapedType) and not isinstance(b, ShapedType)
    if a.shape is None or b.shape is None:
        return True
    if len(a.shape) != len(b.shape):
        return False
    return all(m == n or DYNAMIC in (m, n) for m, n in zip(a.shape, b.shape, strict=True))


def have_one_shape(types: Sequence[Type]) -> bool:
    """Whether all shapes can be the same at run time, and all or none of them are those of scalable vectors."""
    scalable = {isinstance(type, VectorType) and any(type.scalable) for type in types}
    return len(scalable) <= 1 and all(have_compatible_shapes(type, types[0]) for type in types)


def same_operands_and_result_type(op: Operation) -> str | None:
    """What breaks `SameOperandsAndResultType`, in MLIR's words."""
    if not op.results:
        return None
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
    if have_one_shape(_types(op)):
        return None
    return "requires the same shape for all operands and results"


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
    first = results[0]
    types = [*operands, *results]
    if any(type.__class__ is not first.__class__ for type in types) or not have_one_shape(types):
        return "all non-scalar operands/results must have the same shape and base type"
    return None


def _mappable(types: Sequence[Type]) -> list[Type]:
    return [type for type in types if isinstance(type, (VectorType, TensorType))]


def same_operands_shape(op: Operation) -> str | None:
    """What breaks `SameOperandsShape`, in MLIR's words."""
    types = [operand.type for operand in op.operands]
    if all(have_compatible_shapes(type, types[0]) for type in types):
        return None
    return "requires the same shape for all operands"


def same_operands_element_type(op: Operation) -> str | None:
    """What breaks `SameOperandsElementType`, in MLIR's words."""
    types = [element_type(operand.type) for operand in op.operands]
    return None if all(type == types[0] for type in types) else "requires the same element type for all operands"


def same_operands_and_result_element_type(op: Operation) -> str | None:
    """What breaks `SameOperandsAndResultElementType`, in MLIR's words."""
    types = [element_type(type) for type in _types(op)]
    if all(type == types[0] for type in types):
        return None
    return "requires the same element type for all operands and results"


def same_operands_and_result_rank(op: Operation) -> str | None:
    """What breaks `SameOperandsAndResultRank`, in MLIR's words."""
    operands = _ranks(operand.type for operand in op.operands)
    if len(set(operands)) > 1:
        return "operands don't have matching ranks"
    results = _ranks(result.type for result in op.results)
    return None if len({*operands, *results}) < 2 else "result type has different rank than operands"


def _ranks(types: Iterable[Type]) -> list[int]:
    return [len(t.shape) for t in types if isinstance(t, ShapedType) and t.shape is not None]


def results_are_float_like(op: Operation) -> str | None:
    """What breaks `ResultsAreFloatLike`, in MLIR's words."""
    is_float = all(isinstance(element_type(result.type), FloatType) for result in op.results)
    return None if is_float else "requires a floating point type"
