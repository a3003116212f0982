"""What MLIR's verifiers say of the operations of nvvm."""

from __future__ import annotations

from typing import Final

PARTS: Final = ("conversions", "copies", "matrices", "products", "warps")
