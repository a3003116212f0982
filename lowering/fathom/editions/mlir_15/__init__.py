"""MLIR 15: what data cannot say of its dialects, a module for each."""
