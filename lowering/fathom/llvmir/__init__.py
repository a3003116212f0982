"""A model of LLVM IR: what a module is, reading it, and writing it as LLVM does. It knows nothing of MLIR."""
