"""Padding as a fill and an insertion.

Source of the rules: `DecomposePadOpPattern` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.tensor.canonicalization.pads import padding_value
from fathom.ir.attributes import index_attr
from fathom.ir.clone import clone_region
from fathom.ir.types import DYNAMIC, INDEX, TensorType
from fathom.passes.structured import named
from fathom.passes.tensors import paddings
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern
from fathom.rewriting.result_shapes import folded_dim
from fathom.rewriting.slicing import inserted

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.tensor import PadOp
    from fathom.rewriting.rewriter import Rewriter


def fill_and_insert(op: PadOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    type, source_type = op.result.type, op.source.type
    if not isinstance(type, TensorType) or not isinstance(source_type, TensorType):
        return NO_MATCH
    low, high = paddings(op)
    sizes: list[Value] = []
    for dim, size in enumerate(type.ranked_shape):
        if size == DYNAMIC:
            total = _value(rewriter, folded_dim(rewriter, op.source, dim))
            for added in (low[dim], high[dim]):
                total = create_or_fold(rewriter, "arith.addi", [total, _value(rewriter, added)], INDEX)
            sizes.append(total)
    plain = TensorType(type.shape, type.element)
    whole = _filled(op, rewriter.create("tensor.empty", sizes, [plain]).result, sizes, rewriter)
    source_sizes = [folded_dim(rewriter, op.source, dim) for dim in range(len(source_type.ranked_shape))]
    rewriter.replace(op, [inserted(rewriter, op.source, whole, low, source_sizes, [1] * len(source_sizes))])
    return None


def _filled(op: PadOp, empty: Value, sizes: Sequence[Value], rewriter: Rewriter) -> Value:
    """A tensor of padding: filled with one value, or else computed."""
    value = padding_value(op)
    if value is None:
        regions = [clone_region(op.region)]
        return rewriter.create("tensor.generate", sizes, [op.result.type], regions=regions).result
    maker = value.defining_op
    if maker is not None and maker.parent is op.region.first and op.parent is not None:
        rewriter.move_before(maker, op.parent, op)
    return named(rewriter, "fill", [value], [empty]).result


def _value(rewriter: Rewriter, size: int | Value) -> Value:
    return rewriter.constant(index_attr(size), INDEX) if isinstance(size, int) else size


PATTERNS: Final = (Pattern("tensor.pad", fill_and_insert, name="DecomposePadOpPattern"),)
