"""scf as MLIR 19 has it."""

from __future__ import annotations

from typing import Final

# Any operation that puts a slice into a tensor may stand there; which these are, no interface says yet.
WITHOUT: Final = ("scf.forall.in_parallel",)
