"""Brackets of operations, where MLIR puts a blank before them and where none.

ODS's formats print no blank before `(`, `<` and `[` but behind signs; printers that are written by hand print as they
will. Source of the tables: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.syntax.lexer import Token

_OTHERWISE: Final = {
    "NAME(": (
        "affine.parallel async.execute bufferization.dealloc gpu.alloc llvm.landingpad omp.loop_nest omp.tile"
        " scf.forall scf.parallel scf.while sparse_tensor.assemble sparse_tensor.coiterate tosa.while_loop"
    ),
    "SYMBOL(": "spirv.EXT.SpecConstantCompositeReplicate spirv.SpecConstantComposite",
    "VALUE(": "memref.transpose tosa.cond_if",
    "VALUE[": (
        "llvm.intr.assume llvm.shufflevector memref.collapse_shape memref.expand_shape omp.target"
        " spirv.BranchConditional spirv.CopyMemory spirv.ImageDrefGather spirv.ImageSampleExplicitLod spirv.Load"
        " spirv.Store tensor.collapse_shape tensor.expand_shape transform.match.operation_name vector.insert"
        " vector.multi_reduction vector.shuffle"
    ),
    ")[": "llvm.call llvm.call_intrinsic llvm.switch",
    "][": "memref.view",
}
"""The operations that print such a bracket, behind such a token, otherwise than most do."""
_THOSE: Final = frozenset((name, where) for where, names in _OTHERWISE.items() for name in names.split())
_SPACED: Final = frozenset("to step by reduce retain cleanup".split())
_EITHER: Final = frozenset("in if init into with".split())
"""Words behind which a parenthesis has a blank; and those behind which it has one in some operations."""
_TIGHT_BRACES: Final = frozenset("ops layout interface".split())
"""Words behind which some operations print a brace without a blank."""


def before_bracket(before: Token, bracket: str, operation: str, is_name: bool) -> str | None:
    """What stands before a bracket in an operation, at its top: one blank, nothing, or either (None). `is_name` tells
    that what stands before it is the operation's name."""
    kind = "NAME" if is_name else before.kind if before.kind != "PUNCT" else before.text
    usual = _usual(kind, before.text, bracket)
    if usual is not None and (operation, kind + bracket) in _THOSE:
        return "" if usual else " "
    return usual


def _usual(kind: str, text: str, bracket: str) -> str | None:
    match bracket, kind:
        case "(", "NAME" | "SYMBOL" | "BLOCK" | "VALUE" | "STRING":
            return ""
        case "(", "BARE":
            return " " if text in _SPACED else None if text in _EITHER else ""
        case "[", "VALUE" | ")":
            return ""
        case "[", "]":
            return " "
        case "{", "BARE":
            return None if text in _TIGHT_BRACES else " "
        case "{", "NAME":
            return " "
        case _:
            return None
