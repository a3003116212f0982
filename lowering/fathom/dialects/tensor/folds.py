"""What operations on tensors fold to: constants, what was put where it is taken out, and what changes nothing.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fathom.dialects.arith.elements import dense, element_at, integer_value, normal
from fathom.dialects.complex.folds import materialize_constant
from fathom.dialects.tensor.casts import fold_tensor_casts, ranked
from fathom.ir.attributes import ArrayAttr, Attribute, DenseElementsAttr, FloatAttr, IntegerAttr, index_attr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, ComplexType, FloatType, IndexType, IntegerType, ShapedType, Type
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.irdl.reassociations import groups_of
from fathom.irdl.slices import mixed_list, mixed_lists
from fathom.ops import tensor as ops
from fathom.rewriting.folding import known_number, same_number
from fathom.rewriting.pattern import defined_by

IN_PLACE: Final[Sequence[Value | Attribute]] = ()


def reshaped(constant: Attribute | None, type: Type) -> list[Value | Attribute] | None:
    """A constant of equal elements as one of another type, whose shape must be known."""
    shaped = ranked(type)
    if not isinstance(constant, DenseElementsAttr) or not constant.is_splat:
        return None
    return [DenseElementsAttr(constant.values, shaped)] if shaped is not None and shaped.has_static_shape else None


# ---- elements


def _fold_dim(op: ops.DimOp, constants: Constants) -> Folded:
    """A size that the type of the tensor knows, or that what makes the tensor is given; or that of what was cast."""
    source, index = ranked(op.source.type), integer_value(constants[1])
    if source is None or index is None or not 0 <= index < len(source.ranked_shape):
        return None
    if source.ranked_shape[index] != DYNAMIC:
        return [index_attr(source.ranked_shape[index])]
    maker = op.source.defining_op
    if isinstance(maker, ops.GenerateOp):
        return [maker.operands[source.ranked_shape[:index].count(DYNAMIC)]]
    if isinstance(maker, ops.ExtractSliceOp):
        whole = ranked(maker.source.type)
        size = mixed_list(maker, "sizes")[index]
        if whole is not None and len(whole.ranked_shape) == len(source.ranked_shape) and isinstance(size, Value):
            return [size]
    return IN_PLACE if fold_tensor_casts(op) else None


def _fold_extract(op: ops.ExtractOp, constants: Constants) -> Folded:
    """An element of a constant, of what was made of elements, or what was just put there."""
    constant = constants[0]
    if isinstance(constant, DenseElementsAttr) and constant.is_splat:
        return _only(element_at(constant, 0))
    places = [constant.value if isinstance(constant, IntegerAttr) else None for constant in constants[1:]]
    indices = [place for place in places if place is not None]
    if len(indices) != len(places):
        return None
    maker, source = op.tensor.defining_op, ranked(op.tensor.type)
    if source is None or not source.has_static_shape:
        return _inserted(op, maker)
    number = 0
    for index, extent in zip(indices, source.ranked_shape, strict=True):
        number = number * extent + index
    if isinstance(maker, ops.FromElementsOp):
        return [maker.operands[number]] if 0 <= number < len(maker.operands) else None
    is_inside = all(0 <= index < extent for index, extent in zip(indices, source.ranked_shape, strict=True))
    if constant is not None and is_inside:
        return _only(element_at(constant, number))
    return _inserted(op, maker)


def _only(attribute: Attribute | None) -> Folded:
    return [attribute] if attribute is not None else None


def _inserted(op: ops.ExtractOp, insertion: Operation | None) -> Folded:
    """The scalar that was put at the same indices."""
    if not isinstance(insertion, ops.InsertOp) or insertion.scalar.type != op.result.type:
        return None
    return [insertion.scalar] if all(map(same_number, insertion.indices, op.indices)) else None


def _fold_insert(op: ops.InsertOp, constants: Constants) -> Folded:
    """A constant that is put where it stands already."""
    value, tensor = constants[:2]
    if value is None or not isinstance(tensor, DenseElementsAttr) or not tensor.is_splat:
        return None
    return [tensor] if element_at(tensor, 0) == value else None


def _fold_from_elements(op: ops.FromElementsOp, constants: Constants) -> Folded:
    """A constant of constants."""
    type = ranked(op.result.type)
    if type is None or not isinstance(type.element, (IntegerType, IndexType, FloatType, ComplexType)):
        return None
    numbers = [_numbers(constant) for constant in constants]
    values = [number for number in numbers if number is not None]
    if len(values) != len(numbers):
        return None
    if len(values) > 1 and all(value == values[0] for value in values):
        values = values[:1]
    return [DenseElementsAttr(tuple(values), type)]


def _numbers(constant: Attribute | None) -> int | tuple[int, int] | None:
    """A constant as an element of a dense attribute; a complex one as its parts."""
    match constant:
        case IntegerAttr(value, type) | FloatAttr(value, type):
            return normal(value, type)
        case ArrayAttr((first, second)):
            one, other = _numbers(first), _numbers(second)
            return (one, other) if isinstance(one, int) and isinstance(other, int) else None
        case _:
            return None


def _fold_splat(op: ops.SplatOp, constants: Constants) -> Folded:
    """A constant everywhere, if the shape is known."""
    type = ranked(op.result.type)
    if type is None or not type.has_static_shape:
        return None
    match constants[0]:
        case IntegerAttr(value) | FloatAttr(value):
            return [dense([normal(value, type.element)], type)]
        case _:
            return None


def _fold_gather(op: ops.GatherOp, constants: Constants) -> Folded:
    return reshaped(constants[0], op.result.type)


def _fold_rank(op: ops.RankOp, constants: Constants) -> Folded:
    type = op.tensor.type
    return [index_attr(len(type.shape))] if isinstance(type, ShapedType) and type.shape is not None else None


# ---- shapes


def _fold_concat(op: ops.ConcatOp, constants: Constants) -> Folded:
    """One tensor behind nothing."""
    return list(op.inputs) if len(op.inputs) == 1 and op.inputs[0].type == op.result.type else None


def _fold_reshape(op: ops.ReshapeOp, constants: Constants) -> Folded:
    """A constant; the shape that it has; a reshape of a reshape."""
    folded = reshaped(constants[0], op.result.type)
    if folded is not None:
        return folded
    source = op.source
    inner = defined_by(source, ops.ReshapeOp)
    if inner is not None:
        op.set_operand(0, inner.source)
        return IN_PLACE
    type = ranked(source.type)
    if type is None or source.type != op.result.type:
        return None
    if len(type.ranked_shape) <= 1:
        return [source]
    sizes = op.shape.defining_op
    if not isinstance(sizes, ops.FromElementsOp) or len(sizes.operands) != len(type.ranked_shape):
        return None
    same = all(_is_size(size, source, dim, type.ranked_shape[dim]) for dim, size in enumerate(sizes.operands))
    return [source] if same else None


def _is_size(value: Value, source: Value, dim: int, extent: int) -> bool:
    """Whether a value is the size of a tensor in a dimension."""
    number, maker = known_number(value), value.defining_op
    if number is not None:
        return number == extent
    return isinstance(maker, ops.DimOp) and maker.source is source and known_number(maker.index) == dim


_INVERSE: Final = {
    "tensor.expand_shape": "tensor.collapse_shape",
    "tensor.collapse_shape": "tensor.expand_shape",
}


def _fold_reassociation(op: ops.CollapseShapeOp | ops.ExpandShapeOp, constants: Constants) -> Folded:
    """What changes nothing is its source; a constant has another shape. An expansion undoes a collapse, and the other
    way round, unless several sizes that are not known were joined."""
    source, type = op.src, ranked(op.result.type)
    if source.type == op.result.type:
        return [source]
    constant = constants[0]
    if isinstance(constant, DenseElementsAttr):
        fits = type is not None and type.has_static_shape
        return [DenseElementsAttr(constant.values, type)] if fits and type is not None else None
    inner = source.defining_op
    if type is None or inner is None or inner.name != _INVERSE[op.name] or inner.operands[0].type != type:
        return None
    if type.ranked_shape.count(DYNAMIC) > 1:
        groups = groups_of(op.reassociation)
        if groups_of(inner.properties.get("reassociation")) != groups:
            return None
        is_expansion = isinstance(op, ops.ExpandShapeOp)
        if is_expansion and any([type.ranked_shape[dim] for dim in group].count(DYNAMIC) > 1 for group in groups):
            return None
    return [inner.operands[0]]


# ---- slices


def same_slice(one: Operation, other: Operation) -> bool:
    """Whether two operations have the same offsets, sizes and strides."""
    return mixed_lists(one) == mixed_lists(other)


def _is_whole(op: Operation, shape: Sequence[int]) -> bool:
    """Whether a slice is all of a tensor of a shape."""
    offsets, sizes, strides = (map(known_number, list_) for list_ in mixed_lists(op))
    if any(offset != 0 for offset in offsets) or any(stride != 1 for stride in strides):
        return False
    return all(size == extent for size, extent in zip(sizes, shape, strict=False))


def _fold_extract_slice(op: ops.ExtractSliceOp, constants: Constants) -> Folded:
    """A constant of equal elements; all of a tensor; a slice that was just put in."""
    folded = reshaped(constants[0], op.result.type)
    if folded is not None:
        return folded
    source, type = op.source, ranked(op.result.type)
    if type is not None and source.type == type and _is_whole(op, type.ranked_shape):
        return [source]
    insertion = source.defining_op
    if not isinstance(insertion, ops.InsertSliceOp):
        return None
    same = insertion.source.type == op.result.type and same_slice(insertion, op)
    return [insertion.source] if same else None


def _fold_insert_slice(op: ops.InsertSliceOp, constants: Constants) -> Folded:
    """All of a tensor is put in, or what was taken out there, or nothing; what was put in before is written over."""
    part, whole = op.source, op.dest
    type = ranked(op.result.type)
    if type is not None and type.has_static_shape and part.type == type and _is_whole(op, type.ranked_shape):
        return [part]
    before, slice = defined_by(whole, ops.InsertSliceOp), defined_by(part, ops.ExtractSliceOp)
    if before is not None and before.source.type == part.type and same_slice(before, op):
        op.set_operand(1, before.dest)
        return IN_PLACE
    if slice is not None and slice.source is whole and same_slice(slice, op):
        return [whole]
    return [whole] if any(known_number(size) == 0 for size in mixed_list(op, "sizes")) else None


def _fold_pad(op: ops.PadOp, constants: Constants) -> Folded:
    """No padding, unless it must stay."""
    source, type = op.source, ranked(op.result.type)
    unchanged = type is not None and type.has_static_shape and source.type == type and "nofold" not in op.properties
    return [source] if unchanged else None


FOLDS: Final[Mapping[str, Fold]] = {
    "tensor.collapse_shape": _fold_reassociation,
    "tensor.concat": _fold_concat,
    "tensor.dim": _fold_dim,
    "tensor.expand_shape": _fold_reassociation,
    "tensor.extract": _fold_extract,
    "tensor.extract_slice": _fold_extract_slice,
    "tensor.from_elements": _fold_from_elements,
    "tensor.gather": _fold_gather,
    "tensor.insert": _fold_insert,
    "tensor.insert_slice": _fold_insert_slice,
    "tensor.pad": _fold_pad,
    "tensor.rank": _fold_rank,
    "tensor.reshape": _fold_reshape,
    "tensor.splat": _fold_splat,
}
MATERIALIZE_CONSTANT: Final = materialize_constant
