"""Views of views, and copies between them: part of `fold-memref-alias-ops`.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.views import dropped_dimensions
from fathom.irdl.index_lists import mixed
from fathom.ops.memref import SubviewOp
from fathom.passes.transforms.fold_memref_alias_ops.accesses import replace_operands
from fathom.passes.transforms.fold_memref_alias_ops.indices import has_unit_strides, through_subview
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.pattern import Failure, Pattern, defined_by
from fathom.rewriting.slicing import sliced

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.nvgpu import DeviceAsyncCopyOp
    from fathom.rewriting.rewriter import Rewriter


def fold_subview(op: SubviewOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A `memref.subview` of a `memref.subview` is one of the source of that."""
    inner = defined_by(op.source, SubviewOp)
    if inner is None:
        return Failure("the source is no view")
    if not has_unit_strides(op) or not has_unit_strides(inner):
        return Failure("requires unit strides")
    dropped = dropped_dimensions(inner)
    rest = iter(mixed(op.static_sizes, op.sizes))
    inner_sizes = mixed(inner.static_sizes, inner.sizes)
    sizes = [size if dim in dropped else next(rest) for dim, size in enumerate(inner_sizes)]
    offsets = through_subview(rewriter, inner, mixed(op.static_offsets, op.offsets))
    known = [value if (number := integer_constant(value)) is None else number for value in offsets]
    strides = mixed(inner.static_strides, inner.strides)
    view = sliced(rewriter, "memref.subview", inner.source, op.result.type, known, sizes, strides)
    rewriter.replace(op, [view])
    return None


def fold_copy(op: DeviceAsyncCopyOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`nvgpu.device_async_copy` looks through `memref.subview` on either side."""
    replaced: dict[str, Sequence[Value]] = {}
    for side, value, indices in (("src", op.src, op.srcIndices), ("dst", op.dst, op.dstIndices)):
        if (view := defined_by(value, SubviewOp)) is not None:
            replaced[side] = [view.source]
            replaced[f"{side}Indices"] = through_subview(rewriter, view, indices)
    if not replaced:
        return Failure("does not use subview ops for source or destination")
    replace_operands(op, replaced, op.properties, rewriter)
    return None


PATTERNS: Final = (
    Pattern("memref.subview", fold_subview, name="SubViewOfSubViewFolder"),
    Pattern("nvgpu.device_async_copy", fold_copy),
)
