"""`arith-emulate-unsupported-floats`: arithmetic on floats that a target has no arithmetic for, on wider ones.

    %0 = arith.addf %a, %b : bf16
->
    %1 = arith.extf %a fastmath<contract> : bf16 to f32
    %2 = arith.extf %b fastmath<contract> : bf16 to f32
    %3 = arith.addf %1, %2 : f32
    %0 = arith.truncf %3 fastmath<contract> : f32 to bf16
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import STRING, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ArithEmulateUnsupportedFloats(Pass):
    """Each operation is rounded on its own, as it would be. Constants, casts, choices and broadcasts stay as they
    are."""

    name = "arith-emulate-unsupported-floats"
    summary = "computes with floats that a target lacks in a wider type"

    source_types: tuple[str, ...] = option((), "the types that the target does not compute with", list_of(STRING))
    target_type: str = option("f32", "the type that is computed with instead", STRING)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import PIPELINE, Diagnostic
        from fathom.passes.transforms.arith_emulate_unsupported_floats.emulation import WiderFloats, emulate, float_type
        from fathom.rewriting.conversion_driver import apply_partial_conversion

        target = float_type(self.target_type)
        sources = [float_type(name) for name in self.source_types]
        problem = None
        if target is None:
            problem = f"could not map target type '{self.target_type}' to a known floating-point type"
        elif None in sources:
            unknown = self.source_types[sources.index(None)]
            problem = f"could not map source type '{unknown}' to a known floating-point type"
        elif target in sources:
            problem = "target type cannot be an unsupported source type"
        if problem is not None or target is None:
            return [Diagnostic(problem or "", code=PIPELINE, unplaced=True)]
        legality, patterns = emulate(
            op, WiderFloats(frozenset(source for source in sources if source is not None), target)
        )
        return apply_partial_conversion(op, legality, patterns, context)
