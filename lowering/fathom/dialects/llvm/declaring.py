"""A function of the LLVM dialect without its body.

Source of the rules: *LLVM Language Reference*, "Functions" and "Linkage Types".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm.attributes import linkage
from fathom.irdl.cases import word_of
from fathom.irdl.declaring import declares
from fathom.ops import llvm as ops

_OUTSIDE: Final = ("external", "extern_weak")


@declares("llvm.func")
def declare_func(op: ops.FuncOp) -> None:
    """Another module has it, with what only a definition may have."""
    if word_of(op.linkage) not in _OUTSIDE:
        op.properties["linkage"] = linkage("external")
    for name in ("comdat", "personality", "function_entry_count"):
        op.properties.pop(name, None)
