"""Views of views, and copies between them: part of `fold-memref-alias-ops`.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.views import dropped_dimensions
from fathom.ir.attributes import IntegerAttr
from fathom.irdl.slices import mixed_list
from fathom.passes.buffers import sliced
from fathom.passes.transforms.fold_memref_alias_ops.accesses import SUBVIEW, replace_operands
from fathom.passes.transforms.fold_memref_alias_ops.indices import has_unit_strides, through_subview
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def fold_subview(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A `memref.subview` of a `memref.subview` is one of the source of that."""
    inner = SUBVIEW.defining(operands[0])
    if inner is None:
        return Failure("the source is no view")
    if not has_unit_strides(op) or not has_unit_strides(inner):
        return Failure("requires unit strides")
    dropped = dropped_dimensions(inner)
    rest = iter(mixed_list(op, "sizes"))
    sizes = [size if dim in dropped else next(rest) for dim, size in enumerate(mixed_list(inner, "sizes"))]
    offsets = [_as_number(offset) for offset in through_subview(rewriter, inner, mixed_list(op, "offsets"))]
    strides = mixed_list(inner, "strides")
    found = sliced(rewriter, "memref.subview", inner.operands[0], op.result.type, offsets, sizes, strides)
    rewriter.replace(op, [found])
    return None


def _as_number(value: Value) -> Value | int:
    constant = constant_value(value)
    return constant.value if isinstance(constant, IntegerAttr) else value


def fold_copy(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`nvgpu.device_async_copy` looks through `memref.subview` on either side."""
    replaced: dict[str, Sequence[Value]] = {}
    for side in ("src", "dst"):
        if (view := SUBVIEW.defining(op.one_of(side))) is not None:
            replaced[side] = [view.operands[0]]
            replaced[f"{side}Indices"] = through_subview(rewriter, view, op.all_of(f"{side}Indices"))
    if not replaced:
        return Failure("does not use subview ops for source or destination")
    replace_operands(op, replaced, op.properties, rewriter)
    return None


PATTERNS: Final = (
    Pattern("memref.subview", fold_subview, name="SubViewOfSubViewFolder"),
    Pattern("nvgpu.device_async_copy", fold_copy),
)
