"""`rocdl-attach-target`: GPU modules say for which of AMD's GPUs they are compiled."""

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
class GpuROCDLAttachTarget(Pass):
    """Of the modules directly in the operation, those whose names match `module`; they keep the targets that they
    have."""

    name = "rocdl-attach-target"
    summary = "attaches a target of AMD's to GPU modules"

    module: str = option("", "a regular expression for the names of modules", STRING)
    triple: str = option("amdgcn-amd-amdhsa", "the triple of the target", STRING)
    chip: str = option("gfx900", "the chip of the target", STRING)
    features: str = option("", "the features of the target", STRING)
    abi: str = option("600", "the version of the binary interface", STRING)
    optimization: int = option(2, "how much is optimised", UINT, name="O")
    wave64: bool = option(True, "wavefronts have 64 lanes", BOOL)
    fast: bool = option(False, "compute fast instead of exactly", BOOL)
    daz: bool = option(False, "denormal numbers are zero", BOOL)
    finite_only: bool = option(False, "all numbers are finite", BOOL)
    unsafe_math: bool = option(False, "compute as if numbers were real", BOOL)
    correct_sqrt: bool = option(True, "square roots are rounded correctly", BOOL)
    libraries: tuple[str, ...] = option((), "libraries of bitcode to link", list_of(STRING), name="l")

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.gpu_targets import attach, files, flags, gpu_modules, target

        words = {
            "no_wave64": not self.wave64,
            "fast": self.fast,
            "daz": self.daz,
            "finite_only": self.finite_only,
            "unsafe_math": self.unsafe_math,
            "unsafe_sqrt": not self.correct_sqrt,
        }
        wanted = target(
            "rocdl",
            "ROCDLTargetAttr",
            O=self.optimization,
            triple=self.triple,
            chip=self.chip,
            features=self.features,
            abi=self.abi,
            flags=flags(words),
            link=files(self.libraries),
        )
        attach(gpu_modules(op), self.module, wanted)
        return []
