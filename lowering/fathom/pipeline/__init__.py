"""Pipelines of passes: their language, a run stage by stage, and what a run left behind."""

from __future__ import annotations

from fathom.pipeline.language import CLASS_NAMES, LOWER_TO_LLVM, Nest, PassUse, Pipeline, parse_pipeline
from fathom.pipeline.leftovers import left_behind
from fathom.pipeline.stages import PipelineResult, Stage, run

__all__ = [
    "CLASS_NAMES",
    "LOWER_TO_LLVM",
    "Nest",
    "PassUse",
    "Pipeline",
    "PipelineResult",
    "Stage",
    "left_behind",
    "parse_pipeline",
    "run",
]
