"""What MLIR's verifiers say of the operations of xegpu."""

from __future__ import annotations

from typing import Final

PARTS: Final = ("checks", "scattered_checks")
