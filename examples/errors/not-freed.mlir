// RUN: mlir-opt %s --ownership-based-buffer-deallocation --convert-bufferization-to-memref --convert-scf-to-cf --convert-arith-to-llvm --convert-cf-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts
func.func @last(%n: index, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.realloc %a(%n) : memref<4xf32> to memref<?xf32>
  %x = memref.load %b[%i] : memref<?xf32>
  return %x : f32
}
