"""What MLIR's verifiers say of the operations of irdl."""

from __future__ import annotations

from typing import Final

from fathom.dialects.irdl import definitions

PARTS: Final = (definitions,)
