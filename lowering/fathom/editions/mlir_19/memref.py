"""memref as MLIR 19 has it."""

from __future__ import annotations

from typing import Final

# What lies out of bounds is no mistake yet, and what is done to an element has other numbers.
WITHOUT: Final = ("memref.atomic_rmw", "memref.subview")
