"""What MLIR's verifiers say of the operations of gpu."""

from __future__ import annotations

from typing import Final

from fathom.dialects.gpu import checks, functions, launch

PARTS: Final = (
    checks,
    functions,
    launch,
)
