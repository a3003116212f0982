"""Arithmetic in terms of simpler arithmetic: what `arith-expand` does, and `convert-arith-to-llvm` in part."""
