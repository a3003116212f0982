"""The canonicalisation of masked accesses to memory: those that reach everything or nothing, and contiguous ones.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import count_of, rank, vector_type
from fathom.dialects.vector.memory_folds import is_all
from fathom.ir.attributes import DenseElementsAttr
from fathom.ir.types import MemRefType
from fathom.ops import vector as ops
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


def known_load(
    op: ops.ExpandloadOp | ops.MaskedloadOp, operands: Sequence[Value], rewriter: Rewriter
) -> Failure | None:
    """A masked load of everything is a `vector.load`, one of nothing what is passed through."""
    match is_all(op.mask):
        case True:
            rewriter.replace_with(op, "vector.load", [op.base, *op.indices], [op.result.type])
        case False:
            rewriter.replace(op, [op.pass_thru])
        case None:
            return NO_MATCH
    return None


def known_store(
    op: ops.CompressstoreOp | ops.MaskedstoreOp, operands: Sequence[Value], rewriter: Rewriter
) -> Failure | None:
    """A masked store of everything is a `vector.store`, one of nothing goes."""
    match is_all(op.mask):
        case True:
            rewriter.create("vector.store", [op.valueToStore, op.base, *op.indices])
        case False:
            pass
        case None:
            return NO_MATCH
    rewriter.erase(op)
    return None


def gather_of_nothing(op: ops.GatherOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What is passed through."""
    if is_all(op.mask) is not False:
        return NO_MATCH
    rewriter.replace(op, [op.pass_thru])
    return None


def scatter_of_nothing(op: ops.ScatterOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Goes; a tensor stays as it was."""
    if is_all(op.mask) is not False:
        return NO_MATCH
    rewriter.replace(op, [op.base] * len(op.results))
    return None


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


def contiguous_gather(op: ops.GatherOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A gather of elements that stand side by side in memory is a masked load."""
    if not isinstance(op.base.type, MemRefType) or not _is_contiguous(op.indices):
        return NO_MATCH
    given = [op.base, *op.offsets, op.mask, op.pass_thru]
    rewriter.replace_with(op, "vector.maskedload", given, [op.result.type])
    return None


def contiguous_scatter(op: ops.ScatterOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A scatter of elements side by side in memory is a masked store."""
    if not isinstance(op.base.type, MemRefType) or not _is_contiguous(op.indices):
        return NO_MATCH
    given = [op.base, *op.offsets, op.mask, op.valueToStore]
    rewriter.replace_with(op, "vector.maskedstore", given)
    return None


PATTERNS: Final = (
    Pattern("vector.maskedload", known_load, name="MaskedLoadFolder"),
    Pattern("vector.maskedstore", known_store, name="MaskedStoreFolder"),
    Pattern("vector.gather", gather_of_nothing, name="GatherFolder"),
    Pattern("vector.gather", contiguous_gather, name="FoldContiguousGather"),
    Pattern("vector.scatter", scatter_of_nothing, name="ScatterFolder"),
    Pattern("vector.scatter", contiguous_scatter, name="FoldContiguousScatter"),
    Pattern("vector.expandload", known_load, name="ExpandLoadFolder"),
    Pattern("vector.compressstore", known_store, name="CompressStoreFolder"),
)
