"""What MLIR's verifiers say of the operations of sparse_tensor."""

from __future__ import annotations

from typing import Final

from fathom.dialects.sparse_tensor import checks, region_checks

PARTS: Final = (
    checks,
    region_checks,
)
