"""`gpu-async-region`: the host does not wait for each thing that a GPU does.

gpu.launch_func @k::@a …        %t0 = gpu.wait async
gpu.launch_func @k::@b …   ->   %t1 = gpu.launch_func async [%t0] @k::@a …
%t2 = gpu.launch_func async [%t1] @k::@b …
gpu.wait [%t2]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class GpuAsyncRegionPass(Pass):
    """The host waits before what has effects and at the end of blocks; where that is the end of an `async.execute`,
    whoever waits for it waits for the GPU too. Bodies of `gpu.launch` have to be kernels before."""

    name = "gpu-async-region"
    summary = "runs operations on GPUs asynchronously"
    anchor = "func.func"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic
        from fathom.passes.asynchronous.gpu_regions import make_asynchronous

        launch = make_asynchronous(op, context) if op.regions else None
        if launch is None:
            return []
        message = f"'{launch.name}' op replace with gpu.launch_func first"
        return [Diagnostic(message, launch.span, code=REFUSED_BY_PASS, op=launch)]
