"""`nvvm-attach-target`: GPU modules say for which of NVIDIA's GPUs they are compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, STRING, UINT, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class GpuNVVMAttachTarget(Pass):
    """Of the modules directly in the operation, those whose names match `module`; they keep the targets that they
    have."""

    name = "nvvm-attach-target"
    summary = "attaches a target of NVIDIA's to GPU modules"

    module: str = option("", "a regular expression for the names of modules", STRING)
    triple: str = option("nvptx64-nvidia-cuda", "the triple of the target", STRING)
    chip: str = option("sm_50", "the chip of the target", STRING)
    features: str = option("", "the features of the target; by default the oldest PTX of the chip", STRING)
    optimization: int = option(2, "how much is optimised", UINT, name="O")
    fast: bool = option(False, "compute fast instead of exactly", BOOL)
    ftz: bool = option(False, "denormal numbers are zero", BOOL)
    libraries: tuple[str, ...] = option((), "libraries of bitcode to link", list_of(STRING), name="l")
    ptxas_cmd_options: str = option("", "options for the assembler", STRING)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.gpu_targets import attach, files, flags, gpu_modules, target

        wanted = target(
            "nvvm",
            "NVVMTargetAttr",
            O=self.optimization,
            triple=self.triple,
            chip=self.chip,
            features=self.features,
            flags=flags({"fast": self.fast, "ftz": self.ftz}, "ptxas-cmd-options", self.ptxas_cmd_options),
            link=files(self.libraries),
        )
        attach(gpu_modules(op), self.module, wanted)
        return []
