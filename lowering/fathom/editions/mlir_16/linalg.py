"""linalg as MLIR 16 has it."""

from __future__ import annotations

from typing import Final

# Tensors and memory may stand beside each other.
WITHOUT: Final = ("linalg.generic", "linalg.matmul")
