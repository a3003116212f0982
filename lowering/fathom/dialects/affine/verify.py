"""What MLIR's verifiers say of the operations of affine."""

from __future__ import annotations

from typing import Final

PARTS: Final = ("dma", "indices", "loops", "maps", "memory", "parallel")
