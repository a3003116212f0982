"""What MLIR's verifiers say of the operations of gpu."""

from __future__ import annotations

from typing import Final

PARTS: Final = ("checks", "functions", "launch")
