"""Transforms of loops.

Source of the rules: `LoopExtensionOps.cpp` and `SCFTransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.irdl.interfaces import LoopLike
from fathom.ops.scf import ForOp
from fathom.passes.loops.subsets import hoist_subsets_of
from fathom.passes.transform_dialect.application import each
from fathom.passes.transform_dialect.models import transforms

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.passes.transform_dialect.application import Application


@transforms("transform.loop.hoist_loop_invariant_subsets")
@each(of=lambda target: target.interface(LoopLike) is not None)
def hoist_loop_invariant_subsets(op: Operation, target: Operation, run: Application) -> None:
    if isinstance(target, ForOp):
        hoist_subsets_of(target, run.rewriter)
