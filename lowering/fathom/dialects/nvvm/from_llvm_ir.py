"""What intrinsics of NVVM are in the dialect: registers, and what else MLIR reads back."""

from __future__ import annotations

from typing import Final

READ_BACK: Final = ("nvvm.read.ptx.sreg.*", "nvvm.rcp.approx.ftz.f")
