"""`xevm-attach-target`: GPU modules say for which of Intel's GPUs they are compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import STRING, UINT, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class GpuXeVMAttachTarget(Pass):
    """Of the modules directly in the operation, those whose names match `module`; they keep the targets that they
    have."""

    name = "xevm-attach-target"
    summary = "attaches a target of Intel's to GPU modules"

    module: str = option("", "a regular expression for the names of modules", STRING)
    triple: str = option("spirv64-unknown-unknown", "the triple of the target", STRING)
    chip: str = option("bmg", "the chip of the target", STRING)
    optimization: int = option(2, "how much is optimised", UINT, name="O")
    libraries: tuple[str, ...] = option((), "libraries of bitcode to link", list_of(STRING), name="l")
    cmd_options: str = option("", "options for the compiler behind it", STRING)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.gpu_targets import attach, files, flags, gpu_modules, target

        wanted = target(
            "xevm",
            "XeVMTargetAttr",
            O=self.optimization,
            triple=self.triple,
            chip=self.chip,
            flags=flags({}, "cmd-options", self.cmd_options),
            linkFiles=files(self.libraries),
        )
        attach(gpu_modules(op), self.module, wanted)
        return []
