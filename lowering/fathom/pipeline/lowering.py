"""The pipeline from the source dialects to the LLVM dialect. It knows its passes, so who imports it imports them."""

from __future__ import annotations

from typing import Final

from fathom.pipeline.language import parse_pipeline

LOWER_TO_LLVM: Final = parse_pipeline(["--lower-to-llvm"])
"""What runs where nobody names another pipeline."""
