"""The canonicalisation of structured control flow, in MLIR's order."""

from __future__ import annotations

from typing import Final

from fathom.dialects.scf import if_patterns, loop_patterns, parallel_patterns, while_patterns
from fathom.rewriting import region_branches

_HANDING_ON: Final = ("scf.execute_region", "scf.for", "scf.if", "scf.index_switch", "scf.while")

CANONICALIZATION: Final = (
    *loop_patterns.PATTERNS,
    *parallel_patterns.PATTERNS,
    *if_patterns.PATTERNS,
    *while_patterns.PATTERNS,
    *(pattern for name in _HANDING_ON for pattern in region_branches.patterns(name)),
)
