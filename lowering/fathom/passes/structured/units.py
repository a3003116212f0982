"""Dimensions of 1, and loops that run once, go out of `linalg.generic` and `tensor.pad`.

    linalg.generic … ins(%t : tensor<1x4xf32>) outs(%u : tensor<1x4xf32>) …
->
    %0 = tensor.collapse_shape %t [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
    …
    tensor.expand_shape %2 [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>

Source of the rules: `DropUnitDims.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.structured import places_of_loops, shape_of
from fathom.dialects.tensor.canonicalization.building import slice_type
from fathom.dialects.tensor.canonicalization.pads import padding_value
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap, substitute
from fathom.ir.attributes import StridedLayoutAttr, i64_attr
from fathom.ir.operation import types_of
from fathom.ir.strides import is_identity, strides_and_offset
from fathom.ir.types import INDEX, MemRefType, TensorType
from fathom.irdl.index_lists import separated
from fathom.irdl.slices import mixed_list
from fathom.ops.linalg import GenericOp, IndexOp
from fathom.ops.tensor import ExtractSliceOp, InsertSliceOp, PadOp, ParallelInsertSliceOp
from fathom.passes.arithmetic import constant
from fathom.passes.structured.generics import Form, are_found, body_of, clone_body, create_generic, form_of
from fathom.passes.tensors import pad, paddings
from fathom.records import record
from fathom.rewriting.pattern import Failure, Pattern, Replacement, replacing
from fathom.rewriting.reshapes import collapse, expand_tensor
from fathom.rewriting.result_shapes import folded_dim
from fathom.rewriting.slicing import create_slice

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

UNCOLLAPSED: Final = Failure("an operand can not be collapsed")


@record
class _Operand:
    """The map of an operand without units, the dimensions that stay, and which of them each one is in."""

    map: AffineMap
    left: list[int]
    groups: list[list[int]]


def groups_without(units: Sequence[bool]) -> list[list[int]]:
    """Each dimension that stays, with the units behind it; the first also with those before it."""
    groups: list[list[int]] = []
    first: list[int] = []
    for dim, is_unit in enumerate(units):
        if not is_unit:
            groups.append([*first, dim])
            first = []
        elif groups:
            groups[-1].append(dim)
        else:
            first.append(dim)
    return groups


def _without_units(
    map: AffineMap, shape: Sequence[int], loops: Collection[int], kept: Sequence[AffineExpr]
) -> _Operand:
    """An operand, by the loops that go, and what takes the place of each loop."""
    results = [substitute(result, kept, ()) for result in map.results]
    units: list[bool] = []
    for size, expr, result in zip(shape, map.results, results, strict=False):
        goes = expr.position in loops if isinstance(expr, AffineDim) else result == AffineConstant(0)
        units.append(size == 1 and goes)
    left = [dim for dim, is_unit in enumerate(units) if not is_unit]
    dims = sum(isinstance(expression, AffineDim) for expression in kept)
    new = AffineMap(dims, map.symbols, tuple(results[dim] for dim in left))
    return _Operand(new, left, groups_without(units))


@record
class Units:
    """How dimensions are dropped and come back: by reshapes, or by slices of a smaller rank."""

    slices: bool

    def patterns(self) -> list[Pattern]:
        return [
            replacing("linalg.generic", self.without_loops, name="DropUnitDims"),
            replacing("tensor.pad", self.without_dimensions, name="DropPadUnitDims"),
        ]

    def without_loops(self, op: GenericOp, rewriter: Rewriter) -> Replacement:
        """A `linalg.generic` without the loops that run once."""
        form = form_of(op)
        places = places_of_loops(form.maps, len(form.loops)) if form is not None else None
        if form is None or places is None or not form.loops:
            return Failure("invalid indexing maps for operation")
        sizes = [size for value in form.values for size in shape_of(value.type)]
        once = [loop for loop, place in enumerate(places) if sizes[place] == 1]
        rest = [loop for loop in range(len(form.loops)) if loop not in once]
        kept: list[AffineExpr] = [AffineConstant(0)] * len(form.loops)
        for number, loop in enumerate(rest):
            kept[loop] = AffineDim(number)
        pairs = zip(form.values, form.maps, strict=True)
        parts = [_without_units(map, shape_of(value.type), once, kept) for value, map in pairs]
        maps = [part.map for part in parts]
        if maps == list(form.maps) or not are_found(maps, len(rest)):
            return Failure("no dimension goes")
        values: list[Value] = []
        for value, part, map in zip(form.values, parts, form.maps, strict=True):
            sliced = value
            if len(part.map.results) != len(map.results):
                dropped = self._dropped(rewriter, value, part.left, part.groups)
                if dropped is None:
                    return UNCOLLAPSED
                sliced = dropped
            values.append(sliced)
        count = len(form.inputs)
        loops = "".join(form.loops[loop] for loop in rest)
        types = [value.type for value, _ in zip(values[count:], op.results, strict=False)]
        made = create_generic(rewriter, Form(values[:count], values[count:], maps, loops), types)
        clone_body(rewriter, op.region, made, {})
        with rewriter.elsewhere():
            _renumber(made, once, rewriter)
        results: list[Value] = []
        for number, result in enumerate(made.results):
            part = parts[count + number]
            back: Value | None = result
            if len(part.map.results) != len(form.maps[count + number].results):
                back = self._restored(rewriter, result, form.inits[number], part.groups)
            if back is None:
                return Failure("a result can not be expanded")
            results.append(back)
        return results

    def without_dimensions(self, op: PadOp, rewriter: Rewriter) -> Replacement:
        """Padding without the dimensions of 1 that are not padded."""
        source, type, value = op.source.type, op.result.type, padding_value(op)
        if not isinstance(source, TensorType) or not isinstance(type, TensorType) or not source.ranked_shape:
            return Failure("control function returns no allowed unit dims to prune")
        if source.encoding is not None or value is None:
            return Failure("unimplemented: non-constant padding value")
        low, high = paddings(op)
        units = [size == 1 and low[dim] == 0 and high[dim] == 0 for dim, size in enumerate(source.ranked_shape)]
        if not any(units):
            return Failure("no unit dims to collapse")
        left = [dim for dim, is_unit in enumerate(units) if not is_unit]
        groups = groups_without(units)
        dropped = self._dropped(rewriter, op.source, left, groups)
        if dropped is None:
            return UNCOLLAPSED
        smaller = TensorType(tuple(type.ranked_shape[dim] for dim in left), type.element)
        made = pad(rewriter, dropped, smaller, [low[dim] for dim in left], [high[dim] for dim in left], value)
        maker = made.defining_op
        if op.nofold is not None and maker is not None:
            maker.properties["nofold"] = op.nofold
        whole: Value = op.result
        if self.slices:
            sizes: list[int | Value] = [1] * len(units)
            for place, dim in enumerate(left):
                sizes[dim] = folded_dim(rewriter, made, place)
            operands, shape = separated(sizes)
            whole = rewriter.create("tensor.empty", operands, [TensorType(shape.values, type.element)]).result
        return self._restored(rewriter, made, whole, groups) or Failure("Failed to expand result")

    def _dropped(
        self, rewriter: Rewriter, value: Value, left: Sequence[int], groups: Sequence[Sequence[int]]
    ) -> Value | None:
        """A value with the dimensions that are left; None if its layout or encoding does not allow that."""
        type = value.type
        shape = tuple(shape_of(type)[dim] for dim in left)
        if isinstance(type, MemRefType):
            strides = strides_and_offset(type)
            if not is_identity(type) or strides is None:
                return None
            if self.slices:
                layout = StridedLayoutAttr(tuple(strides[0][dim] for dim in left))
                view = MemRefType(shape, type.element, layout, type.space)
                return create_slice(rewriter, "memref.subview", [value], _all_of(rewriter, value), [view]).result
            smaller = MemRefType(shape, type.element, None, type.space)
            return collapse(rewriter, "memref", value, smaller, groups).result
        if not isinstance(type, TensorType) or type.encoding is not None:
            return None
        smaller = TensorType(shape, type.element)
        if self.slices:
            return create_slice(rewriter, "tensor.extract_slice", [value], _all_of(rewriter, value), [smaller]).result
        return collapse(rewriter, "tensor", value, smaller, groups).result

    def _restored(
        self, rewriter: Rewriter, value: Value, whole: Value, groups: Sequence[Sequence[int]]
    ) -> Value | None:
        """A result with the units of what was written before."""
        type = whole.type
        if not isinstance(type, TensorType) or type.encoding is not None:
            return None
        if self.slices:
            lists = _all_of(rewriter, whole)
            return create_slice(rewriter, "tensor.insert_slice", [value, whole], lists, [type]).result
        return expand_tensor(rewriter, value, type, groups)


def _all_of(rewriter: Rewriter, value: Value) -> list[list[int | Value]]:
    """The slice that is all of a tensor."""
    rank = len(shape_of(value.type))
    return [[0] * rank, [folded_dim(rewriter, value, dim) for dim in range(rank)], [1] * rank]


def _renumber(op: Operation, once: Sequence[int], rewriter: Rewriter) -> None:
    """The indices of loops, of which some are gone."""
    for index in [inner for inner in body_of(op) if isinstance(inner, IndexOp)]:
        dim = index.dim.value
        before = sum(loop < dim for loop in once)
        if dim not in once and not before:
            continue
        rewriter.set_insertion_before(index)
        with rewriter.standing_in(index):
            if dim in once:
                new = constant(rewriter, 0)
            else:
                new = rewriter.create("linalg.index", (), [INDEX], {"dim": i64_attr(dim - before)}).result
            rewriter.replace(index, [new])


# ---- slices


def _groups_of_units(shape: Sequence[int]) -> list[list[int]]:
    """Each dimension that is no unit with the units before it; the last also with those behind it."""
    groups: list[list[int]] = []
    units: list[int] = []
    for dim, size in enumerate(shape):
        units.append(dim)
        if size != 1:
            groups.append(units)
            units = []
    if groups:
        groups[-1] += units
    return groups


def smaller_extraction(op: ExtractSliceOp, rewriter: Rewriter) -> Replacement:
    """A slice with units is one without them, expanded."""
    type, source = op.result.type, op.source.type
    if not isinstance(type, TensorType) or not isinstance(source, TensorType):
        return None
    groups = _groups_of_units(type.ranked_shape)
    if len(groups) == len(type.ranked_shape):
        return None
    lists = [mixed_list(op, name) for name in ("offsets", "sizes", "strides")]
    smaller = slice_type(source, lists[1], len(groups))
    made = create_slice(rewriter, op.name, [op.source], lists, [smaller]).result
    return expand_tensor(rewriter, made, type, groups)


def smaller_insertion(op: InsertSliceOp | ParallelInsertSliceOp, rewriter: Rewriter) -> Replacement:
    """What is put in has no units."""
    type = op.source.type
    if not isinstance(type, TensorType):
        return None
    groups = _groups_of_units(type.ranked_shape)
    if len(groups) == len(type.ranked_shape):
        return None
    smaller = TensorType(tuple(size for size in type.ranked_shape if size != 1), type.element)
    with rewriter.elsewhere():
        if isinstance(op, ParallelInsertSliceOp) and op.parent_op is not None:
            rewriter.set_insertion_before(op.parent_op)
        source = collapse(rewriter, "tensor", op.source, smaller, groups).result
    lists = [mixed_list(op, name) for name in ("offsets", "sizes", "strides")]
    return create_slice(rewriter, op.name, [source, op.dest], lists, types_of(op.results))


SLICES: Final = (
    replacing("tensor.extract_slice", smaller_extraction, name="RankReducedExtractSliceOp"),
    replacing("tensor.insert_slice", smaller_insertion, name="RankReducedInsertSliceOp"),
    replacing("tensor.parallel_insert_slice", smaller_insertion, name="RankReducedInsertSliceOp"),
)
