"""LLVM, kept in a process of its own."""
