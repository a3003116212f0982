"""What MLIR's verifiers say of the operations of sparse_tensor."""

from __future__ import annotations

from typing import Final

PARTS: Final = ("checks", "region_checks")
