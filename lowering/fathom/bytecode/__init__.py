"""MLIR's bytecode: the binary form of IR. `reader` takes a file, and `writer` makes one."""
