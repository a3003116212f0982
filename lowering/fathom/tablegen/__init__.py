"""TableGen: the language of MLIR's `.td` files, read as llvm-tblgen 22 reads it."""
