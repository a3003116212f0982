"""MLIR 16: what data cannot say of its dialects, a module for each; of its language, that operations have no
properties: all is among their attributes.

Source of the rules: observed behaviour of mlir-opt 16.
"""

from __future__ import annotations

from typing import Final

from fathom.ir.language import Language

LANGUAGE: Final = Language(
    has_properties=False,
    written={"operandSegmentSizes": "operand_segment_sizes", "resultSegmentSizes": "result_segment_sizes"},
)
