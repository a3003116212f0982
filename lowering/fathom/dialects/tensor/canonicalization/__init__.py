"""The canonicalisation of tensors, a module for each kind of operation.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.tensor.canonicalization import casts, elements, pads, reshapes, slices

CANONICALIZATION: Final = (
    *casts.ALL,
    *casts.BITCAST,
    *casts.CASTS,
    *reshapes.PATTERNS,
    *casts.CONCAT,
    *elements.SIZES,
    *casts.EMPTY,
    *elements.ELEMENTS,
    *slices.PATTERNS,
    *pads.PATTERNS,
)
