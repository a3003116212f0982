"""LLVM dialect to LLVM IR text, and LLVM's verdict on it."""

from fathom.translation.module import Translation, translate
from fathom.translation.verification import verify_ir

__all__ = ["Translation", "translate", "verify_ir"]
