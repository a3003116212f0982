"""LLVM dialect to LLVM IR text, and LLVM's verdict on it."""

from fathom.translation.module import TRANSLATED, Translation, translate
from fathom.translation.verification import told_of, verify_ir

__all__ = ["TRANSLATED", "Translation", "told_of", "translate", "verify_ir"]
