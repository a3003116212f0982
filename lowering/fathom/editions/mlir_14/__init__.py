"""MLIR 14: what data cannot say of its dialects, a module for each."""

from __future__ import annotations

from typing import Final

from fathom.editions.mlir_15 import LANGUAGE as NEXT
from fathom.records import replace

FUNCTIONS: Final = {name: {"function_type": "type"} for name in ("builtin.func", "gpu.func", "llvm.func")}
LANGUAGE: Final = replace(
    NEXT, bare_dialects=("std",), former_words=NEXT.former_words | {"opaque", "type"}, written_in=FUNCTIONS
)
