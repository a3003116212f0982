"""Pipelines of passes: their language, and a run stage by stage."""

from __future__ import annotations

from fathom.pipeline.language import LOWER_TO_LLVM, Nest, Pipeline, parse_pipeline
from fathom.pipeline.stages import PassRun, PipelineResult, run

__all__ = ["LOWER_TO_LLVM", "Nest", "PassRun", "Pipeline", "PipelineResult", "parse_pipeline", "run"]
