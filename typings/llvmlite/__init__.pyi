"""llvmlite has no type information of its own."""
