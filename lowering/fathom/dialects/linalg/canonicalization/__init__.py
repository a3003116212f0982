"""The canonicalisation of structured operations, a module for each idea.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.linalg.canonicalization import fills, relayouts, structured

CANONICALIZATION: Final = (
    *structured.ALL[:2],
    *relayouts.CASTS,
    *structured.ALL[2:],
    *structured.BROADCAST,
    *structured.COPY,
    *fills.PATTERNS,
    *structured.GENERIC,
    *relayouts.PATTERNS,
    *structured.TRANSPOSE,
)
