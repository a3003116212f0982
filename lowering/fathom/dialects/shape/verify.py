"""What MLIR's verifiers say of the operations of shape.

A value of `!shape.shape`, `!shape.size` or `!shape.value_shape` may be an error, so what is computed of it may be one.

Source of the rules: *'shape' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import DenseElementsAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import DYNAMIC, INDEX, IndexType, ShapedType, TensorType
from fathom.irdl.checking import all_of, incompatible, not_inferred
from fathom.irdl.type_traits import have_compatible_shapes
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import shape as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.irdl.checking import Check


def _is(type: Type, *names: str) -> bool:
    """Whether a type is one of the dialect's of these names."""
    return isinstance(type, DialectType) and type.dialect == "shape" and type.name in names


# ---- errors that go on


def _hands_errors_on(name: str) -> Check:
    """What is computed of something that may be an error is of a type that may be one."""

    def check(op: Operation) -> Complaint:
        may_fail = any(_is(operand.type, "size", "shape", "value_shape") for operand in op.operands)
        if not may_fail or _is(op.results[0].type, name):
            return None
        of = f"then the result must be of type `{name}` to propagate them"
        return f"if at least one of the operands can hold error values {of}"

    return check


_SIZE: Final = _hands_errors_on("size")
_SHAPE: Final = _hands_errors_on("shape")


# ---- results that follow from the operands


def _inferred(types: Callable[[Operation], Type | str], agree: Callable[[Type, Type], bool]) -> Check:
    """The result agrees with the type that follows from the operands, or with a message where none does."""

    def check(op: Operation) -> Complaint:
        expected, found = types(op), op.results[0].type
        if isinstance(expected, str):
            return not_inferred(expected, is_bare=True)
        return None if agree(expected, found) else incompatible([expected], [found])

    return check


def _extents(count: int) -> TensorType:
    return TensorType((count,), INDEX)


def _constant_type(op: Operation) -> Type:
    shape = op.properties.get("shape")
    extents = shape.type.shape if isinstance(shape, DenseElementsAttr) else None
    return _extents(extents[0] if extents else 0)


def _either_is_shape(one: Type, other: Type) -> bool:
    return _is(one, "shape") or _is(other, "shape") or one == other


def _shape_type(op: Operation) -> Type:
    """Of a shaped value, as many extents as it has dimensions."""
    of = op.operands[0].type
    if not isinstance(of, ShapedType):
        return of
    return _extents(len(of.shape) if of.shape is not None else DYNAMIC)


def _are_shapes(one: Type, other: Type) -> bool:
    if _is(one, "value_shape"):
        return _is(other, "shape") or isinstance(other, ShapedType)
    return _is(other, "shape") or have_compatible_shapes(one, other)


def _met_type(op: Operation) -> Type | str:
    """What the two operands have in common; what may be an error goes first."""
    one, other = (operand.type for operand in op.operands[:2])
    if not _is(one, "shape", "size"):
        one, other = other, one
    if _is(one, "shape"):
        fits = _is(other, "shape") or isinstance(other, TensorType)
    elif _is(one, "size"):
        fits = _is(other, "size") or isinstance(other, IndexType)
    else:
        fits = isinstance(one, IndexType) == isinstance(other, IndexType)
    if not fits:
        return "requires all sizes or shapes"
    if not isinstance(one, TensorType) or not isinstance(other, TensorType):
        return one
    (first,), (second,) = one.ranked_shape, other.ranked_shape
    if DYNAMIC not in (first, second) and first != second:
        return "unequal shape cardinality"
    return other if first != DYNAMIC and second == DYNAMIC else one


def _meet(one: Type, other: Type) -> bool:
    if not _is(one, "shape", "size"):
        one, other = other, one
    if _is(one, "size"):
        return _is(other, "size") or isinstance(other, IndexType)
    if _is(one, "shape"):
        return _is(other, "shape") or isinstance(other, TensorType)
    return one == other or have_compatible_shapes(one, other)


def _extreme_type(op: Operation) -> Type:
    """Of two shapes or two sizes that type, else the one of two that is a size."""
    one, other = (operand.type for operand in op.operands[:2])
    return other if one != other and _is(other, "size") else one


def _both_are_of_one_kind(one: Type, other: Type) -> bool:
    return any(_is(one, kind) and _is(other, kind) for kind in ("shape", "size"))


# ---- reduce


@verifies("shape.reduce")
def _reduce(op: ops.ReduceOp) -> Complaint:
    """The arguments of the body: the index, the extent there, and what was made of the ones before."""
    body = op.region.first
    types = [argument.type for argument in body.arguments] if body is not None else []
    initial = op.initVals
    if len(types) != len(initial) + 2:
        return f"ReduceOp body is expected to have {len(initial) + 2} arguments"
    if not isinstance(types[0], IndexType):
        return "argument 0 of ReduceOp body is expected to be of IndexType"
    of_shape = _is(op.shape.type, "shape")
    if of_shape and not _is(types[1], "size"):
        of = "SizeType if the ReduceOp operates on a ShapeType"
        return f"argument 1 of ReduceOp body is expected to be of {of}"
    if not of_shape and not isinstance(types[1], IndexType):
        of = "IndexType if the ReduceOp operates on an extent tensor"
        return f"argument 1 of ReduceOp body is expected to be of {of}"
    for index, (value, type) in enumerate(zip(initial, types[2:], strict=True)):
        if value.type != type:
            of = f"argument {index + 2} of ReduceOp body and initial value {index}"
            return f"type mismatch between {of}"
    return None


@verifies("shape.yield")
def _yield(op: ops.YieldOp) -> Complaint:
    parent = op.parent_op
    results = parent.results if parent is not None else []
    if len(results) != len(op.operands):
        return "number of operands does not match number of results of its parent"
    if any(result.type != value.type for result, value in zip(results, op.operands, strict=True)):
        return "types mismatch between yield op and its parent"
    return None


VERIFY: Final[Checks] = {
    **{f"shape.{name}": _SIZE for name in ("add", "div", "get_extent", "mul", "num_elements", "rank")},
    "shape.assuming_all": lambda op: None if op.operands else "no operands specified",
    "shape.broadcast": _SHAPE,
    "shape.const_shape": _inferred(_constant_type, _either_is_shape),
    "shape.cstr_broadcastable": lambda op: None if len(op.operands) > 1 else "required at least 2 input shapes",
    **dict.fromkeys(("shape.max", "shape.min"), _inferred(_extreme_type, _both_are_of_one_kind)),
    "shape.meet": _inferred(_met_type, _meet),
    "shape.shape_of": all_of(_inferred(_shape_type, _are_shapes), _SHAPE),
}
