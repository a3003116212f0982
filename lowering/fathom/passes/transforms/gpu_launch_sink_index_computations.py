"""`gpu-launch-sink-index-computations`: constants, sizes and comparisons are computed in the kernels that use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class GpuLaunchSinkIndexComputationsPass(Pass):
    """Copied is what makes the body of a launch take nothing more from outside."""

    name = "gpu-launch-sink-index-computations"
    summary = "computes constants and sizes in the launches that use them"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.ops.gpu import LaunchOp
        from fathom.passes.kernels import sink

        for launch in [each for each in op.walk_postorder() if isinstance(each, LaunchOp)]:
            sink(launch, context)
        return []
