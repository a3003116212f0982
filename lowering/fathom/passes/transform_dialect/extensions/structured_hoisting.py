"""Transforms that take what is the same in each iteration out of loops.

Source of the rules: `LinalgTransformOps.cpp` and `hoistRedundantVectorTransfers` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.transform_dialect.application import each
from fathom.passes.transform_dialect.models import transforms
from fathom.passes.vectors.hoisting import hoist_transfers

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.passes.transform_dialect.application import Application


@transforms("transform.structured.hoist_redundant_vector_transfers")
@each()
def hoist_redundant_transfers(op: Operation, target: Operation, run: Application) -> Operation:
    hoist_transfers(target, run.rewriter)
    return target
