"""What MLIR's verifiers say of the operations of spirv, by their families."""

from __future__ import annotations

from typing import Final

PARTS: Final = (
    "composites",
    "constants",
    "control",
    "functions",
    "groups",
    "images",
    "memory",
    "numbers",
    "pointers",
    "wrapped",
)
