"""The checks of what moves elements: reshaping, padding, slicing, gathering, resizing.

Source of the rules: *Tensor Operator Set Architecture (TOSA) Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from math import prod
from typing import Final

from fathom.dialects.tosa.values import (
    REDUCTIONS,
    Reduction,
    check_inferred,
    count_of_integers,
    integers_of,
    same_elements,
    same_input_and_output,
    shape_of,
    shape_rank,
    static,
)
from fathom.ir.spelling import spell_numbers
from fathom.ir.types import DYNAMIC, Type, element_type
from fathom.irdl.checking import all_of
from fathom.irdl.type_traits import compatible
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import tosa as ops


@verifies("tosa.argmax")
def _check_argmax(op: ops.ArgmaxOp) -> str | None:
    source, result, axis = shape_of(op.input.type), shape_of(op.result.type), op.axis.value
    if source is None:
        return None
    if not 0 <= axis < len(source):
        return "specified axis is outside the rank of the tensor"
    expected = source[:axis] + source[axis + 1 :]
    if result is not None and not compatible(expected, result):
        return f"expected output shape '{spell_numbers(expected)}', got '{spell_numbers(result)}'"
    return None


@verifies("tosa.concat")
def _check_concat(op: ops.ConcatOp) -> str | None:
    if not op.operands:
        return "expect at least one input"
    result = op.result.type
    for value in op.operands:
        if problem := same_elements(value.type, result):
            return problem
    axis = op.axis.value
    shapes = [shape_of(value.type) for value in op.operands]
    known = [shape for shape in shapes if shape is not None]
    if not known:
        return None
    first = known[0]
    if not 0 <= axis < len(first):
        return f"expect axis to be within range 0 < axis < rank(input1[firstRankedTensorIdx]), got {axis}"
    if len(known) != len(shapes):
        return None
    for index, shape in enumerate(known[1:], 1):
        if len(shape) != len(first):
            counts = f"{len(first)} vs {len(shape)} on operands 0 and {index}"
            return f"expect all operands to have the same rank, but got {counts}"
        for place, (left, right) in enumerate(zip(first, shape, strict=True)):
            if place != axis and static(left, right) and left != right:
                where = f"{right} vs {left} at index {place} on operands 0 and {index}"
                return f"expect all operand shapes to have the same sizes on non-axis dimensions, but got {where}"
    outer = shape_of(result)
    if outer is None:
        return None
    if len(outer) != len(first):
        return f"expect output rank to match inputs rank, got {len(outer)} vs {len(first)}"
    extents = [shape[axis] for shape in known]
    if static(*extents, outer[axis]) and sum(extents) != outer[axis]:
        counts = f"{sum(extents)} and {outer[axis]}"
        return f"requires sum of axis dimensions of input1 equal to output axis dimension, got {counts}"
    return None


@verifies("tosa.pad")
def _check_pad(op: ops.PadOp) -> str | None:
    result = op.result.type
    values = [op.input1, op.pad_const] if len(op.operands) > 2 else [op.input1]
    for value in values:
        if problem := same_elements(value.type, result):
            return problem
    inner, outer = shape_of(op.input1.type), shape_of(result)
    if inner is None or outer is None:
        return None
    if len(inner) != len(outer):
        counts = f"inputRank: {len(inner)}, outputRank: {len(outer)}"
        return f"expect same input and output tensor rank, but got {counts}"
    rank, count = len(inner), count_of_integers(op.padding)
    if count is not None and count != rank * 2:
        return f"padding tensor must have {rank} * 2 = {rank * 2} elements, but got {count}"
    padding = integers_of(op.padding)
    if padding is None:
        return None
    for index, (extent, size) in enumerate(zip(inner, outer, strict=True)):
        before, after = padding[2 * index : 2 * index + 2]
        if min(before, after) < -1:
            rule = "values must be non-negative or -1 for dynamic padding"
            return f"invalid padding values at dimension {index}: {rule}, got [{before}, {after}]"
        whole = extent + before + after
        if static(extent, size) and size != whole:
            sum = f"{extent} + {before} + {after} = {whole}"
            return f"mismatch in output shape at dimension {index}: expected {sum}, but got {size}"
    return None


def _check_slice(op: ops.SliceOp) -> str | None:
    inner, outer = shape_of(op.input1.type), shape_of(op.result.type)
    if inner is None:
        return None
    if outer is not None and len(inner) != len(outer):
        return f"expect input1 and output to have the same ranks, got {len(inner)} and {len(outer)}"
    for name, value in (("start", op.start), ("size", op.size)):
        rank = shape_rank(value.type)
        if rank is not None and rank != len(inner):
            return f"length of {name} is not equal to rank of input shape"
    return None


@verifies("tosa.table")
def _check_table(op: ops.TableOp) -> str | None:
    inner, outer = shape_of(op.input1.type), shape_of(op.result.type)
    if inner is None or outer is None:
        return None
    if len(inner) != len(outer):
        return "expected input tensor rank to equal result tensor rank"
    for index, (left, right) in enumerate(zip(inner, outer, strict=True)):
        if static(right) and left != right:
            return f"dim(result, {index}) = {right} doesn't match dim(input, {index}) = {left}"
    return None


def _check_tile(op: ops.TileOp) -> str | None:
    inner, outer = shape_of(op.input1.type), shape_of(op.result.type)
    rank = shape_rank(op.multiples.type)
    if inner is not None:
        if rank is not None and len(inner) != rank:
            return f"expect 'multiples' to have rank {len(inner)} but got {rank}."
        if outer is not None and len(inner) != len(outer):
            return "expect same input and output tensor rank."
    elif outer is not None and rank is not None and len(outer) != rank:
        return f"expect 'multiples' array to have length {len(outer)} but got {rank}."
    multiples = integers_of(op.multiples)
    if multiples is not None and any(multiple <= 0 and multiple != -1 for multiple in multiples):
        return "expect element of 'multiples' to be positive integer or -1."
    return None


def _check_reshape(op: ops.ReshapeOp) -> str | None:
    inner, outer = shape_of(op.input1.type), shape_of(op.result.type)
    extents, count = integers_of(op.shape, only_shapes=True), count_of_integers(op.shape, only_shapes=True)
    if extents is not None and extents.count(-1) > 1:
        return "expected at most one target dimension to be -1"
    if outer is None:
        return None
    if count is not None and count != len(outer):
        return "new shape does not match result rank"
    if extents is None:
        return None
    for extent, size in zip(extents, outer, strict=True):
        if extent not in (-1, DYNAMIC) and static(size) and extent != size:
            return "new shape is inconsistent with result shape"
        if extent != DYNAMIC and extent < -1:
            return f"new shape has invalid tensor dimension size {extent}"
    if inner is None or not static(*inner):
        return None
    count = prod(inner)
    if static(*outer) and count != prod(outer):
        return f"cannot reshape {count} elements into {prod(outer)}"
    whole = prod([extent for extent in extents if extent > 0])
    is_whole = all(extent > 0 for extent in extents)
    if (is_whole and count != whole) or (not is_whole and whole > count):
        return f"cannot reshape {count} elements into {whole}"
    return None


def _check_transpose(op: ops.TransposeOp) -> str | None:
    inner, outer = shape_of(op.input1.type), shape_of(op.result.type)
    order = op.perms.values
    if inner is not None and len(order) != len(inner):
        return f"expected perms attribute to have size {len(inner)} (input rank) but got size {len(order)}"
    if inner is not None and outer is not None and len(inner) != len(outer):
        return "expected input tensor rank to equal result tensor rank"
    if outer is not None and len(order) != len(outer):
        return f"expected perms attribute to have size {len(outer)} (output rank) but got size {len(order)}"
    if sorted(order) != list(range(len(order))):
        return "expected valid permutation indices"
    if inner is None or outer is None:
        return None
    if static(*inner, *outer) and prod(inner) != prod(outer):
        counts = f"{prod(inner)} and {prod(outer)}"
        return f"expected input1 and output to have same numbers of elements, got {counts}"
    for index, (place, size) in enumerate(zip(order, outer, strict=True)):
        if static(inner[place], size) and inner[place] != size:
            return f"expected output tensor dim {index} to match input dim {place} with value of {inner[place]}"
    return None


class _Extents:
    """Extents that several values must agree in, by letter."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.problem: str | None = None

    def meet(self, letters: str, shape: tuple[int, ...] | None, what: str, *, learn: bool = True) -> None:
        """Compares the extents of a value with those known, and, to `learn`, takes those that were not."""
        if shape is None or self.problem is not None:
            return
        for index, (letter, extent) in enumerate(zip(letters, shape, strict=False)):
            known = self.known.get(letter, DYNAMIC)
            if static(known, extent) and known != extent:
                self.problem = f"requires {what} dimension {index} to have size {known}, got {extent}"
                return
            if learn and not static(known):
                self.known[letter] = extent


def _check_gather(op: ops.GatherOp) -> str | None:
    extents = _Extents()
    values = shape_of(op.values.type)
    if values is not None and len(values) == 3:
        extents.known.update(N=values[0], C=values[2])
    extents.meet("NW", shape_of(op.indices.type), "indices")
    extents.meet("NWC", shape_of(op.result.type), "output", learn=False)
    return extents.problem


def _check_scatter(op: ops.ScatterOp) -> str | None:
    extents = _Extents()
    extents.meet("NKC", shape_of(op.values_in.type), "values_in")
    extents.meet("NW", shape_of(op.indices.type), "indices")
    extents.meet("NWC", shape_of(op.input.type), "input")
    extents.meet("NKC", shape_of(op.result.type), "values_out")
    if extents.problem is not None:
        return extents.problem
    kept, written = extents.known.get("K", DYNAMIC), extents.known.get("W", DYNAMIC)
    if static(kept, written) and kept < written:
        return f"requires dimensions K >= W, got K={kept} and W={written}"
    return None


@verifies("tosa.resize")
def _check_resize(op: ops.ResizeOp) -> str | None:
    lists = [integers_of(value, only_shapes=True) for value in (op.scale, op.offset, op.border)]
    scale, offset, border = (numbers or [] for numbers in lists)
    if len(scale) != 4 or len(offset) != 2 or len(border) != 2:
        return None
    if min(scale) <= 0:
        return f"expect all scale values to be > 0, got {spell_numbers(scale)}"
    inner, outer = shape_of(op.input.type), shape_of(op.result.type)
    if inner is None or outer is None:
        return None
    for index, (name, axis) in enumerate((("height", "y"), ("width", "x"))):
        extent, result = inner[1 + index], outer[1 + index]
        if not static(extent) or extent == 1:
            continue
        over, under = scale[2 * index : 2 * index + 2]
        rest = (extent - 1) * over - offset[index] + border[index]
        if rest % under:
            formula = f"(input_{name} - 1) * scale_{axis}_n - offset_{axis} + border_{axis}"
            given = f"(({extent} - 1) * {over} - {offset[index]} + {border[index]}) / {under}"
            return f"expected {formula} to be wholly divisible by scale_{axis}_d, got {given}"
        calculated = rest // under + 1
        if static(result) and calculated != result:
            return f"calculated output {name} did not match expected: calculated={calculated}, expected={result}"
    return None


def _check_axis(source: Type, result: Type, axis: int, what: str) -> str | None:
    """An axis that a dimension of input and output belongs to."""
    inner, outer = shape_of(source), shape_of(result)
    for name, shape in (("input", inner), ("output", outer)):
        if shape is None:
            continue
        if name == "output" and inner is not None and len(inner) != len(shape):
            return "expect output tensor rank to be equal to input tensor rank"
        if axis >= len(shape) and (axis or shape):
            return f"expect {name} tensor rank ({len(shape)}) to be larger than {what} axis ({axis})"
    return None


def _check_reverse(op: ops.ReverseOp) -> str | None:
    if op.axis.value < 0:
        return "expected non-negative reverse axis"
    return _check_axis(op.input1.type, op.result.type, op.axis.value, "reverse")


@verifies(*REDUCTIONS)
def _check_reduction(op: Reduction) -> str | None:
    axis, outer = op.axis.value, shape_of(op.result.type)
    if axis < 0:
        return "reduce axis must not be negative"
    if problem := _check_axis(op.input.type, op.result.type, axis, "reduce"):
        return problem
    if outer and static(outer[axis]) and outer[axis] != 1:
        return f"expect reduced dimension size to be 1, got {outer[axis]}"
    return None


@verifies(*REDUCTIONS, regions=True)
def _check_reduced(op: Reduction) -> Complaint:
    source, axis, shape = op.input.type, op.axis.value, shape_of(op.input.type)
    reduced = (*shape[:axis], 1, *shape[axis + 1 :]) if shape is not None and axis < len(shape) else None
    return check_inferred(reduced, element_type(source), op.result.type)


VERIFY: Final[Checks] = {
    "tosa.slice": all_of(same_input_and_output, _check_slice),
    "tosa.tile": all_of(same_input_and_output, _check_tile),
    "tosa.reshape": all_of(same_input_and_output, _check_reshape),
    "tosa.transpose": all_of(same_input_and_output, _check_transpose),
    "tosa.gather": all_of(same_input_and_output, _check_gather),
    "tosa.scatter": all_of(same_input_and_output, _check_scatter),
    "tosa.reverse": all_of(same_input_and_output, _check_reverse),
}
