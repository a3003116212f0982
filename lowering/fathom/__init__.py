"""Fathom's compiler library: MLIR text to IR, to the LLVM dialect, to LLVM IR, to a running function."""

__version__ = "0.1.0"
