"""What MLIR's verifiers say of the operations of tensor."""

from __future__ import annotations

from typing import Final

PARTS: Final = ("elements", "reshapes", "slices")
