"""What MLIR's verifiers say of the operations of tosa."""

from __future__ import annotations

from typing import Final

from fathom.dialects.tosa import arithmetic, arrangement, control, convolutions, variables

PARTS: Final = (
    arithmetic,
    arrangement,
    control,
    convolutions,
    variables,
)
