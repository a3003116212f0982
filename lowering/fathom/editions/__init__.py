"""Editions of MLIR: what its releases call otherwise, and what became of it."""
