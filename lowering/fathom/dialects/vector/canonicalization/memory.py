"""The canonicalisation of masked accesses to memory: those that reach everything or nothing, and contiguous ones.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import count_of, rank, vector
from fathom.dialects.vector.memory_folds import is_all
from fathom.ir.attributes import DenseElementsAttr
from fathom.ir.types import MemRefType
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def known_load(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A masked load of everything is a `vector.load`, one of nothing what is passed through."""
    match is_all(op.one_of("mask")):
        case True:
            place = [op.one_of("base"), *op.all_of("indices")]
            rewriter.replace_with(op, "vector.load", place, [op.result.type])
        case False:
            rewriter.replace(op, [op.one_of("pass_thru")])
        case None:
            return NO_MATCH
    return None


def known_store(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A masked store of everything is a `vector.store`, one of nothing goes."""
    match is_all(op.one_of("mask")):
        case True:
            rewriter.create("vector.store", [op.one_of("valueToStore"), op.one_of("base"), *op.all_of("indices")])
        case False:
            pass
        case None:
            return NO_MATCH
    rewriter.erase(op)
    return None


def gather_of_nothing(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What is passed through."""
    if is_all(op.one_of("mask")) is not False:
        return NO_MATCH
    rewriter.replace(op, [op.one_of("pass_thru")])
    return None


def scatter_of_nothing(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Goes; a tensor stays as it was."""
    if is_all(op.one_of("mask")) is not False:
        return NO_MATCH
    rewriter.replace(op, [op.one_of("base")] * len(op.results))
    return None


def _is_contiguous(indices: Value) -> bool:
    """Whether a vector is 0, 1, 2, …"""
    type = vector(indices.type)
    if type is None or rank(type) != 1 or any(type.scalable):
        return False
    if defined_by(indices, "vector.step") is not None:
        return True
    constant = constant_value(indices)
    if not isinstance(constant, DenseElementsAttr):
        return False
    if count_of(type) == 1:
        return constant.values[0] == 0
    return not constant.is_splat and tuple(constant.values) == tuple(range(count_of(type)))


def contiguous_gather(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A gather of elements that stand side by side in memory is a masked load."""
    base = op.one_of("base")
    if not isinstance(base.type, MemRefType) or not _is_contiguous(op.one_of("indices")):
        return NO_MATCH
    given = [base, *op.all_of("offsets"), op.one_of("mask"), op.one_of("pass_thru")]
    rewriter.replace_with(op, "vector.maskedload", given, [op.result.type])
    return None


def contiguous_scatter(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A scatter of elements side by side in memory is a masked store."""
    base = op.one_of("base")
    if not isinstance(base.type, MemRefType) or not _is_contiguous(op.one_of("indices")):
        return NO_MATCH
    given = [base, *op.all_of("offsets"), op.one_of("mask"), op.one_of("valueToStore")]
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
