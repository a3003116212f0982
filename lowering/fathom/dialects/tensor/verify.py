"""What MLIR's verifiers say of the operations of tensor.

Source of the rules: *'tensor' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import TypeAlias

from fathom.dialects.tensor.casts import ranked
from fathom.ir.operation import Operation
from fathom.ir.types import DYNAMIC, INDEX, TensorType, Type, element_type, element_width
from fathom.irdl.definition import Problem
from fathom.irdl.reassociations import groups_of
from fathom.irdl.slices import verify_bounds, verify_slice
from fathom.irdl.type_traits import have_compatible_shapes
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import tensor as ops
from fathom.records import replace

# ---- empty, splat, generate, from_elements


@verifies("tensor.empty", "tensor.generate", "tensor.splat")
def _check_dynamic_sizes(op: ops.EmptyOp | ops.GenerateOp | ops.SplatOp) -> Complaint:
    """Each size that the result leaves open needs an operand."""
    result = ranked(op.result.type)
    given = len(op.operands) - isinstance(op, ops.SplatOp)
    expected = result.ranked_shape.count(DYNAMIC) if result is not None else given
    return None if expected == given else f"incorrect number of dynamic sizes, has {given}, expected {expected}"


@verifies("tensor.generate", regions=True)
def _check_generate(op: ops.GenerateOp) -> Complaint:
    result = ranked(op.result.type)
    entry = op.body.first
    if result is None or entry is None:
        return None
    if any(argument.type != INDEX for argument in entry.arguments):
        return Problem("all body arguments must be index", bare=True)
    if len(entry.arguments) != len(result.ranked_shape):
        return Problem("must have one body argument per input dimension", bare=True)
    if yields_another(op, result):
        return "body must be terminated with a `yield` operation of the tensor element type"
    return None


def yields_another(op: Operation, result: TensorType) -> bool:
    """Whether the region gives values that are no elements of the result."""
    last = op.regions[0].first.last if op.regions[0].first is not None else None
    if not isinstance(last, ops.YieldOp) or not last.operands:
        return False  # That is said there.
    return last.value.type != result.element


@verifies("tensor.from_elements")
def _check_elements(op: ops.FromElementsOp) -> Complaint:
    result = ranked(op.result.type)
    is_whole = result is None or len(op.elements) == prod(result.ranked_shape)
    if result is None or (is_whole and all(element.type == result.element for element in op.elements)):
        return None
    return "failed to verify that operand types match result element type"


# ---- extract, insert


@verifies("tensor.extract", "tensor.insert")
def _check_indices(op: ops.ExtractOp | ops.InsertOp) -> Complaint:
    extracts = isinstance(op, ops.ExtractOp)
    type = ranked((op.tensor if extracts else op.dest).type)
    if type is None or len(type.ranked_shape) == len(op.indices):
        return None
    return "incorrect number of indices" + (" for extract_element" if extracts else "")


# ---- gather, scatter


def _mistake_in_dims(what: str, of: str, dims: Sequence[int], indices: Sequence[int], rank: int) -> str | None:
    if not dims:
        return f"{what}_dims must be non-empty"
    if len(dims) > rank:
        return f"{what}_dims overflow {of} rank"
    if not indices or indices[-1] != len(dims):
        return f"{what}_dims length must match the size of last dimension of indices"
    for dim in dims:
        if dim < 0:
            return f"{what}_dims value must be non-negative"
        if dim >= rank:
            return f"{what}_dims value must be smaller than {of} rank"
    if any(first >= second for first, second in pairwise(dims)):
        return f"{what}_dims values must be strictly increasing"
    return None


def _gathered(source: TensorType, indices: TensorType, dims: Sequence[int], *, reduced: bool) -> TensorType:
    """The type of what is gathered: a slice of the source for each index, in which dimensions have the size one, or are
    not there."""
    slices = [1 if dim in dims else size for dim, size in enumerate(source.ranked_shape)]
    kept = [size for dim, size in enumerate(slices) if not (reduced and dim in dims)]
    return replace(source, shape=(*indices.ranked_shape[:-1], *kept))


def _check_dims(
    op: ops.GatherOp | ops.ScatterOp, what: str, dims: Sequence[int], whole: tuple[str, Type], part: tuple[str, Type]
) -> Complaint:
    """What is gathered or scattered fits the whole, which has a name and a type like the part."""
    source, indices = ranked(whole[1]), ranked(op.indices.type)
    if source is None or indices is None:
        return None
    problem = _mistake_in_dims(what, whole[0], dims, indices.ranked_shape, len(source.ranked_shape))
    if problem is not None:
        return problem
    if what == "scatter" and op.unique is None:
        return "requires 'unique' attribute to be set"
    expected, reduced = (_gathered(source, indices, dims, reduced=reduced) for reduced in (False, True))
    if part[1] in (expected, reduced):
        return None
    types = f"expected '{expected}' or its rank-reduced variant '{reduced}' (got: '{part[1]}')"
    return f"{part[0]} type mismatch: {types}"


@verifies("tensor.gather")
def _check_gather(op: ops.GatherOp) -> Complaint:
    return _check_dims(op, "gather", op.gather_dims.values, ("source", op.source.type), ("result", op.result.type))


@verifies("tensor.scatter")
def _check_scatter(op: ops.ScatterOp) -> Complaint:
    return _check_dims(op, "scatter", op.scatter_dims.values, ("dest", op.dest.type), ("source", op.source.type))


# ---- extract_slice, insert_slice, pad


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


Slice: TypeAlias = "ops.ExtractSliceOp | ops.InsertSliceOp | ops.ParallelInsertSliceOp"


def _check_part(op: Slice, whole: TensorType | None, part: TensorType | None) -> Complaint:
    if whole is None or part is None:
        return None
    if problems := verify_slice(op, *[len(whole.ranked_shape)] * 3):
        return problems
    offsets, sizes, strides = (list_.values for list_ in (op.static_offsets, op.static_sizes, op.static_strides))
    problem = mistake_in_part(whole, sizes, part)
    if problem is not None:
        return Problem(problem, bare=True, types=(part, replace(whole, shape=tuple(sizes))))
    return verify_bounds(whole.ranked_shape, offsets, sizes, strides)


@verifies("tensor.extract_slice")
def _check_extract(op: ops.ExtractSliceOp) -> Complaint:
    return _check_part(op, ranked(op.source.type), ranked(op.result.type))


@verifies("tensor.insert_slice", "tensor.parallel_insert_slice")
def _check_insert(op: ops.InsertSliceOp | ops.ParallelInsertSliceOp) -> Complaint:
    return _check_part(op, ranked(op.dest.type), ranked(op.source.type))


# ---- pad


@verifies("tensor.pad")
def _check_pad(op: ops.PadOp) -> Complaint:
    source, result = ranked(op.source.type), ranked(op.result.type)
    if source is None or result is None:
        return None
    low, high = op.static_low.values, op.static_high.values
    sizes = source.ranked_shape
    if not len(low) == len(high) == len(sizes):
        types = f"'{source}', specified resultType is '{result}'"
        return Problem(f"failed to infer expectedType from sourceType {types}", bare=True)
    inferred = [DYNAMIC if DYNAMIC in parts else sum(parts) for parts in zip(sizes, low, high, strict=True)]
    shape = result.ranked_shape
    wanted = TensorType(tuple(inferred), source.element)
    if len(shape) == len(inferred) and all(b in (a, DYNAMIC) for a, b in zip(shape, inferred, strict=True)):
        return None
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


# ---- cast, bitcast


@verifies("tensor.cast", "tensor.bitcast")
def _check_cast(op: ops.BitcastOp | ops.CastOp) -> Complaint:
    source, target = op.source.type, op.dest.type
    a, b = element_type(source), element_type(target)
    same = element_width(a) == element_width(b) if isinstance(op, ops.BitcastOp) else a == b
    if same and have_compatible_shapes(source, target):
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
    if any(len(input_.ranked_shape) != rank for input_ in inputs):
        return "rank of concatenated inputs must match result rank"
    if any(input_.element != result.element for input_ in inputs):
        return "inputs and result element type must match"
    if dim >= rank:
        return "concatenation dim must be less than the tensor rank"
    shape: list[int] = []
    for index, sizes in enumerate(zip(*(input_.ranked_shape for input_ in inputs), strict=True)):
        if index == dim:
            shape.append(DYNAMIC if DYNAMIC in sizes else sum(sizes))
            continue
        known = {*sizes} - {DYNAMIC}
        if len(known) > 1:
            return f"static concatenation size mismatch along non-concatenated dimension {index}"
        shape.append(known.pop() if known else DYNAMIC)
    inferred = TensorType(tuple(shape), inputs[0].element)
    if not have_compatible_shapes(inferred, result):
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
    sizes = op.static_output_shape.values
    if len(sizes) != len(target.ranked_shape):
        counts = f"({len(target.ranked_shape)}) but found {len(sizes)} inputs instead"
        return f"expected number of static shape dims to be equal to the output rank {counts}"
    given, dynamic = len(op.output_shape), sizes.count(DYNAMIC)
    if given != dynamic:
        counts = f"static_output_shape has {dynamic} dynamic dims while output_shape has {given} values"
        return f"mismatch in dynamic dims in output_shape and static_output_shape: {counts}"
    return _mistake_in_groups(groups_of(op.reassociation), target, source)


@verifies("tensor.collapse_shape")
def _check_collapse(op: ops.CollapseShapeOp) -> Complaint:
    source, target = ranked(op.src.type), ranked(op.result.type)
    if source is None or target is None:
        return None
    groups = groups_of(op.reassociation)
    if not all(groups):
        return "reassociation indices must not be empty"
    return _mistake_in_groups(groups, source, target)


def _mistake_in_groups(groups: Sequence[Sequence[int]], expanded: TensorType, collapsed: TensorType) -> str | None:
    sizes, wholes = expanded.ranked_shape, collapsed.ranked_shape
    if len(sizes) < len(wholes):
        types = f"'{expanded}' to have a higher (or same) rank than the collapsed type, '{collapsed}'."
        return f"expected the expanded type, {types}"
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
