"""What MLIR's verifiers say of the operations of scf."""

from __future__ import annotations

from typing import Final

from fathom.dialects.scf import branches, loops, parallel

PARTS: Final = (
    branches,
    loops,
    parallel,
)
