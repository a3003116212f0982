"""LLVM dialect to LLVM IR text, and LLVM's verdict on it."""

from fathom.translation.module import TRANSLATED, Translation, translate
from fathom.translation.verification import objections, verify_ir

__all__ = ["TRANSLATED", "Translation", "objections", "translate", "verify_ir"]
