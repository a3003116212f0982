"""What LLVM makes of a module below LLVM IR: optimised LLVM IR, assembly, an object file; with the lines that come from
where, and with LLVM's remarks."""
