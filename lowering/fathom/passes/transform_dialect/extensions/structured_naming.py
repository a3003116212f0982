"""Transforms between named structured operations and `linalg.generic`.

Source of the rules: `LinalgTransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.irdl.interfaces import Structured
from fathom.ops.linalg import GenericOp
from fathom.passes.structured.naming import generalize
from fathom.passes.structured.specialization import specialize
from fathom.passes.transform_dialect.application import each
from fathom.passes.transform_dialect.models import transforms

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.passes.transform_dialect.application import Application
    from fathom.rewriting.pattern import RewriteFunction


def _rewritten(target: Operation, rewrite: RewriteFunction, run: Application) -> Operation:
    """What a pattern puts right in the place of an operation."""
    following, block = target.next, target.parent
    assert block is not None, "it stands in a block"
    if rewrite(target, target.operands, run.rewriter) is not None:
        raise run.silenceable(f"{run.op.name} failed to apply", ("when applied to this op", target))
    made = following.previous if following is not None else block.last
    assert made is not None, "something took its place"
    return made


@transforms("transform.structured.generalize")
@each(of=lambda target: target.interface(Structured) is not None)
def generalize_target(op: Operation, target: Operation, run: Application) -> Operation:
    return target if isinstance(target, GenericOp) else _rewritten(target, generalize, run)


@transforms("transform.structured.specialize")
@each(of=lambda target: target.interface(Structured) is not None)
def specialize_target(op: Operation, target: Operation, run: Application) -> Operation:
    return _rewritten(target, specialize, run) if isinstance(target, GenericOp) else target
