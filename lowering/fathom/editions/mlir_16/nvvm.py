"""nvvm as MLIR 16 has it."""

from __future__ import annotations

from typing import Final

# Which types belong together is another table there.
WITHOUT: Final = ("nvvm.mma.sync",)
