"""MLIR 15: what data cannot say of its dialects, a module for each."""

from __future__ import annotations

from typing import Final

from fathom.ir.language import Language

LANGUAGE: Final = Language(
    has_properties=False,
    written={"operandSegmentSizes": "operand_segment_sizes", "resultSegmentSizes": "result_segment_sizes"},
    sizes_are_dense=True,
    former_words=frozenset(("offset", "strides")),
    numbers_first=True,
)
