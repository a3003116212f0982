"""MLIR 13: what data cannot say of its dialects, a module for each."""
