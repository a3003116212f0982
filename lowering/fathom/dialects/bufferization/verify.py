"""What MLIR's verifiers say of the operations of bufferization."""

from __future__ import annotations

from typing import Final

from fathom.dialects.bufferization import operations

PARTS: Final = (operations,)
