"""The pipeline from the source dialects to the LLVM dialect. It knows its passes, so who imports it imports them."""

from __future__ import annotations

from typing import Final

from fathom.pipeline.language import parse_pipeline

LOWER_TO_LLVM: Final = parse_pipeline(
    [
        "--convert-scf-to-cf",
        "--convert-arith-to-llvm",
        "--convert-cf-to-llvm",
        "--finalize-memref-to-llvm",
        "--convert-func-to-llvm",
        "--reconcile-unrealized-casts",
    ]
)
"""From the source dialects to the LLVM dialect."""
