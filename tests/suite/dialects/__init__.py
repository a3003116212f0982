"""What only C++ says of the dialects of MLIR's tests, said as any user says it of a dialect of theirs: in code, and in
descriptions that add to those of the `.td` files."""
