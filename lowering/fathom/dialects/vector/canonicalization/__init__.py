"""The canonicalisation of vectors, a module for each kind of operation.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.vector.canonicalization import elements, masks, reductions, shapes, slices, transfers

CANONICALIZATION: Final = (
    *reductions.PATTERNS,
    *elements.PATTERNS,
    *slices.PATTERNS,
    *transfers.PATTERNS,
    *masks.PATTERNS,
    *shapes.PATTERNS,
)
