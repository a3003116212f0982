"""Debug information in both directions: the attributes `#llvm.di_…` and locations, and LLVM's nodes."""
