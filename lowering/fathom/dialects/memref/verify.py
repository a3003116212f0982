"""What MLIR's verifiers say of the operations of memref."""

from __future__ import annotations

from typing import Final

PARTS: Final = ("access", "allocation", "casts", "queries", "reshapes", "transfers", "views")
