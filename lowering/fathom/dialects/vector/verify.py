"""What MLIR's verifiers say of the operations of vector."""

from __future__ import annotations

from typing import Final

PARTS: Final = ("contractions", "elements", "masks", "memory", "reductions", "shapes", "transfers")
