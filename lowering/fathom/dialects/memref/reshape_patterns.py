"""The canonicalisation of memrefs that are expanded or collapsed, beyond what holds of tensors too: casts go through
them.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import said_more, type_of
from fathom.dialects.memref.reshapes import collapsed_layout, expanded_layout
from fathom.ir.strides import is_identity
from fathom.ir.types import DYNAMIC, MemRefType
from fathom.ops.memref import CollapseShapeOp, ExpandShapeOp
from fathom.records import replace
from fathom.rewriting.folding import known_number
from fathom.rewriting.pattern import Failure, Replacement, replacing
from fathom.rewriting.reshapes import (
    collapse,
    collapsed_expansion,
    expand,
    expanded_collapse,
    groups_in,
    sizes_of,
    two_steps,
)

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

NO_MATCH: Final = Failure("there is no cast that says less")


def _reshape(
    op: ExpandShapeOp | CollapseShapeOp,
    value: Value,
    type: MemRefType,
    make: Callable[[], Operation],
    rewriter: Rewriter,
) -> Operation:
    """Lets the operation use another value, or makes one of this type and casts what that gives."""
    if type == op.result.type:
        rewriter.modify(op, lambda: op.set_operand(0, value))
        return op
    return rewriter.create("memref.cast", [make().result], [op.result.type])


def expanded_cast(op: ExpandShapeOp, rewriter: Rewriter) -> Replacement:
    """What was cast is expanded, and the result cast, if the sizes that are known say as much of each group."""
    value = said_more(op.src)
    if value is None:
        return NO_MATCH
    source = type_of(value)
    known = [(known_number(size), size) for size in sizes_of(op)]
    groups, sizes = groups_in(op), [size if number is None else number for number, size in known]
    shape = tuple(size if isinstance(size, int) else DYNAMIC for size in sizes)
    for extent, group in zip(source.ranked_shape, groups, strict=False):
        if (extent == DYNAMIC) != any(shape[dim] == DYNAMIC for dim in group):
            return Failure("what is known of a group would change")
    layout = None if is_identity(source) else expanded_layout(source, shape, groups)
    if layout is None and not is_identity(source):
        return NO_MATCH
    type = replace(source, shape=shape, layout=layout)
    return _reshape(op, value, type, lambda: expand(rewriter, "memref", value, type, groups, sizes), rewriter)


def collapsed_cast(op: CollapseShapeOp, rewriter: Rewriter) -> Replacement:
    """What was cast is collapsed, and the result cast, if that says more."""
    value = said_more(op.src)
    if value is None:
        return NO_MATCH
    source, groups = type_of(value), groups_in(op)
    sizes = [[source.ranked_shape[dim] for dim in group] for group in groups]
    shape = tuple(DYNAMIC if DYNAMIC in group else prod(group) for group in sizes)
    layout = None if is_identity(source) else collapsed_layout(source, groups)
    if layout is None and not is_identity(source):
        return NO_MATCH
    type = replace(source, shape=shape, layout=layout)
    return _reshape(op, value, type, lambda: collapse(rewriter, "memref", value, type, groups), rewriter)


PATTERNS: Final = (
    replacing("memref.expand_shape", two_steps, name="ComposeReassociativeReshapeOps"),
    replacing("memref.expand_shape", expanded_collapse, name="ComposeExpandOfCollapseOp"),
    replacing("memref.expand_shape", expanded_cast, name="ExpandShapeOpMemRefCastFolder"),
    replacing("memref.collapse_shape", two_steps, name="ComposeReassociativeReshapeOps"),
    replacing("memref.collapse_shape", collapsed_expansion, name="ComposeCollapseOfExpandOp"),
    replacing("memref.collapse_shape", collapsed_cast, name="CollapseShapeOpMemRefCastFolder"),
)
