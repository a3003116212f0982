"""What accesses of single lanes, and positions in vectors, are to pass when they run: each lane that the mask lets
through lies in the memref, and a position in the vector. MLIR's own checks at run time leave them out.

Source of the rules: *'vector' Dialect*, `vector.gather`, `vector.maskedload`, `vector.expandload`, `vector.extract`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.arith.elements import dense
from fathom.dialects.vector.common import flags, masking_op, vector_of, vector_type
from fathom.ir.attributes import i64_attr
from fathom.ir.types import DYNAMIC, I1, I64, IntegerType
from fathom.passes.vectors.building import broadcast
from fathom.passes.vectors.combining import combining_kind
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.runtime_checks import SGT

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type, VectorType
    from fathom.ops import vector as ops
    from fathom.rewriting.runtime_checks import RuntimeCheck, RuntimeChecks

    Masked: TypeAlias = "ops.MaskedloadOp | ops.MaskedstoreOp"
    Packed: TypeAlias = "ops.ExpandloadOp | ops.CompressstoreOp"
    Scattered: TypeAlias = "ops.GatherOp | ops.ScatterOp"

_ULT: Final = i64_attr(6)
_MOST_LANES: Final = 1024
"""What has more is not checked: each lane is an element of several vectors."""
_REASON: Final = "out-of-bounds access"


def check_scattered(op: Scattered, checks: RuntimeChecks) -> None:
    """`vector.gather` and `vector.scatter`: each lane has an index of its own, along the last dimension."""
    if not _is_checked(op, op.mask):
        return
    type = vector_type(op.indices)
    wide = vector_of(type.ranked_shape, I64)
    indices = op.indices
    if isinstance(type.element, IntegerType):
        if type.element.width < I64.width:
            indices = checks.rewriter.create("arith.extsi", [indices], [wide]).result
        elif type.element.width > I64.width:
            return
    else:
        indices = checks.rewriter.create("arith.index_cast", [indices], [wide]).result
    _check_lanes(op.base, op.offsets, indices, op.mask, checks)


def check_masked(op: Masked, checks: RuntimeChecks) -> None:
    """`vector.maskedload` and `vector.maskedstore`: the lanes lie one behind the other."""
    if _is_checked(op, op.mask):
        type = vector_of(vector_type(op.mask).ranked_shape, I64)
        lanes = checks.rewriter.constant(dense(range(type.ranked_shape[0]), type), type)
        _check_lanes(op.base, op.indices, lanes, op.mask, checks)


def check_packed(op: Packed, checks: RuntimeChecks) -> None:
    """`vector.expandload` and `vector.compressstore`: the lanes that are let through lie one behind the other."""
    if not _is_checked(op, op.mask) or not op.indices:
        return
    type = vector_of(vector_type(op.mask).ranked_shape, I64)
    ones = checks.rewriter.create("arith.extui", [op.mask], [type]).result
    count = checks.indexed("arith.index_cast", _reduce("add", ones, I64, checks))
    last = checks.indexed("arith.addi", op.indices[-1], checks.indexed("arith.subi", count, checks.index(1)))
    size = checks.size(op.base, len(op.indices) - 1)
    with checks.where(checks.compare(SGT, count, checks.index(0))):
        for reached in (op.indices[-1], last):
            checks.check(checks.in_bounds(reached, checks.index(0), size), _REASON)
        _check_others(op.base, op.indices, checks)


def _is_checked(op: Operation, mask: Value) -> bool:
    """Whether the lanes of a mask are those that are let through, and can be looked at."""
    type = vector_type(mask)
    is_row = len(type.ranked_shape) == 1 and not any(flags(type)) and type.ranked_shape[0] <= _MOST_LANES
    return is_row and masking_op(op) is None


def _check_lanes(base: Value, offsets: Sequence[Value], lanes: Value, mask: Value, checks: RuntimeChecks) -> None:
    if not offsets:
        return
    type, rewriter = vector_type(lanes), checks.rewriter
    size = checks.size(base, len(offsets) - 1)
    at = rewriter.create("arith.addi", [lanes, _everywhere(offsets[-1], type, checks)], [type]).result
    bits = vector_of(type.ranked_shape, I1)
    compared = [at, _everywhere(size, type, checks)]
    within = rewriter.create("arith.cmpi", compared, [bits], {"predicate": _ULT}).result
    left_out = rewriter.create("arith.xori", [mask, rewriter.constant(dense([1], bits), bits)], [bits]).result
    fine = rewriter.create("arith.ori", [within, left_out], [bits]).result
    nothing = rewriter.constant(dense([0], type), type)
    beyond = rewriter.create("arith.select", [fine, nothing, at], [type]).result
    worst = checks.indexed("arith.index_cast", _reduce("maxui", beyond, I64, checks))
    condition = _reduce("and", fine, I1, checks)
    checks.tell(condition, worst, size)
    checks.check(condition, _REASON)
    with checks.where(_reduce("or", mask, I1, checks)):
        _check_others(base, offsets, checks)


def _check_others(base: Value, indices: Sequence[Value], checks: RuntimeChecks) -> None:
    """The dimensions before the last."""
    for position, index in enumerate(indices[:-1]):
        within = checks.in_bounds(index, checks.index(0), checks.size(base, position))
        checks.check(within, f"{_REASON} in dimension {position}")


def _everywhere(value: Value, type: VectorType, checks: RuntimeChecks) -> Value:
    """An index in each lane."""
    number = create_or_fold(checks.rewriter, "arith.index_cast", [value], I64)
    return broadcast(checks.rewriter, number, type)


def _reduce(kind: str, vector: Value, type: Type, checks: RuntimeChecks) -> Value:
    return checks.rewriter.create("vector.reduction", [vector], [type], {"kind": combining_kind(kind)}).result


def check_extract(op: ops.ExtractOp, checks: RuntimeChecks) -> None:
    """What is taken out is in the vector."""
    _check_positions(op.source, op.static_position.values, op.dynamic_position, checks)


def check_insert(op: ops.InsertOp, checks: RuntimeChecks) -> None:
    """What is replaced is in the vector."""
    _check_positions(op.dest, op.static_position.values, op.dynamic_position, checks)


def _check_positions(vector: Value, known: Sequence[int], given: Sequence[Value], checks: RuntimeChecks) -> None:
    type = vector_type(vector)
    dynamic = [dimension for dimension, position in enumerate(known) if position == DYNAMIC]
    for dimension, position in zip(dynamic, given, strict=True):
        if not flags(type)[dimension]:
            size = checks.index(type.ranked_shape[dimension])
            reason = "position is out of bounds" if len(known) == 1 else f"position {dimension} is out of bounds"
            checks.check(checks.in_bounds(position, checks.index(0), size), reason)


LANES: Final[Mapping[str, RuntimeCheck]] = {
    **{f"vector.{name}": check_scattered for name in ("gather", "scatter")},
    **{f"vector.{name}": check_masked for name in ("maskedload", "maskedstore")},
    **{f"vector.{name}": check_packed for name in ("expandload", "compressstore")},
    "vector.extract": check_extract,
    "vector.insert": check_insert,
}
