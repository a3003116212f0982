"""What MLIR's verifiers say of the operations of spirv, by their families."""

from __future__ import annotations

from typing import Final

PARTS: Final = (
    "arithmetic",
    "atomics",
    "casts",
    "composites",
    "constants",
    "control",
    "functions",
    "graphs",
    "groups",
    "images",
    "matrices",
    "memory",
    "numbers",
    "pointers",
    "symbols",
    "wrapped",
)
