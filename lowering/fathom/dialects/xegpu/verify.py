"""What MLIR's verifiers say of the operations of xegpu."""

from __future__ import annotations

from typing import Final

from fathom.dialects.xegpu import checks, scattered_checks

PARTS: Final = (
    checks,
    scattered_checks,
)
