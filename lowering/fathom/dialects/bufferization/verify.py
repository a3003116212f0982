"""What MLIR's verifiers say of the operations of bufferization."""

from __future__ import annotations

from typing import Final

PARTS: Final = ("operations",)
