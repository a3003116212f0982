"""Padding that vectors do: a transfer reads beyond the tensor, and gets the padding there.

    %0 = tensor.pad %a low[0, 0] high[%h, %w] … : tensor<?x?xf32> to tensor<5x6xf32>
    %1 = tensor.insert_slice %0 into %b[%i, %j] [5, 6] [1, 1]
->
    %0 = vector.transfer_read %a[%c0, %c0], %pad : tensor<?x?xf32>, vector<5x6xf32>
    %1 = vector.transfer_write %0, %b[%i, %j] {in_bounds = [true, true]}

Source of the rules: `populatePadOpVectorizationPatterns` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.dialects.tensor.canonicalization.pads import padding_value
from fathom.ir.affine import AffineDim, AffineMap
from fathom.ir.attributes import FALSE, ArrayAttr
from fathom.ir.types import DYNAMIC, TensorType, VectorType
from fathom.irdl.index_lists import mixed
from fathom.irdl.traits import CONSTANT_LIKE
from fathom.ops.tensor import CastOp, ExtractSliceOp, InsertSliceOp, PadOp
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.passes.arithmetic import constant
from fathom.passes.index_arithmetic import values_of
from fathom.passes.tensors import paddings, shape_of
from fathom.passes.vectors.transfers import is_in_bounds, read, write
from fathom.rewriting.folding import known_number
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

RewriteUser: TypeAlias = "Callable[[PadOp, Any, Value, Rewriter], bool]"


def _of_users(kind: type[Operation], rewrite: RewriteUser) -> Callable[..., Failure | None]:
    """The pattern for users of one kind of what is padded only behind its elements, with a constant."""

    def rewrite_users(op: PadOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        low, _ = paddings(op)
        value = padding_value(op)
        if any(size != 0 for size in low) or value is None:
            return NO_MATCH
        maker = value.defining_op
        if maker is None or not maker.has(CONSTANT_LIKE):
            return NO_MATCH
        users = [user for user in reversed(list(op.result.uses)) if isinstance(user, kind)]
        changed = [rewrite(op, user, value, rewriter) for user in users]
        return None if any(changed) else NO_MATCH

    return rewrite_users


def _read(op: PadOp, user: TransferReadOp, value: Value, rewriter: Rewriter) -> bool:
    if not is_in_bounds(user) or user.mask is not None:
        return False

    def change() -> None:
        user.properties["in_bounds"] = ArrayAttr((FALSE,) * len(user.in_bounds.elements))
        operands = [op.source, *user.operands[1:]]
        operands[1 + len(user.indices)] = value
        user.set_operands(operands)

    rewriter.modify(user, change)
    return True


def _write(op: PadOp, user: TransferWriteOp, value: Value, rewriter: Rewriter) -> bool:
    """What is written and cut off again at once is not written."""
    if not user.in_bounds.elements or not user.results or sum(user.results[0].uses.values()) != 1:
        return False
    (cut,) = user.results[0].uses
    if not isinstance(cut, ExtractSliceOp) or any(
        known_number(each) != 0 for each in mixed(cut.static_offsets, cut.offsets)
    ):
        return False
    if not _is_as_large(op.source, cut):
        return False
    rewriter.set_insertion_before(user)
    bounds = [False] * len(user.in_bounds.elements)
    map = user.permutation_map.map
    made = write(rewriter, user.valueToStore, op.source, user.indices, map, bounds, user.mask)
    rewriter.replace(user, made.results)
    rewriter.replace(cut, made.results)
    return True


def _is_as_large(value: Value, cut: ExtractSliceOp) -> bool:
    """Whether a tensor is of the sizes that are cut out."""
    maker = value.defining_op
    if isinstance(maker, CastOp) and _is_as_large(maker.source, cut):
        return True
    type = value.type
    if not isinstance(type, TensorType) or type.shape is None or type.ranked_shape != shape_of(cut.result):
        return False
    if DYNAMIC not in type.ranked_shape:
        return True
    if not isinstance(maker, ExtractSliceOp):
        return False
    sizes, others = mixed(maker.static_sizes, maker.sizes), mixed(cut.static_sizes, cut.sizes)
    return len(sizes) == len(others) and all(
        one == other for one, other, size in zip(sizes, others, type.ranked_shape, strict=False) if size == DYNAMIC
    )


def _insert(op: PadOp, user: InsertSliceOp, value: Value, rewriter: Rewriter) -> bool:
    if any(known_number(each) != 1 for each in mixed(user.static_strides, user.strides)):
        return False
    type = op.result.type
    if not isinstance(type, TensorType) or DYNAMIC in type.ranked_shape or user.dest is op.result:
        return False
    rank, whole = len(type.ranked_shape), len(shape_of(user.result))
    expected = [*[1] * (whole - rank), *type.ranked_shape]
    if [known_number(each) for each in mixed(user.static_sizes, user.sizes)] != expected:
        return False
    rewriter.set_insertion_before(user)
    zero = constant(rewriter, 0)
    vector = VectorType(type.ranked_shape, type.element)
    plain = AffineMap(rank, 0, tuple(map(AffineDim, range(rank))))
    part = read(rewriter, op.source, [zero] * rank, value, vector, plain, [False] * rank)
    offsets = values_of(rewriter, mixed(user.static_offsets, user.offsets))
    last = AffineMap(whole, 0, tuple(map(AffineDim, range(whole - rank, whole))))
    with rewriter.standing_in(user):
        written = write(rewriter, part.result, user.dest, offsets, last, [True] * rank)
    rewriter.replace(user, written.results)
    return True


PATTERNS: Final = tuple(
    Pattern("tensor.pad", _of_users(kind, rewrite), benefit=2, name=f"PadOpVectorizationWith{name}Pattern")
    for kind, rewrite, name in (
        (TransferReadOp, _read, "TransferRead"),
        (TransferWriteOp, _write, "TransferWrite"),
        (InsertSliceOp, _insert, "InsertSlice"),
    )
)
