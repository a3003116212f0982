"""`convert-math-to-rocdl`: functions of numbers to calls of AMD's device library.

    %0 = math.sin %x : f32   ->   %0 = llvm.call @__ocml_sin_f32(%x) : (f32) -> f32

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.passes.options import STRING, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

FOREIGN: Final = tuple(
    f"llvm.{name}"
    for name in (
        *(
            "intr.cos",
            "intr.exp",
            "intr.exp2",
            "intr.fabs",
            "intr.ceil",
            "intr.floor",
            "frem",
            "intr.log",
            "intr.log10",
        ),
        *("intr.log2", "intr.pow", "intr.sin", "intr.sqrt"),
    )
)
"""What the library has a function for, and must not be there."""


@record
class ConvertMathToROCDLPass(Pass):
    """Operations of `math` and `arith.remf` on floats of 16, 32 and 64 bits become calls; what GPUs have an instruction
    for stays. With a `chipset` from gfx900 on, `math.clampf` becomes one."""

    name = "convert-math-to-rocdl"
    summary = "lowers functions of numbers to calls of AMD's device library"
    anchor = MODULE

    chipset: str = option("", "the GPU that the operations are for", STRING)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic
        from fathom.passes.conversions.convert_gpu_to_rocdl.library import LIBRARY
        from fathom.passes.conversions.convert_gpu_to_rocdl.operations import clamp
        from fathom.passes.gpu_to_llvm.chipsets import Chipset
        from fathom.passes.gpu_to_llvm.device_calls import call_patterns
        from fathom.passes.to_llvm.conversion import convert_to_llvm, type_converter
        from fathom.passes.to_llvm.patterns import pattern
        from fathom.rewriting.target import ConversionTarget

        chipset = Chipset.read(self.chipset)
        if self.chipset and chipset is None:
            return [Diagnostic(f"Invalid chipset name: {self.chipset}", code=REFUSED_BY_PASS, unplaced=True)]
        types = type_converter(0, op, by_layout=True)
        patterns = call_patterns(LIBRARY, types)
        if chipset is not None and chipset.major >= 9:
            patterns.append(pattern("math.clampf", clamp, types))
        target = ConversionTarget().legal("builtin", "func", "vector", "llvm", "rocdl").illegal(*FOREIGN)
        return convert_to_llvm(op, target, patterns, types, context)
