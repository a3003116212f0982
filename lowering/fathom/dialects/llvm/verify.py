"""What MLIR's verifiers say of the operations of the LLVM dialect."""

from __future__ import annotations

from typing import Final

PARTS: Final = (
    "aggregates",
    "aliases",
    "arithmetic",
    "calls",
    "checks",
    "constant_checks",
    "constants",
    "control",
    "exceptions",
    "functions",
    "getelementptr",
    "global_checks",
    "intrinsics",
    "memory",
    "symbol_checks",
    "vectors",
)
