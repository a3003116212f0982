"""memref as MLIR 19 has it."""

from __future__ import annotations

from typing import Final

# What lies out of bounds is no mistake yet.
WITHOUT: Final = ("memref.subview",)
