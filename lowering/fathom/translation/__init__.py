"""LLVM dialect to LLVM IR text, and LLVM's verdict on it."""

from fathom.translation.module import TRANSLATED, Translation, translate
from fathom.translation.verification import Translated, translated, verify_ir

__all__ = ["TRANSLATED", "Translated", "Translation", "translate", "translated", "verify_ir"]
