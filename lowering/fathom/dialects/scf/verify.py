"""What MLIR's verifiers say of the operations of scf."""

from __future__ import annotations

from typing import Final

PARTS: Final = ("branches", "loops", "parallel")
