"""What MLIR's verifiers say of the operations of the LLVM dialect."""

from __future__ import annotations

from typing import Final

PARTS: Final = (
    "calls",
    "constants",
    "control",
    "functions",
    "globals",
    "intrinsics",
    "memory",
    "symbol_checks",
    "values",
)
