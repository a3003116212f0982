"""Which element of what is viewed an element of a view is: part of `fold-memref-alias-ops`.

Source of the rules: *'memref' Dialect*, `memref.subview`, `memref.expand_shape`, `memref.collapse_shape`; the order of
what is made is that of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.memref.common import type_of
from fathom.dialects.memref.views import dropped_dimensions
from fathom.ir.attributes import UNIT
from fathom.ir.operation import Value
from fathom.ir.types import DYNAMIC, INDEX
from fathom.irdl.build import segment_sizes
from fathom.irdl.index_lists import mixed, separated
from fathom.passes.buffers import extract_metadata
from fathom.passes.index_arithmetic import through_slice, value_of
from fathom.rewriting.reshapes import groups_in

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ops.memref import CollapseShapeOp, ExpandShapeOp, SubviewOp
    from fathom.rewriting.rewriter import Rewriter


def has_unit_strides(view: SubviewOp) -> bool:
    return all(stride == 1 for stride in view.static_strides.values)


def through_subview(rewriter: Rewriter, view: SubviewOp, indices: Sequence[Value | int]) -> list[Value]:
    """Where in the source of a `memref.subview` something lies."""
    offsets, strides = mixed(view.static_offsets, view.offsets), mixed(view.static_strides, view.strides)
    return through_slice(rewriter, offsets, strides, dropped_dimensions(view), indices)


def through_expansion(
    rewriter: Rewriter, view: ExpandShapeOp, indices: Sequence[Value], *, in_bounds: bool
) -> list[Value]:
    """The indices of each group of dimensions are joined. `in_bounds` says that they lie in the shape for sure."""
    shape = mixed(view.static_output_shape, view.output_shape)
    values: list[Value] = []
    for group in groups_in(view):
        parts = [indices[dim] for dim in group]
        values.append(
            parts[0] if len(parts) == 1 else _joined(rewriter, parts, [shape[dim] for dim in group], in_bounds)
        )
    return values


def through_collapse(rewriter: Rewriter, view: CollapseShapeOp, indices: Sequence[Value]) -> list[Value] | None:
    """Each index is taken apart into those of the dimensions that were joined; None where there is no telling."""
    type, metadata = type_of(view.src), extract_metadata(rewriter, view.src)
    if metadata is None:
        return None
    groups = groups_in(view)
    if not groups:
        return [value_of(rewriter, 0) for _ in type.ranked_shape]
    sizes: list[Value | int] = [
        value if extent == DYNAMIC else extent
        for extent, value in zip(type.ranked_shape, metadata.results[2 : 2 + len(type.ranked_shape)], strict=True)
    ]
    values: list[Value] = []
    for index, group in zip(indices, groups, strict=True):
        values += [index] if len(group) == 1 else _taken_apart(rewriter, index, [sizes[dim] for dim in group])
    return values


def _joined(rewriter: Rewriter, parts: Sequence[Value], basis: Sequence[Value | int], disjoint: bool) -> Value:
    dynamic, static = _basis(basis)
    properties = {**static, "operandSegmentSizes": segment_sizes(len(parts), len(dynamic))}
    if disjoint:
        properties["disjoint"] = UNIT
    return rewriter.create("affine.linearize_index", [*parts, *dynamic], [INDEX], properties).result


def _taken_apart(rewriter: Rewriter, index: Value, basis: Sequence[Value | int]) -> Sequence[Value]:
    dynamic, static = _basis(basis)
    return rewriter.create("affine.delinearize_index", [index, *dynamic], [INDEX] * len(basis), static).results


def _basis(basis: Sequence[Value | int]) -> tuple[list[Value], dict[str, Attribute]]:
    dynamic, static = separated(basis)
    return dynamic, {"static_basis": static}
