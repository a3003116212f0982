"""MLIR 13: what data cannot say of its dialects, a module for each."""

from __future__ import annotations

from typing import Final

from fathom.editions.mlir_14 import FUNCTIONS
from fathom.editions.mlir_14 import LANGUAGE as NEXT
from fathom.records import replace

LANGUAGE: Final = replace(
    NEXT,
    bare_dialects=("builtin", "std"),
    gaps_before_regions=True,
    written_in={**FUNCTIONS, "llvm.mlir.global": {"global_type": "type"}},
)
