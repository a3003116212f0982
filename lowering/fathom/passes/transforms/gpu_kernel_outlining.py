"""`gpu-kernel-outlining`: the bodies of launches become kernels in modules of their own.

func.func @f() { gpu.launch … { … } }
->
func.func @f() { gpu.launch_func @f_kernel::@f_kernel … }
gpu.module @f_kernel { gpu.func @f_kernel() kernel { … } }
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.passes.options import STRING, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation


@record
class GpuKernelOutliningPass(Pass):
    """What a body takes from outside becomes arguments of the kernel, and what it calls is copied beside it."""

    name = "gpu-kernel-outlining"
    summary = "makes kernels of the bodies of launches"
    anchor = MODULE
    handles = ("gpu.launch",)

    data_layout_str: str = option("", "the data layout of the new modules, as an attribute is written", STRING)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import PIPELINE, Diagnostic
        from fathom.ir.attributes import UNIT
        from fathom.passes.kernels import Outlining

        layout = _attribute(self.data_layout_str, context) if self.data_layout_str else None
        if self.data_layout_str and layout is None:
            return [Diagnostic(f"'{self.data_layout_str}' is no data layout", None, code=PIPELINE)]
        if Outlining(op, layout, context).outline():
            op.attributes["gpu.container_module"] = UNIT
        return []


def _attribute(text: str, context: Context) -> Attribute | None:
    """The attribute that a text stands for, if it is a data layout."""
    from fathom.elaborate import load

    loaded = load(f"module attributes {{dlti.dl_spec = {text}}} {{}}", context)
    if loaded.diagnostics:
        return None
    inner = next(iter(loaded.module.regions[0].operations()), loaded.module)
    layout = inner.attributes.get("dlti.dl_spec", loaded.module.attributes.get("dlti.dl_spec"))
    return layout if layout is not None and layout.full_name == "dlti.dl_spec" else None
