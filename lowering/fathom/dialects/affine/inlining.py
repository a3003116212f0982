"""Which functions may be inlined into loops and conditions of the affine dialect: those that stay valid there.

What is a dimension or a symbol at the top of a function is none for that in a loop. Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.scope import Validity
from fathom.ir.operation import BlockArgument
from fathom.irdl.interfaces import ShapedDim
from fathom.irdl.traits import AFFINE_SCOPE, CONSTANT_LIKE
from fathom.ops.affine import ForOp, IfOp, LoadOp, ParallelOp, StoreOp, VectorLoadOp, VectorStoreOp
from fathom.rewriting.effects import own_effects
from fathom.rewriting.inlining_rules import InliningRules

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region, Value

_AROUND: Final = (ForOp, IfOp, ParallelOp)


def _takes(target: Region, body: Region, given: Mapping[Value, Value]) -> bool:
    around, block = target.parent, body.first
    if not isinstance(around, _AROUND) or block is None or block is not body.last:
        return False
    validity = Validity(target)
    return all(own_effects(op) == () or _remains_valid(op, body, given, validity) for op in block)


def _remains_valid(op: Operation, body: Region, given: Mapping[Value, Value], validity: Validity) -> bool:
    """Whether an access to memory has subscripts that are as valid where the body comes to stand."""
    if not isinstance(op, (LoadOp, StoreOp, VectorLoadOp, VectorStoreOp)):
        return False
    for index, value in enumerate(op.indices):
        is_valid = validity.is_dim if index < op.map.map.dims else validity.is_symbol
        if not _is_at_top(value, body):
            continue
        if isinstance(value, BlockArgument):
            if not is_valid(given[value]):
                return False
            continue
        maker = value.defining_op
        if maker is None or not (maker.has(CONSTANT_LIKE) or maker.interface(ShapedDim) is not None):
            return False
    return True


def _is_at_top(value: Value, body: Region) -> bool:
    block = value.parent_block
    return block is not None and block.parent is body


def _holds(op: Operation, target: Region) -> bool:
    around = target.parent
    return around is not None and (around.has(AFFINE_SCOPE) or isinstance(around, _AROUND))


INLINING: Final = InliningRules(takes=_takes, holds=_holds)
