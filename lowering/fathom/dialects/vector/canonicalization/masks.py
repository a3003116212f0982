"""The canonicalisation of masks, and of accesses to memory with masks: those that reach everything or nothing.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.attributes import CMPI_PREDICATES
from fathom.dialects.arith.elements import dense, splat_constant
from fathom.dialects.vector.canonicalization.sources import sizes
from fathom.dialects.vector.common import count_of, flags, rank, vector_type
from fathom.dialects.vector.memory_folds import is_all
from fathom.ir.attributes import DenseElementsAttr
from fathom.ir.types import MemRefType
from fathom.ops import vector as ops
from fathom.ops.arith import CmpiOp, MuliOp
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Failure, Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


def known_load(op: ops.ExpandloadOp | ops.MaskedloadOp, rewriter: Rewriter) -> Replacement:
    """A masked load of everything is a `vector.load`, one of nothing what is passed through."""
    match is_all(op.mask):
        case True:
            return rewriter.create("vector.load", [op.base, *op.indices], [op.result.type])
        case False:
            return op.pass_thru
        case None:
            return None


def known_store(op: ops.CompressstoreOp | ops.MaskedstoreOp, rewriter: Rewriter) -> Replacement:
    """A masked store of everything is a `vector.store`, one of nothing goes."""
    match is_all(op.mask):
        case True:
            return rewriter.create("vector.store", [op.valueToStore, op.base, *op.indices])
        case False:
            return []
        case None:
            return None


def gather_of_nothing(op: ops.GatherOp, rewriter: Rewriter) -> Replacement:
    """What is passed through."""
    if is_all(op.mask) is not False:
        return None
    return op.pass_thru


def scatter_of_nothing(op: ops.ScatterOp, rewriter: Rewriter) -> Replacement:
    """Goes; a tensor stays as it was."""
    if is_all(op.mask) is not False:
        return None
    return [op.base] * len(op.results)


def _is_contiguous(indices: Value) -> bool:
    """Whether a vector is 0, 1, 2, …"""
    type = vector_type(indices)
    if rank(type) != 1 or any(type.scalable):
        return False
    if defined_by(indices, ops.StepOp) is not None:
        return True
    constant = constant_value(indices)
    if not isinstance(constant, DenseElementsAttr):
        return False
    if count_of(type) == 1:
        return constant.values[0] == 0
    return not constant.is_splat and tuple(constant.values) == tuple(range(count_of(type)))


def contiguous_gather(op: ops.GatherOp, rewriter: Rewriter) -> Replacement:
    """A gather of elements that stand side by side in memory is a masked load."""
    if not isinstance(op.base.type, MemRefType) or not _is_contiguous(op.indices):
        return None
    given = [op.base, *op.offsets, op.mask, op.pass_thru]
    return rewriter.create("vector.maskedload", given, [op.result.type])


def contiguous_scatter(op: ops.ScatterOp, rewriter: Rewriter) -> Replacement:
    """A scatter of elements side by side in memory is a masked store."""
    if not isinstance(op.base.type, MemRefType) or not _is_contiguous(op.indices):
        return None
    given = [op.base, *op.offsets, op.mask, op.valueToStore]
    return rewriter.create("vector.maskedstore", given)


def known_mask(op: ops.CreateMaskOp, rewriter: Rewriter) -> Replacement:
    """
        %m = vector.create_mask %c3, %c2 : vector<4x3xi1>
    becomes
        %m = vector.constant_mask [3, 2] : vector<4x3xi1>
    Of a scalable dimension all must be set, or nothing.
    """
    type = vector_type(op.result)
    lengths: list[int] = []
    for size, extent, scalable in zip(op.operands, type.ranked_shape or (1,), flags(type) or (False,), strict=True):
        number = splat_constant(size)
        if number is not None:
            if scalable and number >= 0:
                return Failure("how far it goes in a scalable dimension is not known")
        else:
            number = _times_vscale(size)
            if number is None or number < extent:
                return Failure("how far it goes is not known")
        lengths.append(min(max(number, 0), extent))
    if 0 in lengths:
        lengths = [0] * len(lengths)
    return rewriter.create("vector.constant_mask", (), [type], sizes(lengths))


def _times_vscale(value: Value) -> int | None:
    """The constant that the factor by which vectors scale is multiplied with."""
    if isinstance(op := value.defining_op, ops.VscaleOp):
        return 1
    for scale, factor in ((op.lhs, op.rhs), (op.rhs, op.lhs)) if isinstance(op, MuliOp) else ():
        if isinstance(scale.defining_op, ops.VscaleOp):
            return splat_constant(factor)
    return None


def nothing_masked(op: ops.MaskOp, rewriter: Rewriter) -> Replacement:
    """
        %r = vector.mask %m, %other { vector.yield %a : vector<8xf32> } : vector<8xi1> -> vector<8xf32>
    becomes
        %r = arith.select %m, %a, %other : vector<8xi1>, vector<8xf32>
    """
    block = op.maskRegion.first
    if op.passthru is None or block is None or not isinstance(block.first, ops.YieldOp):
        return None
    given = [op.mask, *block.first.operands, op.passthru]
    return rewriter.create("arith.select", given, [result.type for result in op.results])


_BEYOND: Final = {"ult": True, "uge": False, "ule": True, "ugt": False, "eq": False, "ne": True}
"""What comparisons say of all elements of a step with a number that is too big for them."""


def compared_step(op: ops.StepOp, rewriter: Rewriter) -> Replacement:
    """
        %s = vector.step : vector<3xindex>
        %r = arith.cmpi ugt, %s, %c7 : vector<3xindex>
    becomes
        %r = arith.constant dense<false> : vector<3xi1>
    """
    for user in reversed(list(op.result.uses)):
        if not isinstance(user, CmpiOp) or user.lhs is not op.result:
            continue
        number, word = splat_constant(user.rhs), _PREDICATES[user.predicate.value]
        last = count_of(vector_type(op.result)) - (1 if word in ("ule", "ugt") else 0)
        if number is None or word not in _BEYOND or number < last:
            continue
        type = vector_type(user.result)
        rewriter.stand_in(user)
        rewriter.set_insertion_before(user)
        rewriter.replace_with(user, "arith.constant", (), [type], {"value": dense([int(_BEYOND[word])], type)})
        return op
    return None


_PREDICATES: Final = {number: word for word, number in CMPI_PREDICATES.items()}


PATTERNS: Final = (
    replacing("vector.maskedload", known_load, name="MaskedLoadFolder"),
    replacing("vector.maskedstore", known_store, name="MaskedStoreFolder"),
    replacing("vector.gather", gather_of_nothing, name="GatherFolder"),
    replacing("vector.gather", contiguous_gather, name="FoldContiguousGather"),
    replacing("vector.scatter", scatter_of_nothing, name="ScatterFolder"),
    replacing("vector.scatter", contiguous_scatter, name="FoldContiguousScatter"),
    replacing("vector.expandload", known_load, name="ExpandLoadFolder"),
    replacing("vector.compressstore", known_store, name="CompressStoreFolder"),
    replacing("vector.create_mask", known_mask, name="CreateMaskFolder"),
    replacing("vector.mask", nothing_masked, name="CanonializeEmptyMaskOp"),
    replacing("vector.step", compared_step, name="StepCompareFolder"),
)
