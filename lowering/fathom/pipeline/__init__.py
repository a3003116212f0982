"""Pipelines of passes: their language, and what becomes of a module by one."""

from __future__ import annotations

from fathom.pipeline.language import Nest, Pipeline, parse_pipeline
from fathom.pipeline.lowering import Lowering, PassRun, run

__all__ = ["Lowering", "Nest", "PassRun", "Pipeline", "parse_pipeline", "run"]
