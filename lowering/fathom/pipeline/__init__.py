"""Pipelines of passes: their language, and a run stage by stage."""

from __future__ import annotations

from fathom.pipeline.language import Nest, Pipeline, parse_pipeline
from fathom.pipeline.stages import PassRun, PipelineResult, run

__all__ = ["Nest", "PassRun", "Pipeline", "PipelineResult", "parse_pipeline", "run"]
