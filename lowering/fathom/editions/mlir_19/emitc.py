"""emitc as MLIR 19 has it: what an address is taken of is no type of its own yet."""

from __future__ import annotations

from typing import Final

WITHOUT: Final = ("emitc.apply",)
