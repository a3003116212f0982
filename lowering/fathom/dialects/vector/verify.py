"""What MLIR's verifiers say of the operations of vector."""

from __future__ import annotations

from typing import Final

from fathom.dialects.vector import contractions, elements, masks, memory, reductions, shapes, transfers

PARTS: Final = (
    contractions,
    elements,
    masks,
    memory,
    reductions,
    shapes,
    transfers,
)
