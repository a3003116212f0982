"""LLVM dialect to LLVM IR text, and LLVM's verdict on it."""

from fathom.translation.module import TRANSLATED, Translation, translate
from fathom.translation.verification import placed, verify_ir

__all__ = ["TRANSLATED", "Translation", "placed", "translate", "verify_ir"]
