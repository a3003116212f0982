"""Structured operations around which tensors are collapsed and expanded: the reshape is taken in by more loops.

    %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
    %1 = linalg.generic … ["parallel"]} ins(%0 : tensor<32xf32>) outs(%u : tensor<32xf32>) { … }
->
    %0 = tensor.expand_shape %u [[0, 1]] … : tensor<32xf32> into tensor<4x8xf32>
    %1 = linalg.generic … ["parallel", "parallel"]} ins(%t : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) { … }
    %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>

Source of the rules: `ElementwiseOpFusion.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.linalg.canonicalization.structured import STRUCTURED
from fathom.dialects.linalg.structured import dims_of, is_projected_permutation, places_of_loops, selection
from fathom.dialects.tensor.canonicalization.building import cloned
from fathom.ir.affine import AffineDim, AffineSymbol, add, multiply
from fathom.ir.attributes import i64_attr
from fathom.ir.operation import OpResult
from fathom.ir.types import INDEX, TensorType
from fathom.irdl.index_lists import separated
from fathom.irdl.reassociations import fits
from fathom.ops import linalg, tensor
from fathom.passes.structured import transpose
from fathom.passes.structured.generics import (
    Form,
    body_of,
    clone_body,
    create_generic,
    form_of,
    may_go,
    works_on_tensors,
)
from fathom.rewriting.moves import move_definitions_before
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, defined_by
from fathom.rewriting.reshapes import collapse, expand, groups_in, sizes_of
from fathom.rewriting.result_shapes import folded_dim, value_of

if TYPE_CHECKING:
    from fathom.ir.affine import AffineMap
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

    Sizes = Sequence[int | Value]

STEP: Final = add(AffineDim(0), multiply(AffineDim(1), AffineSymbol(0)))
"""An index that is put together: the next part, and what came before times the size of that part."""


class _Expansion:
    """Which loops each loop becomes, and how often each of these runs."""

    def __init__(self, map: AffineMap, groups: Sequence[Sequence[int]], sizes: Sizes, ranges: Sizes) -> None:
        """Of an operand that is read through a map, and whose dimensions these groups are of."""
        self.sizes: list[list[int | Value]] = [[size] for size in ranges]
        for dim, group in zip(dims_of(map) or [], groups, strict=True):
            self.sizes[dim] = [sizes[place] for place in group]
        self.loops: list[list[int]] = []
        for size in self.sizes:
            first = self.loops[-1][-1] + 1 if self.loops else 0
            self.loops.append(list(range(first, first + len(size))))

    @property
    def count(self) -> int:
        return sum(map(len, self.loops))

    def map(self, map: AffineMap) -> AffineMap:
        return selection(self.count, [loop for dim in dims_of(map) or [] for loop in self.loops[dim]])

    def shape(self, map: AffineMap) -> list[int | Value]:
        """The sizes of an operand."""
        return [size for dim in dims_of(map) or [] for size in self.sizes[dim]]

    def groups(self, map: AffineMap) -> list[list[int]]:
        """Which dimensions each of an operand becomes."""
        groups: list[list[int]] = []
        first = 0
        for dim in dims_of(map) or []:
            groups.append(list(range(first, first + len(self.loops[dim]))))
            first += len(self.loops[dim])
        return groups


def _can_expand(op: Operation, form: Form, place: int) -> bool:
    """Whether an operand may have more dimensions."""
    return works_on_tensors(op) and all(map(is_projected_permutation, form.maps)) and bool(form.maps[place].results)


def _ranges(form: Form, rewriter: Rewriter) -> list[int | Value]:
    """How often each loop runs."""
    sizes = [
        folded_dim(rewriter, value, dim)
        for value, map in zip(form.values, form.maps, strict=True)
        for dim in range(len(map.results))
    ]
    return [sizes[place] for place in places_of_loops(form.maps, len(form.loops)) or []]


def _expanded(
    op: Operation, form: Form, place: int, reshape: tensor.ExpandShapeOp | tensor.CollapseShapeOp, rewriter: Rewriter
) -> list[Value] | None:
    """An operation with the loops of a reshaped operand or result; the values that take the place of its results."""
    if isinstance(reshape, tensor.ExpandShapeOp):
        if not move_definitions_before(reshape.output_shape, op):
            return None
        sizes: Sizes = sizes_of(reshape)
    else:
        rank = len(reshape.src.type.shape or ()) if isinstance(reshape.src.type, TensorType) else 0
        with rewriter.standing_in(reshape):
            sizes = [folded_dim(rewriter, reshape.src, dim) for dim in range(rank)]
    groups = groups_in(reshape)
    if not groups:
        return None
    rewriter.set_insertion_before(op)
    rewriter.stand_in(op)
    expansion = _Expansion(form.maps[place], groups, sizes, _ranges(form, rewriter))
    values: list[Value] = []
    for at, (value, map) in enumerate(zip(form.values, form.maps, strict=True)):
        if at == place and place < len(form.inputs):
            values.append(reshape.src)
            continue
        reshaped = _reshaped(value, map, expansion, rewriter)
        if reshaped is None:
            return None
        values.append(reshaped)
    count = len(form.inputs)
    made = _create(op, Form(values[:count], values[count:], form.maps, form.loops), expansion, rewriter)
    results: list[Value] = []
    for old, new, map in zip(op.results, made.results, form.maps[count:], strict=True):
        if new.type != old.type:
            new = collapse(rewriter, "tensor", new, old.type, expansion.groups(map)).result
        results.append(new)
    return results


def _reshaped(value: Value, map: AffineMap, expansion: _Expansion, rewriter: Rewriter) -> Value | None:
    """An operand in the dimensions of the loops; None if that cannot be."""
    type = value.type
    if not isinstance(type, TensorType):
        return value
    sizes = expansion.shape(map)
    wanted = TensorType(separated(sizes)[1].values, type.element)
    if wanted == type:
        return value
    groups = expansion.groups(map)
    if not fits(groups, wanted.ranked_shape, type.ranked_shape):
        return None
    return expand(rewriter, "tensor", value, wanted, groups, sizes).result


def _create(op: Operation, form: Form, expansion: _Expansion, rewriter: Rewriter) -> Operation:
    """An operation of the same kind if it is one that has no maps of its own, or else a generic one."""
    if isinstance(op, linalg.TransposeOp):
        order = op.permutation.values
        loops = [loop for dim in range(len(order)) for loop in expansion.loops[order.index(dim)]]
        places = [loops.index(loop) for loop in range(len(loops))]
        return transpose(rewriter, form.inputs[0], form.inits[0], places)
    types = [value.type for value in form.inits]
    if isinstance(op, (linalg.FillOp, linalg.CopyOp)):
        return cloned(rewriter, op, form.values, types)
    loops = "".join(kind * len(group) for kind, group in zip(form.loops, expansion.loops, strict=True))
    made = create_generic(rewriter, Form(form.inputs, form.inits, [*map(expansion.map, form.maps)], loops), types)
    clone_body(rewriter, op.regions[0], made, {})
    with rewriter.elsewhere():
        _recover_indices(made, expansion, rewriter)
    return made


def _recover_indices(op: Operation, expansion: _Expansion, rewriter: Rewriter) -> None:
    """The index of a loop before follows from those of the loops that it became."""
    for index in [inner for inner in body_of(op) if isinstance(inner, linalg.IndexOp)]:
        first, *others = expansion.loops[index.dim.value]
        if not others and first == index.dim.value:
            continue
        rewriter.set_insertion_behind(index)
        parts = [_index(rewriter, loop) for loop in others]
        value: int | Value = _index(rewriter, first)
        with rewriter.standing_in(index):
            for part, size in zip(parts, expansion.sizes[index.dim.value][1:], strict=True):
                value = apply_folded(rewriter, STEP, [part, value, size])
            rewriter.replace(index, [value_of(rewriter, value)])


def _index(rewriter: Rewriter, loop: int) -> Value:
    return rewriter.create("linalg.index", (), [INDEX], {"dim": i64_attr(loop)}).result


# ---- patterns


def take_collapse(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """An operand that is collapsed is read as it was before."""
    form = form_of(op)
    if form is None:
        return NO_MATCH
    for place, value in enumerate(form.inputs):
        reshape = defined_by(value, tensor.CollapseShapeOp)
        if reshape is None or not _can_expand(op, form, place) or not may_go(value):
            continue
        results = _expanded(op, form, place, reshape, rewriter)
        if results is None:
            return Failure("fusion by expansion failed")
        rewriter.replace(op, results)
        return None
    return Failure("no input comes from a 'tensor.collapse_shape' that the loops could be expanded for")


def take_expansion(op: tensor.ExpandShapeOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A result that is expanded is written as it is afterwards."""
    source = op.src
    producer = source.defining_op
    form = form_of(producer) if producer is not None else None
    if producer is None or form is None or not isinstance(source, OpResult):
        return Failure("producer not a generic op")
    place = len(form.inputs) + source.index
    if not _can_expand(producer, form, place):
        return Failure("failed preconditions of fusion with producer generic op")
    if not may_go(source):
        return Failure("fusion blocked by control function")
    results = _expanded(producer, form, place, op, rewriter)
    if results is None:
        return Failure("fusion by expansion failed")
    new = results[source.index]
    collapsed = defined_by(new, tensor.CollapseShapeOp)
    rewriter.replace(op, [collapsed.src if collapsed is not None else new])
    rewriter.replace(producer, results)
    return None


EXPANSIONS: Final = (Pattern("tensor.expand_shape", take_expansion, name="FoldReshapeWithGenericOpByExpansion"),)
COLLAPSES: Final = (Pattern("", take_collapse, name="FoldWithProducerReshapeOpByExpansion", trait=STRUCTURED),)
