"""The canonicalisation of memrefs that are expanded or collapsed, beyond what holds of tensors too: casts go through
them.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import knows_as_much, ranked
from fathom.dialects.memref.reshapes import collapsed_layout, expanded_layout
from fathom.ir.attributes import IntegerAttr
from fathom.ir.strides import is_identity
from fathom.ir.types import DYNAMIC, MemRefType
from fathom.records import replace
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Failure, Pattern
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


def _uncast(op: Operation) -> tuple[Value, MemRefType] | None:
    """What was cast to a type that says less, and its type."""
    cast = op.operands[0].defining_op
    if cast is None or cast.name != "memref.cast" or not knows_as_much(cast.operands[0].type, op.operands[0].type):
        return None
    type = ranked(cast.operands[0].type)
    return (cast.operands[0], type) if type is not None else None


def _known(size: int | Value) -> int | Value:
    constant = constant_value(size) if not isinstance(size, int) else None
    return constant.value if isinstance(constant, IntegerAttr) else size


def _replace_by_cast(op: Operation, made: Operation, rewriter: Rewriter) -> None:
    rewriter.replace_with(op, "memref.cast", [made.result], [op.results[0].type])


def expanded_cast(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What was cast is expanded, and the result cast, if the sizes that are known say as much of each group."""
    found = _uncast(op)
    if found is None:
        return NO_MATCH
    value, source = found
    groups, sizes = groups_in(op), [_known(size) for size in sizes_of(op)]
    shape = tuple(size if isinstance(size, int) else DYNAMIC for size in sizes)
    for extent, group in zip(source.ranked_shape, groups, strict=False):
        if (extent == DYNAMIC) != any(shape[dim] == DYNAMIC for dim in group):
            return Failure("what is known of a group would change")
    layout = None if is_identity(source) else expanded_layout(source, shape, groups)
    if layout is None and not is_identity(source):
        return NO_MATCH
    type = replace(source, shape=shape, layout=layout)
    if type == op.results[0].type:
        rewriter.modify(op, lambda: op.set_operand(0, value))
    else:
        _replace_by_cast(op, expand(rewriter, "memref", value, type, groups, sizes), rewriter)
    return None


def collapsed_cast(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What was cast is collapsed, and the result cast, if that says more."""
    found = _uncast(op)
    if found is None:
        return NO_MATCH
    value, source = found
    groups = groups_in(op)
    sizes = [[source.ranked_shape[dim] for dim in group] for group in groups]
    shape = tuple(DYNAMIC if DYNAMIC in group else prod(group) for group in sizes)
    layout = None if is_identity(source) else collapsed_layout(source, groups)
    if layout is None and not is_identity(source):
        return NO_MATCH
    type = replace(source, shape=shape, layout=layout)
    if type == op.results[0].type:
        rewriter.modify(op, lambda: op.set_operand(0, value))
    else:
        _replace_by_cast(op, collapse(rewriter, "memref", value, type, groups), rewriter)
    return None


PATTERNS: Final = (
    Pattern("memref.expand_shape", two_steps, name="ComposeReassociativeReshapeOps"),
    Pattern("memref.expand_shape", expanded_collapse, name="ComposeExpandOfCollapseOp"),
    Pattern("memref.expand_shape", expanded_cast, name="ExpandShapeOpMemRefCastFolder"),
    Pattern("memref.collapse_shape", two_steps, name="ComposeReassociativeReshapeOps"),
    Pattern("memref.collapse_shape", collapsed_expansion, name="ComposeCollapseOfExpandOp"),
    Pattern("memref.collapse_shape", collapsed_cast, name="CollapseShapeOpMemRefCastFolder"),
)
