"""What the conversions of GPU code to the LLVM dialect have in common: functions, indices, memory, texts, and calls of
device libraries. What differs between makers of GPUs is handed in as data.

Source of the rules: `lib/Conversion/GPUCommon` of MLIR 22.
"""
