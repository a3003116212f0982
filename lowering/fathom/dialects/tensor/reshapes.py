"""The elements of tensors under another type: casts, reshapes, and tensors put one behind the other.

Source of the rules: *'tensor' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from fathom.dialects.tensor.casts import agree, ranked
from fathom.ir.operation import Operation
from fathom.ir.property_values import numbers_property
from fathom.ir.types import DYNAMIC, FloatType, IntegerType, TensorType, Type
from fathom.irdl.reassociations import groups_of
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import tensor as ops

# ---- cast, bitcast


def _width(type: Type) -> int:
    return type.width if isinstance(type, (IntegerType, FloatType)) else 0


def _check_cast(op: Operation, *, by_width: bool) -> Complaint:
    source, target = op.operands[0].type, op.result.type
    if not isinstance(source, TensorType) or not isinstance(target, TensorType):
        return None
    same = _width(source.element) == _width(target.element) if by_width else source.element == target.element
    if same and agree(source, target):
        return None
    return f"operand type '{source}' and result type '{target}' are cast incompatible"


# ---- concat


@verifies("tensor.concat")
def _check_concat(op: ops.ConcatOp) -> Complaint:
    result = ranked(op.result.type)
    inputs = [type for operand in op.operands if (type := ranked(operand.type)) is not None]
    if result is None or len(inputs) != len(op.operands):
        return None
    return _mistake_in_concat(inputs, result, op.dim.value)


def _mistake_in_concat(inputs: Sequence[TensorType], result: TensorType, dim: int) -> str | None:
    rank = len(result.ranked_shape)
    if not inputs:
        return "requires at least one input"
    if any(len(each.ranked_shape) != rank for each in inputs):
        return "rank of concatenated inputs must match result rank"
    if any(each.element != result.element for each in inputs):
        return "inputs and result element type must match"
    if dim >= rank:
        return "concatenation dim must be less than the tensor rank"
    shape: list[int] = []
    for index, sizes in enumerate(zip(*(each.ranked_shape for each in inputs), strict=True)):
        if index == dim:
            shape.append(DYNAMIC if DYNAMIC in sizes else sum(sizes))
            continue
        known = {*sizes} - {DYNAMIC}
        if len(known) > 1:
            return f"static concatenation size mismatch along non-concatenated dimension {index}"
        shape.append(known.pop() if known else DYNAMIC)
    inferred = TensorType(tuple(shape), inputs[0].element)
    if not agree(inferred, result):
        return f"result type '{result}'does not match inferred shape '{inferred}' static sizes"
    return None


# ---- reshape


@verifies("tensor.reshape")
def _check_reshape(op: ops.ReshapeOp) -> Complaint:
    source, shape, target = op.source.type, ranked(op.shape.type), op.result.type
    if not isinstance(source, TensorType) or not isinstance(target, TensorType) or shape is None:
        return None
    if source.element != target.element:
        return "element types of source and destination tensor types should be the same"
    if target.shape is None:
        return None
    if source.has_static_shape and target.has_static_shape and prod(source.ranked_shape) != prod(target.shape):
        return "source and destination tensor should have the same number of elements"
    length = shape.ranked_shape[0]
    if length == DYNAMIC:
        what = "with dynamic length to reshape to statically-ranked tensor type"
        return f"cannot use shape operand {what}"
    if length != len(target.shape):
        return "length of shape operand differs from the result's tensor rank"
    return None


# ---- expand_shape, collapse_shape


@verifies("tensor.expand_shape")
def _check_expand(op: ops.ExpandShapeOp) -> Complaint:
    source, target = ranked(op.src.type), ranked(op.result.type)
    if source is None or target is None:
        return None
    sizes = numbers_property(op, "static_output_shape")
    if len(sizes) != len(target.ranked_shape):
        counts = f"({len(target.ranked_shape)}) but found {len(sizes)} inputs instead"
        return f"expected number of static shape dims to be equal to the output rank {counts}"
    given, dynamic = len(op.output_shape), sizes.count(DYNAMIC)
    if given != dynamic:
        counts = f"static_output_shape has {dynamic} dynamic dims while output_shape has {given} values"
        return f"mismatch in dynamic dims in output_shape and static_output_shape: {counts}"
    found = _mistake_in_groups(groups_of(op.reassociation), target, source)
    return found if found is not None else None


@verifies("tensor.collapse_shape")
def _check_collapse(op: ops.CollapseShapeOp) -> Complaint:
    source, target = ranked(op.src.type), ranked(op.result.type)
    if source is None or target is None:
        return None
    groups = groups_of(op.reassociation)
    if not all(groups):
        return "reassociation indices must not be empty"
    found = _mistake_in_groups(groups, source, target)
    return found if found is not None else None


def _mistake_in_groups(groups: Sequence[Sequence[int]], expanded: TensorType, collapsed: TensorType) -> str | None:
    sizes, wholes = expanded.ranked_shape, collapsed.ranked_shape
    if len(sizes) < len(wholes):
        return (
            f"expected the expanded type, '{expanded}' to have a higher (or same) rank than the collapsed type, "
            f"'{collapsed}'."
        )
    if len(wholes) != len(groups):
        return f"expected collapsed rank ({len(wholes)}) to equal the number of reassociation maps ({len(groups)})."
    dims = max((dim for group in groups for dim in group), default=0) + 1
    if groups and dims != len(sizes):
        counts = f"({len(sizes)}), but it is  {dims}."
        return f"expected reassociation map #0 to have size equal to the expanded rank {counts}"
    following = 0
    for index, group in enumerate(groups):
        if [*group] != [*range(following, following + len(group))]:
            return f"expected reassociation map #{index} to be valid and contiguous."
        following += len(group)
    inferred: list[int] = []
    for index, (group, whole) in enumerate(zip(groups, wholes, strict=True)):
        parts = [sizes[dim] for dim in group]
        where = f"expected dimension {index} of collapsed type to be"
        if DYNAMIC in parts:
            if whole != DYNAMIC:
                what = "corresponding dimensions in the expanded type is dynamic"
                return f"{where} dynamic since one or more of the {what}"
        elif whole != prod(parts):
            return f"{where} static value of {prod(parts)}"
        inferred.append(whole)
    expected = TensorType(tuple(inferred), expanded.element)
    if (expected.shape, expected.element) != (collapsed.shape, collapsed.element):
        return f"expected collapsed type to be '{expected}', but got '{collapsed}'"
    return None


VERIFY: Final[Checks] = {
    "tensor.cast": lambda op: _check_cast(op, by_width=False),
    "tensor.bitcast": lambda op: _check_cast(op, by_width=True),
}
