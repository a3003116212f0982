"""What MLIR's verifiers say of the operations of shape.

A value of `!shape.shape`, `!shape.size` or `!shape.value_shape` may be an error, so what is computed of it may be one.

Source of the rules: *'shape' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fathom.dialects.scf.common import check_edge, terminator_of
from fathom.dialects.shape.extents import is_of
from fathom.ir.attributes import DenseElementsAttr
from fathom.ir.operation import Operation, types_of
from fathom.ir.types import DYNAMIC, INDEX, IndexType, ShapedType, TensorType, Type
from fathom.irdl.checking import Check, all_of, incompatible, not_inferred
from fathom.irdl.type_traits import have_compatible_shapes
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import shape as ops

# ---- errors that go on


def _hands_errors_on(name: str) -> Check:
    """What is computed of something that may be an error is of a type that may be one."""

    def check(op: Operation) -> Complaint:
        may_fail = any(is_of(operand.type, "size", "shape", "value_shape") for operand in op.operands)
        if not may_fail or is_of(op.results[0].type, name):
            return None
        of = f"then the result must be of type `{name}` to propagate them"
        return f"if at least one of the operands can hold error values {of}"

    return check


_SIZE: Final = _hands_errors_on("size")
_SHAPE: Final = _hands_errors_on("shape")


# ---- results that follow from the operands


def _inferred(types: Callable[[Any], Type | str], agree: Callable[[Type, Type], bool]) -> Check:
    """The result agrees with the type that follows from the operands, or with a message where none does."""

    def check(op: Operation) -> Complaint:
        expected, given = types(op), op.results[0].type
        if isinstance(expected, str):
            return not_inferred(expected, is_bare=True)
        return None if agree(expected, given) else incompatible([expected], [given])

    return check


def _extents(count: int) -> TensorType:
    return TensorType((count,), INDEX)


def _constant_type(op: ops.ConstShapeOp) -> Type:
    extents = op.shape.type.shape if isinstance(op.shape, DenseElementsAttr) else None
    return _extents(extents[0] if extents else 0)


def _either_is_shape(one: Type, other: Type) -> bool:
    return is_of(one, "shape") or is_of(other, "shape") or one == other


def _shape_type(op: Operation) -> Type:
    """Of a shaped value, as many extents as it has dimensions."""
    of = op.operands[0].type
    if not isinstance(of, ShapedType):
        return of
    return _extents(len(of.shape) if of.shape is not None else DYNAMIC)


def _are_shapes(one: Type, other: Type) -> bool:
    if is_of(one, "value_shape"):
        return is_of(other, "shape") or isinstance(other, ShapedType)
    return is_of(other, "shape") or have_compatible_shapes(one, other)


def _met_type(op: ops.MeetOp) -> Type | str:
    """What the two operands have in common; what may be an error goes first."""
    one, other = op.arg0.type, op.arg1.type
    if not is_of(one, "shape", "size"):
        one, other = other, one
    is_known = is_of(one, "shape", "size") or isinstance(one, IndexType) == isinstance(other, IndexType)
    if not is_known or not _meet_kinds(one, other):
        return "requires all sizes or shapes"
    if not isinstance(one, TensorType) or not isinstance(other, TensorType):
        return one
    (first,), (second,) = one.ranked_shape, other.ranked_shape
    if DYNAMIC not in (first, second) and first != second:
        return "unequal shape cardinality"
    return other if first != DYNAMIC and second == DYNAMIC else one


def _meet_kinds(one: Type, other: Type) -> bool:
    """Whether what meets a shape or a size, which goes first, is such too, or what stands for one."""
    if is_of(one, "size"):
        return is_of(other, "size") or isinstance(other, IndexType)
    return not is_of(one, "shape") or is_of(other, "shape") or isinstance(other, TensorType)


def _meet(one: Type, other: Type) -> bool:
    if not is_of(one, "shape", "size"):
        one, other = other, one
    if is_of(one, "shape", "size"):
        return _meet_kinds(one, other)
    return one == other or have_compatible_shapes(one, other)


def _extreme_type(op: ops.MaxOp | ops.MinOp) -> Type:
    """Of two shapes or two sizes that type, else the one of two that is a size."""
    one, other = op.lhs.type, op.rhs.type
    return other if one != other and is_of(other, "size") else one


def _both_are_of_one_kind(one: Type, other: Type) -> bool:
    return any(is_of(one, kind) and is_of(other, kind) for kind in ("shape", "size"))


# ---- reduce


@verifies("shape.reduce")
def _reduce(op: ops.ReduceOp) -> Complaint:
    """The arguments of the body: the index, the extent there, and what was made of the ones before."""
    types = types_of(op.region.arguments)
    initial, of_shape = op.initVals, is_of(op.shape.type, "shape")
    if len(types) != len(initial) + 2:
        return f"ReduceOp body is expected to have {len(initial) + 2} arguments"
    if not isinstance(types[0], IndexType):
        return "argument 0 of ReduceOp body is expected to be of IndexType"
    if not (is_of(types[1], "size") if of_shape else isinstance(types[1], IndexType)):
        kind, of = ("SizeType", "a ShapeType") if of_shape else ("IndexType", "an extent tensor")
        return f"argument 1 of ReduceOp body is expected to be of {kind} if the ReduceOp operates on {of}"
    for index, (value, type) in enumerate(zip(initial, types[2:], strict=True)):
        if value.type != type:
            return f"type mismatch between argument {index + 2} of ReduceOp body and initial value {index}"
    return None


@verifies("shape.assuming", regions=True)
def _assuming(op: ops.AssumingOp) -> Complaint:
    last = terminator_of(op.doRegion)
    if not isinstance(last, ops.AssumingYieldOp):
        return None
    return check_edge("Operation shape.assuming_yield", "parent", types_of(last.operands), types_of(op.results), last)


@verifies("shape.yield")
def _yield(op: ops.YieldOp) -> Complaint:
    results = types_of(op.parent_op.results) if op.parent_op is not None else []
    if len(results) != len(op.operands):
        return "number of operands does not match number of results of its parent"
    return None if results == types_of(op.operands) else "types mismatch between yield op and its parent"


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
