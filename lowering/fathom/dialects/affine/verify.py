"""What MLIR's verifiers say of the operations of affine."""

from __future__ import annotations

from typing import Final

from fathom.dialects.affine import dma, indices, loops, maps, memory, parallel

PARTS: Final = (
    dma,
    indices,
    loops,
    maps,
    memory,
    parallel,
)
