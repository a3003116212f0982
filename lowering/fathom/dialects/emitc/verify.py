"""What MLIR's verifiers say of the operations of emitc."""

from __future__ import annotations

from typing import Final

PARTS: Final = ("checks", "control_checks")
