"""`tosa-to-linalg-pipeline`: tosa's operations on tensors as those of linalg."""

from __future__ import annotations

from fathom.passes.definition import PassPipeline
from fathom.records import record


@record
class TosaToLinalgPipeline(PassPipeline):
    """Shapes are found out and constants computed before, and operations validated. Reshapes, control flow and
    constants are left to other passes. All passes run, whatever there is."""

    name = "tosa-to-linalg-pipeline"
    summary = "lowers tosa to linalg on tensors, by named operations where there are such"
    passes = (
        "func.func(tosa-optional-decompositions,canonicalize,tosa-infer-shapes,tosa-make-broadcastable,"
        "tosa-to-linalg-named,canonicalize,tosa-layerwise-constant-fold,tosa-make-broadcastable)",
        "tosa-validate",
        "func.func(tosa-to-linalg)",
    )
