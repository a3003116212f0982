"""Parts of tensors: taking one out, putting one in, and padding.

Source of the rules: *'tensor' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.dialects.tensor.casts import ranked
from fathom.dialects.tensor.elements import yields_another
from fathom.ir.operation import Operation
from fathom.ir.property_values import numbers_property
from fathom.ir.types import DYNAMIC, INDEX, TensorType
from fathom.irdl.definition import Problem
from fathom.irdl.slices import verify_bounds, verify_slice
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import tensor as ops
from fathom.records import replace


def is_reduced(full: Sequence[int], reduced: Sequence[int]) -> bool:
    """Whether a shape is another without some of its dimensions of size one."""
    place = 0
    for size in full:
        if place < len(reduced) and size == reduced[place]:
            place += 1
        elif size != 1:
            return False
    return place == len(reduced)


def mistake_in_part(whole: TensorType, sizes: Sequence[int], part: TensorType) -> str | None:
    """Why a type is not that of a part of a tensor."""
    expected = replace(whole, shape=tuple(sizes))
    if part == expected:
        return None
    if len(part.ranked_shape) > len(sizes):
        return "expected rank to be smaller or equal to the other rank. "
    if not is_reduced(sizes, part.ranked_shape):
        return f"expected type to be '{expected}' or a rank-reduced version. (size mismatch) "
    return f"expected element type to be '{expected.element}'" if part.element != expected.element else None


def _check(op: Operation, whole: TensorType | None, part: TensorType | None) -> Complaint:
    if whole is None or part is None:
        return None
    if problems := verify_slice(op, *[len(whole.ranked_shape)] * 3):
        return problems
    offsets, sizes, strides = (numbers_property(op, f"static_{name}") for name in ("offsets", "sizes", "strides"))
    found = mistake_in_part(whole, sizes, part)
    if found is not None:
        return Problem(found, bare=True, types=(part, replace(whole, shape=tuple(sizes))))
    return verify_bounds(whole.ranked_shape, offsets, sizes, strides)


@verifies("tensor.extract_slice")
def _check_extract(op: ops.ExtractSliceOp) -> Complaint:
    return _check(op, ranked(op.source.type), ranked(op.result.type))


@verifies("tensor.insert_slice", "tensor.parallel_insert_slice")
def _check_insert(op: ops.InsertSliceOp | ops.ParallelInsertSliceOp) -> Complaint:
    return _check(op, ranked(op.dest.type), ranked(op.source.type))


# ---- pad


@verifies("tensor.pad")
def _check_pad(op: ops.PadOp) -> Complaint:
    source, result = ranked(op.source.type), ranked(op.result.type)
    if source is None or result is None:
        return None
    low, high = numbers_property(op, "static_low"), numbers_property(op, "static_high")
    sizes = source.ranked_shape
    if not len(low) == len(high) == len(sizes):
        types = f"'{source}', specified resultType is '{result}'"
        return Problem(f"failed to infer expectedType from sourceType {types}", bare=True)
    inferred = [DYNAMIC if DYNAMIC in each else sum(each) for each in zip(sizes, low, high, strict=True)]
    found = result.ranked_shape
    fits = len(found) == len(inferred) and all(
        one == other or other == DYNAMIC for one, other in zip(found, inferred, strict=True)
    )
    if fits:
        return None
    wanted = TensorType(tuple(inferred), source.element)
    message = f"specified type '{result}' does not match the inferred type '{wanted}'"
    return Problem(message, bare=True, types=(result, wanted))


@verifies("tensor.pad", regions=True)
def _check_padding(op: ops.PadOp) -> Complaint:
    result, entry = ranked(op.result.type), op.region.first
    if result is None or entry is None:
        return None
    if len(entry.arguments) != len(result.ranked_shape):
        return Problem(f"expected the block to have {len(result.ranked_shape)} arguments", bare=True)
    for number, argument in enumerate(entry.arguments, 1):
        if argument.type != INDEX:
            return f"expected block argument {number} to be an index"
    if yields_another(op, result):
        return "expected yield type to match shape element type"
    return None
