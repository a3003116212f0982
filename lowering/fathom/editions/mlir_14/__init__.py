"""MLIR 14: what data cannot say of its dialects, a module for each."""
