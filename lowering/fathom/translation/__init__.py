"""LLVM dialect to LLVM IR text, and LLVM's verdict on it."""

from fathom.translation.module import TRANSLATED, Translation, translate
from fathom.translation.verification import Translated, objections, translated, verify_ir

__all__ = ["TRANSLATED", "Translated", "Translation", "objections", "translate", "translated", "verify_ir"]
