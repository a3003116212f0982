"""What the conversions to the LLVM dialect share: types, descriptors, calling conventions."""
